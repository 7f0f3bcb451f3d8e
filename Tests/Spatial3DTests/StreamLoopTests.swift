import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Streams that repeat a range of their frames.
@Suite struct StreamLoopTests {
  private static let length = 9_000

  private static let loops: [Range<Int>] = {
    var generator = SplitMix64(seed: 16)
    let random = (0..<40).map { _ in
      let start = Int.random(in: 0..<length, using: &generator)
      return start..<Int.random(in: (start + 1)...length, using: &generator)
    }
    return [
      0..<length, 0..<1, 8_999..<9_000, 0..<2_400, 100..<2_500, 100..<2_501, 2_399..<2_400, 2_400..<4_800, 1..<8_999,
      5_000..<5_001,
    ] + random
  }()

  /// The frame that plays after a number of frames of a looping sound.
  private static func frame(_ count: Int, of loop: Range<Int>) -> Int {
    count < loop.upperBound ? count : loop.lowerBound + (count - loop.lowerBound) % loop.count
  }

  /// A reader of noise with a silent last frame, because OpenAL Soft 1.25 holds a last sample to the end of a mix.
  private static func readerWithSilentEnd(frames: Int) throws -> SampleReader {
    let samples = SampleReader(frames: frames).samples.dropLast() + [0]
    return SampleReader(try PCMBuffer(samples: Array(samples), format: Scenes.mono))
  }

  private func stream(
    _ reader: SampleReader,
    loopRange: Range<Int>? = nil,
    in offline: borrowing OfflineRenderer
  ) throws -> SoundSource {
    let source = try SoundSource(streaming: reader, loopRange: loopRange, in: offline.context)
    source.isListenerRelative = true
    source.isLooping = true
    return source
  }

