import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The sounds of players, opened: what is kept in memory, and what is refused.
@Suite struct OpenedSoundTests {
  private static let formats = [PCMFormat.mono(sampleRate: 8_000), .stereo(sampleRate: 8_000)]

  @Test func `A file of up to a mebibyte of samples is kept in memory`() throws {
    for format in Self.formats {
      let most = (1 << 20) / 4 / format.channelCount
      for (frames, isInMemory) in [(most, true), (most + 1, false)] {
        let file = try SoundFile(TestSignal.silence(duration: format.duration(ofFrames: frames), format: format))
        let opened = try OpenedSound(file.sound())
        #expect(opened.isInMemory == isInMemory && opened.frameCount == frames && opened.format == format)
        let stream = try OpenedSound(file.sound(streamed: true))
        #expect(!stream.isInMemory && stream.frameCount == frames && stream.loopRange == nil)
      }
    }
    let pcm = TestSignal.silence(duration: .seconds(60), format: Self.formats[1])
    #expect(try OpenedSound(Sound(pcm)).isInMemory && OpenedSound(Sound(pcm)).loopRange == nil)
  }

  @Test func `A reader in memory reads from each frame, and nothing behind the end`() throws {
    let samples = (0..<20).map { Float($0) / 100 }
    let opened = try OpenedSound(Sound(try PCMBuffer(samples: samples, format: Self.formats[1])))
    let reader = try opened.open()
    var buffer = PCMBuffer<Float>(format: Self.formats[0])
    for (place, asked, first, count) in [
      (nil, 3, 0, 3), (nil, 3, 3, 3), (nil, 9, 6, 4), (nil, 9, 10, 0), (8, 1, 8, 1), (9, 5, 9, 1), (10, 5, 10, 0),
      (-4, 2, 0, 2), (99, 2, 10, 0), (0, 0, 0, 0), (nil, 10, 0, 10),
    ] as [(Int?, Int, Int, Int)] {
      if let place { try reader.seek(toFrame: place) }
      let read = try reader.read(into: &buffer, maxFrames: asked)
      #expect(read == count && buffer.frameCount == count && buffer.format == Self.formats[1])
      #expect(Array(buffer.samples) == Array(samples[2 * first..<2 * (first + count)]))
    }
    #expect(reader.defect == nil)
  }

  @Test func `A loop range has at least a frame of the sound`() throws {
    let pcm = TestSignal.silence(duration: .milliseconds(125), format: Self.formats[0])
    for (range, isUsed) in [
      (0..<1_000, true), (999..<1_000, true), (999..<5_000, true), (-3..<1, true), (1_000..<1_001, false),
      (-3..<0, false),
      (5..<5, false),
    ] {
      var sound = Sound(pcm)
      sound.loopRange = range
      if isUsed {
        #expect(try OpenedSound(sound).loopRange == range)
      } else {
        let error = #expect(throws: GameAudioError.self) { try OpenedSound(sound) }
        #expect(error?.code == .invalidLoopRange)
        #expect(
          error?.message == "The loop range \(range) of A sound in memory has no frame of the sound, which has 1000."
        )
      }
    }
  }

  @Test func `Samples up to a million are played, and larger ones are not`() throws {
    for (value, isPlayed) in [(1e6, true), (-1e6, true), (1_000_001, false), (-1_000_001, false), (.nan, false)]
      as [(Float, Bool)]
    {
      let pcm = try PCMBuffer(samples: [0, 0.5, value, 0], format: Self.formats[0])
      let timeline = Playlist(try OpenedSound(Sound(pcm)), slot: 0, onTwoLoudspeakers: true).timeline
      var reader = TimelineReader(timeline)
      var buffer = PCMBuffer<Float>(format: Self.formats[0])
      let count = reader.read(into: &buffer, maxFrames: 100)
      #expect(count == (isPlayed ? 4 : 0), "\(value)")
      #expect(timeline.takeProblems(until: -1).isEmpty)
      let problems = timeline.takeProblems(until: 0)
      #expect(problems.count == (isPlayed ? 0 : 1) && problems.allSatisfy { $0.position == 0 }, "\(value)")
      #expect(timeline.takeProblems(until: .max).isEmpty)
    }
  }

  @Test func `A timeline ends with one silent frame, once`() throws {
    for format in Self.formats {
      let pcm = try PCMBuffer(samples: [Float](repeating: 0.5, count: 10 * format.channelCount), format: format)
      let timeline = Playlist(try OpenedSound(Sound(pcm)), slot: 0, onTwoLoudspeakers: true).timeline
      var reader = TimelineReader(timeline)
      var buffer = PCMBuffer<Float>(format: format)
      var counts: [Int] = []
      for _ in 0..<4 { counts.append(reader.read(into: &buffer, maxFrames: 6)) }
      #expect(counts == [6, 4, 1, 0])
      reader.seek(toFrame: 9)
      #expect(reader.read(into: &buffer, maxFrames: 6) == 1 && buffer.samples.allSatisfy { $0 == 0.5 })
      #expect(reader.read(into: &buffer, maxFrames: 6) == 1 && buffer.frameCount == 1)
      #expect(buffer.samples.allSatisfy { $0 == 0 } && buffer.format == format)
      // Nothing was read before the end, which needs no silence.
      reader.seek(toFrame: 10)
      #expect(reader.read(into: &buffer, maxFrames: 6) == 0 && buffer.frameCount == 0)
      reader.seek(toFrame: -9)
      #expect(reader.read(into: &buffer, maxFrames: 100) == 10)
    }
  }
}
