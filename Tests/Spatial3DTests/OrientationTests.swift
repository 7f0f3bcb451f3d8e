import Spatial3D
import TestSupport
import Testing

@Suite struct OrientationTests {
  private static func dot(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> Float { (left * right).sum() }

  @Test func `Any forward and up give three directions of length 1 at right angles`() {
    var generator = SplitMix64(seed: 1)
    for _ in 0..<20_000 {
      let scale = Float.random(in: -30...30, using: &generator)
      let forward = SIMD3<Float>.random(in: -1...1, using: &generator) * Float.pow2(scale)
      let up = SIMD3<Float>.random(in: -1...1, using: &generator) * Float.pow2(-scale)
      let orientation = Orientation(forward: forward, up: up)
      let axes = [orientation.forward, orientation.up, orientation.right]
      for (index, axis) in axes.enumerated() {
        #expect(abs(Self.dot(axis, axis) - 1) < 1e-5, "\(forward) \(up)")
        #expect(abs(Self.dot(axis, axes[(index + 1) % 3])) < 1e-5, "\(forward) \(up)")
      }
      #expect(Self.dot(orientation.forward, forward) > 0)
      #expect(Self.dot(orientation.up, up) >= -1e-5 * Self.dot(up, up).squareRoot())
    }
  }

  @Test func `Nearly parallel directions still give right angles`() {
    for exponent in 1...20 {
      let tilt = Float.pow2(Float(-exponent))
      let orientation = Orientation(forward: [0, 1, -tilt], up: [0, 1, 0])
      #expect(abs(Self.dot(orientation.forward, orientation.up)) < 1e-6)
      #expect(orientation.up.z > 0.7, "looking up puts the top of the head backwards, tilt \(tilt)")
    }
  }

  @Test func `An unrotated listener has x to the right`() {
    #expect(Orientation.identity.right == [1, 0, 0])
    #expect(Orientation(forward: [0, 0, -5], up: [0, 3, 0]) == .identity)
  }

  @Test func `Looking straight up or down is a tilt from level`() {
    #expect(Orientation(forward: [0, 2, 0], up: [0, 1, 0]).up == [0, 0, 1])
    #expect(Orientation(forward: [0, -2, 0], up: [0, 1, 0]).up == [0, 0, -1])
    #expect(Orientation(forward: [0, 2, 0], up: [0, 1, 0]).right == [1, 0, 0])
    #expect(Orientation(forward: [0, -2, 0], up: [0, 1, 0]).right == [1, 0, 0])
  }

  @Test func `An unusable up vector gives a level orientation`() {
    #expect(Orientation(forward: [1, 0, 0], up: .zero).up == [0, 1, 0])
    #expect(Orientation(forward: [1, 0, 0], up: [.nan, 0, 0]).up == [0, 1, 0])
    #expect(Orientation(forward: [1, 0, 0], up: [-3, 0, 0]).up == [0, 1, 0])
  }
}

extension SIMD3<Float> {
  fileprivate static func random(in range: ClosedRange<Float>, using generator: inout some RandomNumberGenerator)
    -> Self
  {
    [
      .random(in: range, using: &generator), .random(in: range, using: &generator),
      .random(in: range, using: &generator),
    ]
  }
}

extension Float {
  fileprivate static func pow2(_ exponent: Float) -> Float {
    Float(sign: .plus, exponent: Int(exponent), significand: 1)
  }
}
