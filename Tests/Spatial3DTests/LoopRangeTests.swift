import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct LoopRangeTests {
  /// Noise of a number of frames, with a silent last frame.
  ///
  /// OpenAL Soft 1.25 holds a last sample to the end of a mix.
  private static func noise(frameCount: Int) throws -> PCMBuffer<Float> {
    let noise = TestSignal.noise(duration: .seconds(1), format: Scenes.mono).samples.prefix(frameCount - 1)
    return try PCMBuffer(samples: noise + [0], format: Scenes.mono)
  }

  /// The audible frame of a looping sound after a number of frames.
  private func frame(_ count: Int, loop: Range<Int>) -> Int {
    count < loop.upperBound ? count : loop.lowerBound + (count - loop.lowerBound) % loop.count
  }

  private static let loops: [Range<Int>] = {
    var generator = SplitMix64(seed: 1)
    let random = (0..<50).map { _ in
      let start = Int.random(in: 0..<4_000, using: &generator)
      return start..<Int.random(in: (start + 1)...4_000, using: &generator)
    }
    return [0..<4_000, 0..<1, 0..<17, 3_999..<4_000, 3_000..<4_000, 1_024..<2_048, 1..<3_999, 2_000..<2_001] + random
  }()

  @Test(arguments: loops)
  func `A loop range plays the introduction once, the loop repeatedly and the rest after looping`(
    loop: Range<Int>
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let noise = try Self.noise(frameCount: 4_000)
    let buffer = try SoundBuffer(noise, loopRange: loop, in: offline.context)
    #expect(buffer.loopRange == loop)
    let source = try SoundSource(playing: buffer, in: offline.context)
    source.isLooping = true
    source.play()
    let looping = offline.render(frameCount: 20_480).samples
    source.isLooping = false
    let ending = offline.render(frameCount: 6_144).samples
    #expect(source.state == .stopped)

    // A single factor applies to all samples: the panning of a centred source to one channel.
    let factor = looping[0] / noise.samples[0]
    #expect(factor > 0.5 && factor <= 1.001)
    let wrong = looping.indices.filter { abs(looping[$0] - factor * noise.samples[frame($0, loop: loop)]) > 1e-5 }
    #expect(wrong == [])

    let position = frame(looping.count, loop: loop)
    let rest = noise.samples[position...] + [Float](repeating: 0, count: ending.count - (4_000 - position))
    #expect(zip(ending, rest).allSatisfy { abs($0 - factor * $1) <= 1e-5 })
  }

  @Test func `A sound that does not loop plays once from start to end despite its loop range`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let noise = try Self.noise(frameCount: 2_000)
    let source = try SoundSource(
      playing: SoundBuffer(noise, loopRange: 100..<200, in: offline.context),
      in: offline.context
    )
    source.play()
    let mix = offline.render(frameCount: 4_096).samples
    let factor = mix[0] / noise.samples[0]
    #expect(zip(mix, noise.samples).allSatisfy { abs($0 - factor * $1) < 1e-5 })
    #expect(mix[2_000...].allSatisfy { $0 == 0 })
  }

  @Test func `The default loop range is the whole sound`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    #expect(try Scenes.silence(frames: 10, in: offline.context).loopRange == 0..<10)
    #expect(try Scenes.silence(frames: 0, in: offline.context).loopRange == 0..<0)
  }

  @Test(arguments: [0..<0, 5..<5, 10..<10, -1..<5, 0..<11, 10..<11, 5..<Int.max, Int.min..<Int.max])
  func `A loop range outside the sound is rejected`(range: Range<Int>) throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let pcm = try PCMBuffer(samples: [Int16](repeating: 0, count: 10), format: Scenes.mono)
    let error = #expect(throws: AudioError.self) { try SoundBuffer(pcm, loopRange: range, in: offline.context) }
    #expect(error?.code == .invalidLoopRange)
    #expect("\(error, default: "")".contains("the loop range \(range) is no part of the sound's 10 frames"))
  }
}