  @Test(arguments: loops)
  func `A stream plays its introduction once and then its loop range without a seam`(loop: Range<Int>) throws {
    for (blockLength, knowsLength) in [(Int.max, true), (333, false)] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      var reader = SampleReader(frames: Self.length)
      (reader.blockLength, reader.knowsLength) = (blockLength, knowsLength)
      let source = try stream(reader, loopRange: loop, in: offline)
      #expect(source.loopRange == loop)
      let log = NotificationLog()
      let token = source.record(in: log, of: [.loop, .underrun])
      source.play()
      var output: [Float] = []
      for frames in [700, 3_000, 9_000, 18_300] {
        output += offline.render(frameCount: frames).samples
        #expect(source.playbackFrame == Self.frame(output.count, of: loop))
      }
      let wrong = output.indices.first { abs(output[$0] - reader.samples[Self.frame($0, of: loop)]) >= 1e-5 }
      #expect(wrong == nil)
      #expect(log.loops == max(output.count - 1 - loop.lowerBound, 0) / loop.count)
      #expect(log.all.allSatisfy { ($0.framePosition - loop.lowerBound) % loop.count == 0 })
      withExtendedLifetime(token) {}
    }
  }

  @Test(arguments: loops.prefix(20))
  func `A stream that no longer loops plays from its loop range to its end`(loop: Range<Int>) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let reader = try Self.readerWithSilentEnd(frames: Self.length)
    let source = try stream(reader, loopRange: loop, in: offline)
    source.play()
    var output = offline.render(frameCount: 12_000).samples
    source.isLooping = false
    while source.state == .playing { output += offline.render(frameCount: 1_000).samples }
    // The frames between the last lap and the end follow it, and nothing else.
    let last = try #require(output.lastIndex { $0 != 0 })
    // The silent last frame follows.
    let played = last + 2
    let rest = reader.samples[loop.upperBound...]
    #expect((played - rest.count - loop.upperBound) % loop.count == 0)
    #expect(zip(output[..<played].suffix(rest.count), rest).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(played < 12_000 + 20_000 + 2 * Self.length)
  }

  @Test func `A stream takes the loop range of its reader, unless the range does not fit`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    for (range, expected) in [(100..<200, 100..<200), (0..<0, nil), (100..<9_001, nil)] as [(Range<Int>, Range<Int>?)] {
      var reader = SampleReader(frames: Self.length)
      reader.loopRange = range
      #expect(try stream(reader, in: offline).loopRange == expected)
      #expect(try stream(reader, loopRange: 5..<6, in: offline).loopRange == 5..<6)
    }
  }

  @Test(arguments: [0..<0, -1..<5, 0..<9_001, 9_000..<9_001, 50..<50])
  func `A loop range outside a stream throws an error or is reported`(loop: Range<Int>) throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let error = #expect(throws: AudioError.self) {
      try SoundSource(streaming: SampleReader(frames: Self.length), loopRange: loop, in: offline.context)
    }
    #expect(error?.code == .invalidLoopRange)
    let source = try stream(SampleReader(frames: Self.length), loopRange: 10..<20, in: offline)
    let log = DiagnosticLog()
    offline.context.onDiagnostic = { log.add($0) }
    source.loopRange = loop
    #expect(source.loopRange == 10..<20)
    #expect(log.codes == [.valueNotUsable])
  }

  @Test func `A source of buffers has the loop range of its buffer, and keeps it`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let noise = TestSignal.noise(duration: .seconds(1), format: Scenes.mono)
    let buffer = try SoundBuffer(noise, loopRange: 10..<20, in: offline.context)
    let source = try SoundSource(playing: buffer, in: offline.context)
    let log = DiagnosticLog()
    offline.context.onDiagnostic = { log.add($0) }
    source.loopRange = 0..<5
    #expect(source.loopRange == 10..<20)
    #expect(log.codes == [.valueNotUsable])
    #expect(try SoundSource(in: offline.context).loopRange == nil)
  }

  @Test func `A new loop range follows the frames that were read ahead, without a seam`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let reader = SampleReader(frames: 60_000)
    let source = try stream(reader, loopRange: 0..<4_000, in: offline)
    source.play()
    var output = offline.render(frameCount: 10_000).samples
    source.loopRange = 30_000..<35_000
    output += offline.render(frameCount: 100_000).samples
    source.loopRange = nil
    output += offline.render(frameCount: 100_000).samples
    // Each frame follows its predecessor, or is the first of a loop after the last.
    var frame = 0
    var jumps: [Int: Int] = [:]
    for sample in output {
      if abs(sample - reader.samples[frame % 60_000]) >= 1e-5 || frame == 60_000 {
        let start = [0, 30_000].first { abs(sample - reader.samples[$0]) < 1e-5 }
        jumps[frame, default: 0] += 1
        frame = try #require(start, "frame \(frame)")
      }
      frame += 1
    }
    #expect(Set(jumps.keys) == [4_000, 35_000, 60_000])
    // The stream was read no further than 450 ms ahead when the first range changed.
    #expect((2...8).contains(try #require(jumps[4_000])))
  }

  @Test(arguments: [2_000, 2_001, 2_500])
  func `A stream from behind its loop range plays to its end, as a buffer does`(start: Int) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let reader = try Self.readerWithSilentEnd(frames: 4_000)
    let source = try stream(reader, loopRange: 1_000..<2_000, in: offline)
    source.playbackFrame = start
    source.play()
    #expect(source.playbackFrame == start)
    let streamed = offline.render(frameCount: 6_000).samples
    #expect(source.state == .stopped)
    let pcm = try PCMBuffer(samples: reader.samples, format: Scenes.mono)
    let sound = try SoundBuffer(pcm, loopRange: 1_000..<2_000, in: offline.context)
    let other = try SoundSource(playing: sound, in: offline.context)
    (other.isListenerRelative, other.isLooping) = (true, true)
    other.playbackFrame = start
    other.play()
    let buffered = offline.render(frameCount: 6_000).samples
    // A buffer that starts in its middle fades in over the first mix.
    #expect(zip(streamed, buffered).dropFirst(1_024).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(abs(streamed[4_000 - start - 2] - reader.samples[3_998]) < 1e-5)
  }

  @Test func `A short loop is read once, and not again for each lap`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    var reader = SampleReader(frames: Self.length)
    let gate = Gate()
    reader.gate = gate
    let source = try stream(reader, loopRange: 300..<302, in: offline)
    source.play()
    _ = offline.render(frameCount: 48_000)
    #expect(gate.count <= 4)
  }
}
