import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Sounds in the form in which they are loaded: their channels, their frames and their loops.
@Suite struct LoadedSoundTests {
  private static let formats = [PCMFormat.mono(sampleRate: 48_000), .stereo(sampleRate: 44_100)]

  private static func load(_ sound: Sound, isPlaced: Bool, in context: AudioContext) throws -> LoadedSound {
    try LoadedSound(
      sound.variations[0],
      LoadKey(content: sound.variations[0].identity, isPlaced: isPlaced, loopRange: sound.loopRange),
      convertsRate: true,
      in: context
    )
  }

  /// The loop range of a sound of 100 frames, the range that is used, and the range that is reported.
  private static let ranges: [(Range<Int>?, Range<Int>, Range<Int>?)] = [
    (nil, 0..<100, nil), (0..<100, 0..<100, nil), (0..<1, 0..<1, nil), (99..<100, 99..<100, nil),
    (20..<60, 20..<60, nil), (-5..<3, 0..<3, -5..<3), (40..<101, 40..<100, 40..<101), (100..<120, 0..<100, 100..<120),
    (-9..<0, 0..<100, -9..<0), (7..<7, 0..<100, nil), (-9..<900, 0..<100, -9..<900),
  ]

  @Test func `A loop range is the part of it that is in the sound, and the whole sound if there is none`() throws {
    let context = try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context
    for format in Self.formats {
      let samples = (0..<100 * format.channelCount).map { Float($0) / 1_000 }
      let pcm = try PCMBuffer(samples: samples, format: format)
      for (range, used, outer) in Self.ranges {
        for (sound, isStream) in [(Sound(pcm), false), (Sound(streaming: "tone") { SampleReader(pcm) }, true)] {
          for isPlaced in [true, false] {
            var sound = sound
            sound.loopRange = range
            let loaded = try Self.load(sound, isPlaced: isPlaced, in: context)
            #expect(loaded.loopRange == used && loaded.outerLoopRange == outer, "\(String(describing: range))")
            #expect(loaded.frameCount == 100 && loaded.sampleRate == format.sampleRate)
            #expect(loaded.channelCount == (isPlaced ? 1 : format.channelCount))
            #expect(loaded.mixedChannels == (isPlaced ? format.channelCount : 1))
            #expect((loaded.buffer == nil) == isStream && (loaded.stream != nil) == isStream)
            #expect((loaded.byteCount == 0) == isStream && !loaded.isTruncated && loaded.claimedFrameCount == nil)
            // One channel is the same with a position and without.
            #expect(loaded.isAnyForm == (isStream || format.channelCount == 1))
            #expect(loaded.envelope.levels.isEmpty == isStream)
          }
        }
      }
    }
  }

  @Test func `A file has its own loop, unless the sound has one`() throws {
    let context = try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context
    let file = try SoundFile(try PlayerFixture.noise(1_000), loop: 200..<700)
    for (range, used) in [(nil, 200..<700), (10..<20, 10..<20), (0..<1_000, 0..<1_000)] as [(Range<Int>?, Range<Int>)] {
      for isStreamed in [false, true] {
        var sound = file.sound(streamed: isStreamed)
        sound.loopRange = range
        let loaded = try Self.load(sound, isPlaced: false, in: context)
        #expect(loaded.loopRange == used && loaded.frameCount == 1_000 && loaded.channelCount == 2)
        #expect(loaded.outerLoopRange == nil && loaded.claimedFrameCount == (isStreamed ? nil : 1_000))
      }
    }
  }

  @Test func `A stream that does not know its length has no end to loop at`() throws {
    let context = try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context
    var sound = Sound(streaming: "radio") { EndlessReader() }
    var loaded = try Self.load(sound, isPlaced: true, in: context)
    #expect(loaded.frameCount == .max && loaded.loopRange == 0..<Int.max && loaded.outerLoopRange == nil)
    sound.loopRange = 5..<900
    loaded = try Self.load(sound, isPlaced: true, in: context)
    #expect(loaded.loopRange == 5..<900 && loaded.outerLoopRange == nil)
    let opened = try OpenedSound(Sound(try PlayerFixture.noise(50)))
    let timeline = Playlist(opened, slot: 0, onTwoLoudspeakers: true).loaded
    #expect(timeline.frameCount == .max && timeline.loopRange == 0..<Int.max && timeline.mixedChannels == 1)
    #expect(
      timeline.channelCount == 2 && timeline.sampleRate == 48_000 && timeline.buffer == nil && !timeline.isTruncated
    )
  }

  @Test func `A mix of channels is their mean`() throws {
    var random = SplitMix64(seed: 95)
    for layout in [ChannelLayout.mono, .stereo, .quad, .surround51] {
      let format = PCMFormat(sampleRate: 8_000, layout: layout)
      for frames in [0, 1, 2, 97] {
        let samples = (0..<frames * format.channelCount).map { _ in Float.random(in: -1...1, using: &random) }
        let mixed = try PCMBuffer(samples: samples, format: format).mixedToMono
        #expect(mixed.format == .mono(sampleRate: 8_000) && mixed.frameCount == frames)
        for frame in 0..<frames {
          let start = frame * format.channelCount
          let mean = samples[start..<start + format.channelCount].reduce(0, +) / Float(format.channelCount)
          #expect(abs(mixed.samples[frame] - mean) < 1e-6)
        }
      }
    }
  }

  @Test func `A source is told its place in whole frames and a part of one`() throws {
    let context = try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context
    let loaded = try Self.load(Sound(try PlayerFixture.noise(48_000)), isPlaced: true, in: context)
    for (place, seconds) in [(0, 0), (24_000, 0.5), (47_999.5, 47_999.5 / 48_000), (0.25, 0.25 / 48_000)] {
      let start = VoiceStart(sound: loaded, values: VoiceValues(), sends: [], place: place, isLooping: false)
      #expect(abs(start.time / .seconds(1) - seconds) < 1e-12)
    }
  }
}

/// A reader that never ends.
private struct EndlessReader: PCMReader, Sendable {
  let format = PCMFormat.mono(sampleRate: 48_000)
  var frameCount: Int? { nil }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    buffer.removeAll(adopting: format)
    return buffer.append(frames: maxFrames) { room in for _ in 0..<maxFrames { room.append(0.1) } }
  }

  mutating func seek(toFrame frame: Int) {}
}
