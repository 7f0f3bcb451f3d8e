import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The arithmetic of gains in short mixes.
@Suite struct GainRampTests {
  @Test(arguments: 1...100)
  func `A gain never moves faster than over 64 frames, and is at its target after them`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    func gains() -> GainRamp.Gains {
      let low = Float.random(in: 0...0.5, using: &random)
      return [Float.random(in: 0...16, using: &random), low, low + Float.random(in: 0...16, using: &random)]
    }
    var ramp = GainRamp(at: gains())
    for _ in 0..<10 {
      let target = gains()
      let begin = ramp.reached
      var mixed = 0
      while mixed < 64 {
        let (before, frames) = (ramp.reached, Int.random(in: 1...64, using: &random))
        let after = ramp.advance(by: frames, to: target)
        #expect(after == ramp.reached)
        mixed += frames
        let share = Float(min(frames, 64)) / 64
        for lane in 0..<3 {
          #expect(
            abs(after[lane] - before[lane]) <= abs(target[lane] - begin[lane]) * max(share, Float(frames) / 64) + 1e-4
          )
          let (low, high) = (min(begin[lane], target[lane]), max(begin[lane], target[lane]))
          #expect((low - 1e-5...high + 1e-5).contains(after[lane]))
        }
        #expect(ramp.isRunning == (mixed < 64))
      }
      #expect(ramp.reached == target)
    }
  }

  @Test(arguments: [64, 65, 512, 100_000])
  func `A mix of 64 frames or more gets the new gain`(frames: Int) {
    var ramp = GainRamp(at: [1, 0, 1])
    #expect(ramp.advance(by: 5, to: [0.25, 0, 0.5]) != [0.25, 0, 0.5] && ramp.isRunning)
    #expect(ramp.advance(by: frames, to: [0, 0, 1]) == [0, 0, 1] && !ramp.isRunning)
    ramp.end(at: [0.5, 0, 1])
    #expect(ramp.advance(by: 1, to: [0.5, 0, 1]) == [0.5, 0, 1] && !ramp.isRunning)
  }
}

/// Sources of mixes that are rendered in pieces of any length.
@Suite struct ShortMixTests {
  /// A change of a source that sounds.
  enum Change: CaseIterable, Sendable {
    case gain, gainToNothing, limit, stop, pause, rewind, seek, playAgain, playFrom, resume, fadeOut, fadeIn, release
  }

  private static func apply(_ change: Change, to source: inout SoundSource?, _ random: inout SplitMix64) {
    switch change {
    case .gain: source?.gain = .random(in: 0...1, using: &random)
    case .gainToNothing: source?.gain = 0
    case .limit: source?.gainLimits = 0...Float.random(in: 0...1, using: &random)
    case .stop: source?.stop()
    case .pause: source?.pause()
    case .rewind: source?.rewind()
    case .seek: source?.playbackFrame = .random(in: 0..<40_000, using: &random)
    case .playAgain: source?.play()
    case .playFrom: source?.play(from: .milliseconds(Int.random(in: 10...700, using: &random)))
    case .resume: if source?.state == .paused { source?.play() }
    case .fadeOut: source?.stop(fadingOut: .milliseconds(Int.random(in: 3...20, using: &random)))
    case .fadeIn: source?.play(fadingIn: .milliseconds(Int.random(in: 3...20, using: &random)))
    case .release: source = nil
    }
  }

  /// Renders frames in pieces of random lengths up to a limit.
  private static func render(
    _ frames: Int,
    upTo limit: Int,
    _ offline: inout OfflineRenderer,
    _ random: inout SplitMix64,
    into samples: inout [Float]
  ) {
    var left = frames
    while left > 0 {
      let length = min(Int.random(in: 1...limit, using: &random), left)
      samples += offline.render(frameCount: length).samples
      left -= length
    }
  }

  @Test(arguments: NoClickTests.libraries, Change.allCases)
  func `A change of a source does not click in pieces of any length`(disabled: DisabledFeatures, change: Change) throws
  {
    for seed in 1...10 {
      var random = SplitMix64(seed: UInt64(seed))
      var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
      let tone = TestSignal.sine(frequency: 200, duration: .seconds(1), format: Scenes.mono, amplitude: 0.4)
      var source: SoundSource? = try SoundSource(playing: SoundBuffer(tone, in: offline.context), in: offline.context)
      source?.isListenerRelative = true
      source?.isLooping = true
      source?.play()
      var samples: [Float] = []
      let limit = [1, 2, 5, 17, 64][seed % 5]
      Self.render(4_800 + seed, upTo: 512, &offline, &random, into: &samples)
      for _ in 0..<(limit < 5 ? 2 : 6) {
        if change == .resume { source?.pause() }
        if change == .resume { Self.render(200, upTo: 200, &offline, &random, into: &samples) }
        Self.apply(change, to: &source, &random)
        Self.render(100, upTo: limit, &offline, &random, into: &samples)
        Self.render(.random(in: 100...900, using: &random), upTo: 700, &offline, &random, into: &samples)
        if source?.state != .playing, change != .resume { source?.play(fadingIn: .milliseconds(20)) }
        Self.render(1_200, upTo: 700, &offline, &random, into: &samples)
      }
      let clicks = try PCMBuffer(samples: samples, format: Scenes.mono).clicks(highestFrequency: 1_000)
      #expect(clicks.isEmpty, "\(change), pieces of up to \(limit): \(clicks.first?.description ?? "")")
    }
  }
}
