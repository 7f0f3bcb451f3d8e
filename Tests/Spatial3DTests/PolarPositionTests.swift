import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct PolarPositionTests {
  /// A listener at a random position within a kilometre, in a random orientation.
  private static func anyListener(_ generator: inout SplitMix64) -> Listener {
    Listener(
      position: .random(in: -1_000...1_000, using: &generator),
      orientation: Orientation(
        forward: .random(in: -1...1, using: &generator),
        up: .random(in: -1...1, using: &generator)
      )
    )
  }

  @Test func `Any position converts to polar coordinates and back for any listener`() {
    var generator = SplitMix64(seed: 1)
    var failures = 0
    for _ in 0..<100_000 {
      let listener = Self.anyListener(&generator)
      let reach = Float(sign: .plus, exponent: .random(in: -7...13, using: &generator), significand: 1)
      let position = listener.position + .random(in: -reach...reach, using: &generator)
      let polar = listener.polarPosition(of: position)
      let found = listener.position(at: polar)
      let error = distance(found, position)
      // The resolution of a Float: the angle to a part in four million, the position to one of its last digits.
      let tolerance = polar.distance * 1e-6 + 2 * (1_000 + reach).ulp
      let isInRange =
        (-180...180).contains(polar.azimuth) && (-90...90).contains(polar.elevation) && polar.distance >= 0
        && abs(polar.distance - distance(position, listener.position)) <= tolerance
      if !(error <= tolerance) || !isInRange { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test func `Any polar position converts to a position and back for any listener`() {
    var generator = SplitMix64(seed: 2)
    var failures = 0
    for _ in 0..<100_000 {
      var listener = Self.anyListener(&generator)
      listener.position = .zero
      let meant = PolarPosition(
        azimuth: .random(in: -180...180, using: &generator),
        elevation: .random(in: -89...89, using: &generator),
        distance: .random(in: 0.01...10_000, using: &generator)
      )
      let converted = listener.polarPosition(of: listener.position(at: meant))
      let turn = (converted.azimuth - meant.azimuth).remainder(dividingBy: 360)
      // Near the poles the same step on the sphere is a wider angle.
      let isNear =
        abs(turn) < 0.002 && abs(converted.elevation - meant.elevation) < 0.0005
        && abs(converted.distance - meant.distance) <= meant.distance * 1e-6
      if !isNear { failures += 1 }
    }
    #expect(failures == 0)
  }

  private static let mainDirections: [(PolarPosition, SIMD3<Float>)] = [
    (PolarPosition(azimuth: 0), [0, 0, -1]), (PolarPosition(azimuth: 90), [1, 0, 0]),
    (PolarPosition(azimuth: -90), [-1, 0, 0]), (PolarPosition(azimuth: 180), [0, 0, 1]),
    (PolarPosition(elevation: 90), [0, 1, 0]), (PolarPosition(elevation: -90), [0, -1, 0]),
    (PolarPosition(distance: 0), [0, 0, 0]), (PolarPosition(azimuth: 90, distance: 7), [7, 0, 0]),
  ]

  @Test(arguments: mainDirections)
  func `The main directions convert exactly, both ways`(polar: PolarPosition, position: SIMD3<Float>) {
    #expect(SIMD3(polar) == position)
    #expect(PolarPosition(position) == polar)
    #expect(Listener().position(at: polar) == position)
    #expect(Listener().polarPosition(of: position) == polar)
  }

  @Test func `Straight up and down have the azimuth 0, whatever they are approached from`() {
    for x in [-0.0, 0.0, 1e-8, -1e-8] as [Float] {
      #expect(PolarPosition([x, 2, -x]) == PolarPosition(azimuth: 0, elevation: 90, distance: 2))
      #expect(PolarPosition([-x, -2, x]) == PolarPosition(azimuth: 0, elevation: -90, distance: 2))
    }
    var generator = SplitMix64(seed: 3)
    for _ in 0..<1_000 {
      let listener = Self.anyListener(&generator)
      let above = listener.polarPosition(of: listener.position + 1_000 * listener.orientation.up)
      #expect(abs(above.elevation - 90) < 0.01)
    }
  }

  @Test func `The azimuth behind the listener is 180, and all coordinates of the listener are 0`() {
    #expect(PolarPosition([-0.0, 0, 3]).azimuth == 180)
    #expect(PolarPosition([0, -0.0, 3]) == PolarPosition(azimuth: 180, elevation: 0, distance: 3))
    #expect(PolarPosition([-0.0, -0.0, 0]) == PolarPosition(azimuth: 0, elevation: 0, distance: 0))
    let listener = Listener(position: [4, 5, 6], orientation: Orientation(forward: [1, 1, 1], up: [0, 1, 0]))
    #expect(listener.polarPosition(of: [4, 5, 6]) == PolarPosition(distance: 0))
  }

  @Test func `Angles beyond their range wrap around`() {
    for turns in -3...3 {
      #expect(SIMD3(PolarPosition(azimuth: 90 + 360 * Float(turns))) == [1, 0, 0])
    }
    let overTheTop = PolarPosition(SIMD3(PolarPosition(azimuth: 10, elevation: 100, distance: 2)))
    #expect(abs(overTheTop.azimuth + 170) < 1e-4)
    #expect(abs(overTheTop.elevation - 80) < 1e-4)
    #expect(SIMD3(PolarPosition(azimuth: 90, distance: -2)) == [-2, 0, 0])
  }

  @Test func `The largest and smallest positions convert, and non-finite ones stay non-finite`() {
    let largest = Float.greatestFiniteMagnitude
    #expect(PolarPosition([largest, 0, 0]) == PolarPosition(azimuth: 90, distance: largest))
    let smallest = Float.leastNonzeroMagnitude
    #expect(PolarPosition([0, 0, smallest]) == PolarPosition(azimuth: 180, distance: smallest))
    #expect(PolarPosition([.nan, 0, 0]).distance.isNaN)
    #expect(!SIMD3(PolarPosition(azimuth: .infinity)).x.isFinite)
  }

  @Test func `A listener with an unusable orientation is unrotated`() {
    let lost = Listener(position: [1, 2, 3], orientation: Orientation(forward: .zero, up: .zero))
    #expect(lost.polarPosition(of: [2, 2, 3]) == PolarPosition(azimuth: 90))
    #expect(lost.position(at: PolarPosition(azimuth: 90)) == [2, 2, 3])
  }

  @Test(arguments: 0..<20)
  func `A source at azimuth 90 is on the right for any orientation of the listener`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let listener = Self.anyListener(&generator)
    func balance(azimuth: Float) throws -> Decibels {
      var offline = try OfflineRenderer(format: Scenes.stereo)
      offline.context.listener = listener
      let position = listener.position(at: PolarPosition(azimuth: azimuth, distance: 5))
      let source = try Scenes.noise(in: offline.context, at: position)
      return withExtendedLifetime(source) {
        let mix = offline.render(frameCount: 4_096)
        return mix.level(ofChannel: 1) - mix.level(ofChannel: 0)
      }
    }
    #expect(try balance(azimuth: 90) > 30)
    #expect(try balance(azimuth: -90) < -30)
    #expect(abs(try balance(azimuth: 0).rawValue) < 0.1)
  }
}

private func distance(_ left: SIMD3<Float>, _ right: SIMD3<Float>) -> Float {
  let offset = SIMD3<Double>(left) - SIMD3<Double>(right)
  return Float((offset * offset).sum().squareRoot())
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
