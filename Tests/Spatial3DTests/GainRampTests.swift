import TestSupport
import Testing

@testable import Spatial3D

/// The arithmetic of gains in short mixes.
@Suite struct GainRampTests {
  @Test(arguments: 1...100)
  func `A gain never moves faster than over 64 frames, and is at its target after them`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    var ramp = GainRamp(from: .random(in: 0...16, using: &random))
    for _ in 0..<10 {
      let (begin, target) = (ramp.gain, Float.random(in: 0...16, using: &random))
      ramp.restart()
      #expect(ramp.isUntouched)
      var mixed = 0
      while mixed < 64 {
        let (before, frames) = (ramp.gain, Int.random(in: 1...64, using: &random))
        ramp.advance(by: frames, to: target)
        mixed += frames
        let most: Float = abs(target - begin) * Float(min(frames, 64)) / 64 + 1e-4
        let range: ClosedRange<Float> = min(begin, target) - 1e-5...max(begin, target) + 1e-5
        #expect(abs(ramp.gain - before) <= most)
        #expect(range.contains(ramp.gain))
        #expect(ramp.framesLeft == max(64 - mixed, 0))
      }
      #expect(ramp.gain == target)
    }
  }

  @Test(arguments: [64, 65, 512, 100_000])
  func `A mix of 64 frames or more gets the new gain`(frames: Int) {
    var ramp = GainRamp(from: 1)
    ramp.advance(by: 5, to: 0.25)
    let expected: Float = 1 - 0.75 * 5 / 64
    #expect(ramp.gain == expected)
    ramp.restart()
    ramp.advance(by: frames, to: 0)
    #expect(ramp.gain == 0 && ramp.framesLeft == 0)
  }
}
