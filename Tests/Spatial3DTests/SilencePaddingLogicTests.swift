import TestSupport
import Testing

@testable import Spatial3D

@Suite struct SilencePaddingLogicTests {
  @Test func `The corrected position in the silence ends it at the start of the sound`() throws {
    var generator = SplitMix64(seed: 3)
    let renderer = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 1, in: renderer.context)
    for _ in 0..<20_000 {
      let framesPerMix = Int.random(in: 64...2_048, using: &generator)
      let step = Double.random(in: 0.05...4, using: &generator)
      let length = Int.random(in: 1...20_000, using: &generator)
      let frame = Int.random(in: 0...100_000, using: &generator)
      let now = frame - Int.random(in: -3_000...10_000, using: &generator)
      let padding = SilencePadding(time: 0, length: length, buffer: buffer, location: .queue)
      let left = Double(frame - now) * step
      func correction(_ position: Double?) -> Double? {
        padding.correction(of: position, left: frame - now, step: step, framesPerMix: framesPerMix)
      }
      let begun = try #require(correction(nil))
      #expect((0...Double(length)).contains(begun))
      if left >= 0, left <= Double(length) { #expect(abs(Double(length) - begun - left) < 1e-6) }
      // A right position needs no correction. A wrong one becomes right at once, unless the sound is about to begin.
      #expect(correction(begun) == nil || now >= frame)
      let other = Double.random(in: 0...Double(length), using: &generator)
      if let corrected = correction(other) {
        #expect(corrected == begun)
        #expect(abs(other - begun) >= step / 2)
      } else if frame - now >= framesPerMix {
        #expect(abs(other - begun) < step / 2)
      }
    }
  }
}
