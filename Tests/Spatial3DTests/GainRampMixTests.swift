import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The gain ramps of sources, in the mixes of an offline context.
@Suite struct GainRampMixTests {
  /// A looping source of the constant sample 1.
  private func constant(in context: AudioContext, gain: Gain = 1) throws -> SoundSource {
    let pcm = try PCMBuffer(samples: [Float](repeating: 1, count: 4_800), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(pcm, in: context), in: context)
    (source.isLooping, source.gain) = (true, gain)
    source.play()
    return source
  }

  /// The gain in the library after each of some mixes.
  private func gains(of source: SoundSource, _ offline: inout OfflineRenderer, after pieces: [Int]) -> [Float] {
    pieces.map { frames in
      _ = offline.render(frameCount: frames)
      return source.libraryValues.gain
    }
  }

  private func ramp(of source: SoundSource) -> Float? {
    source.context.state.withLock { $0.shortFades.ramps.gain(of: source.key) }
  }

  @Test func `A gain reaches its target after 64 frames of short mixes, and at the end of a longer one`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try constant(in: offline.context)
    _ = offline.render(frameCount: 100)
    source.rampGain(to: 0)
    #expect(source.gain == 0 && ramp(of: source) == 1)
    #expect(gains(of: source, &offline, after: [16, 16, 8]) == [0.75, 0.5, 0.375])
    #expect(ramp(of: source) == 0.375)
    // Another target begins another ramp of 64 frames, from the present gain.
    source.rampGain(to: 1)
    #expect(ramp(of: source) == 0.375)
    #expect(gains(of: source, &offline, after: [32, 16, 16, 16]) == [0.6875, 0.843_75, 1, 1])
    #expect(ramp(of: source) == nil && source.gain == 1)
    source.rampGain(to: 0.5)
    #expect(gains(of: source, &offline, after: [64]) == [0.5] && ramp(of: source) == nil)
    source.rampGain(to: 2)
    source.gainLimits = 0...16
    #expect(gains(of: source, &offline, after: [63, 1]) == [0.5 + 1.5 * 63 / 64, 2])
    // A change that is no ramp is at its target with the next mix.
    source.gain = 0.25
    #expect(gains(of: source, &offline, after: [1]) == [0.25] && ramp(of: source) == nil)
  }

  @Test func `A sound begins with its gain, or comes from silence where it begins inside`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try constant(in: offline.context)
    source.beginWithGain(0.25, isInside: false)
    #expect(source.gain == 0.25 && ramp(of: source) == nil)
    // Until it was mixed, a change is the gain that it begins with.
    source.rampGain(to: 0.5)
    #expect(ramp(of: source) == nil)
    #expect(gains(of: source, &offline, after: [8]) == [0.5])
    source.rampGain(to: 1)
    #expect(gains(of: source, &offline, after: [32, 32]) == [0.75, 1])
    source.beginWithGain(0.5, isInside: true)
    #expect(source.gain == 0.5 && ramp(of: source) == 0)
    #expect(gains(of: source, &offline, after: [16, 16]) == [0.125, 0.25])
    source.beginWithGain(0.75, isInside: false)
    #expect(ramp(of: source) == nil)
    #expect(gains(of: source, &offline, after: [1]) == [0.75])
  }

  @Test func `Several gains end at their targets, in whichever order they began and end`() throws {
    for seed in 0..<12 {
      var random = SplitMix64(seed: UInt64(seed))
      var offline = try OfflineRenderer(format: Scenes.mono)
      let sources = try (0..<5).map { _ in try constant(in: offline.context) }
      _ = offline.render(frameCount: 64)
      // A model of each gain ramp: its gain, its target, and the remaining frames.
      var ways = [(gain: Float, target: Float, left: Int)](repeating: (1, 1, 0), count: 5)
      for _ in 0..<60 {
        let index = Int.random(in: 0..<5, using: &random)
        if Bool.random(using: &random) {
          let target = Float(Int.random(in: 0...8, using: &random)) / 8
          sources[index].rampGain(to: target)
          ways[index] = (ways[index].gain, target, 64)
        }
        let frames = Int.random(in: 1...40, using: &random)
        _ = offline.render(frameCount: frames)
        for index in ways.indices {
          let way = ways[index]
          let isOver = frames >= way.left
          ways[index].gain = isOver ? way.target : way.gain + (way.target - way.gain) * Float(frames) / Float(way.left)
          ways[index].left = max(way.left - frames, 0)
          #expect(abs(sources[index].libraryValues.gain - ways[index].gain) < 1e-5, "\(seed)")
          #expect((ramp(of: sources[index]) == nil) == (ways[index].left == 0))
        }
      }
    }
  }

  @Test func `A suspended context holds its ramps, and a released source leaves none`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try constant(in: context)
    var other: SoundSource? = try constant(in: context)
    let key = try #require(other?.key)
    _ = offline.render(frameCount: 64)
    for source in [source, other] { source?.rampGain(to: 0) }
    _ = offline.render(frameCount: 16)
    context.suspend()
    _ = offline.render(frameCount: 100)
    #expect(ramp(of: source) == 0.75)
    context.resume()
    other = nil
    #expect(context.state.withLock { $0.shortFades.ramps.gain(of: key) } == nil)
    #expect(gains(of: source, &offline, after: [16, 32]) == [0.5, 0])
    // The sound of the other one has faded out, too.
    _ = offline.render(frameCount: 64)
    let next = try constant(in: context)
    next.rampGain(to: 0.5)
    #expect(gains(of: next, &offline, after: [32, 32]) == [0.75, 0.5])
  }

  @Test func `The end of a sound fades from the gain of its ramp`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(stopFades: true))
    let source = try constant(in: offline.context)
    _ = offline.render(frameCount: 256)
    source.rampGain(to: 0)
    let before = offline.render(frameCount: 32).samples
    source.stop()
    let after = offline.render(frameCount: 512).samples
    #expect(abs((before.last ?? 0) - 0.5) < 0.02)
    #expect(abs(after[0] - 0.5) < 0.05 && after[256...].allSatisfy { $0 == 0 })
    #expect(zip(after, after.dropFirst()).allSatisfy { $0 >= $1 - 1e-6 })
  }

  @Test func `A silent device has no ramps: its library moves each gain`() throws {
    let context = try AudioContext(device: .silent)
    let source = try constant(in: context)
    source.rampGain(to: 0.5)
    #expect(source.libraryValues.gain == 0.5 && ramp(of: source) == nil)
    source.beginWithGain(0.25, isInside: true)
    #expect(source.libraryValues.gain == 0.25 && ramp(of: source) == nil)
  }

  @Test func `The sound that ended last sets how many frames are mixed on their own`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(stopFades: true))
    let context = offline.context
    let sources = try (0..<2).map { _ in try constant(in: context) }
    func frames(after mixed: Int) -> [Int?] {
      _ = offline.render(frameCount: mixed)
      return context.state.withLock { [$0.shortFades.endings.count, $0.shortFades.endings.frames] }
    }
    #expect(frames(after: 256) == [0, nil])
    sources[0].stop()
    #expect(frames(after: 0) == [1, 64] && frames(after: 40) == [1, 24])
    sources[1].stop()
    #expect(frames(after: 0) == [2, 64] && frames(after: 24) == [1, 40] && frames(after: 39) == [1, 1])
    #expect(frames(after: 1) == [0, nil])
  }

  @Test(arguments: [false, true]) func `A gain beside a fade moves by the frames of the fade`(isObserved: Bool) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(stopFades: true))
    let sources = try (0..<2).map { _ in try constant(in: offline.context) }
    let token = isObserved ? sources[1].observe(.state) { _ in } : nil
    _ = offline.render(frameCount: 256)
    sources[0].stop()
    _ = offline.render(frameCount: 40)
    sources[1].rampGain(to: 0)
    // 24 frames of the fade are left, which are mixed on their own.
    #expect(gains(of: sources[1], &offline, after: [500, 20, 20]) == [0.625, 0.3125, 0])
    token?.cancel()
  }
}
