import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct RelativePositionTests {
  private static let largest = Float.greatestFiniteMagnitude
  private static let smallest = Float.leastNonzeroMagnitude

  /// Usable orientations, not unit and not orthogonal, parallel, of the extremes, and unusable.
  private static let strangeOrientations = [
    Orientation(forward: [3, 4, 0], up: [3, 4, 1]), Orientation(forward: [0, 1, 0], up: [0, 1, 0]),
    Orientation(forward: [0, -1, 0], up: [0, 5, 0]), Orientation(forward: [1, 0, 0], up: .zero),
    Orientation(forward: [largest, -largest, largest], up: [-largest, largest, largest]),
    Orientation(forward: [smallest, 0, smallest], up: [0, smallest, 0]), Orientation(forward: .zero, up: .zero),
    Orientation(forward: [.nan, 0, 0], up: [0, 1, 0]), Orientation(forward: [0, 0, 1], up: [.infinity, 0, 0]),
  ]

  private static func anyListener(_ generator: inout SplitMix64) -> Listener {
    Listener(
      position: .random(in: -1_000...1_000, using: &generator),
      velocity: .random(in: -20...20, using: &generator),
      orientation: Orientation(
        forward: .random(in: -1...1, using: &generator),
        up: .random(in: -1...1, using: &generator)
      )
    )
  }

  @Test func `Any position and direction convert to the listener's axes and back`() {
    var generator = SplitMix64(seed: 1)
    var failures = 0
    for _ in 0..<10_000 {
      let listener = Self.anyListener(&generator)
      let reach = Float(sign: .plus, exponent: .random(in: -7...13, using: &generator), significand: 1)
      let offset = SIMD3<Float>.random(in: -reach...reach, using: &generator)
      let position = listener.position + offset
      let found = listener.position(ofRelative: listener.relativePosition(of: position))
      let relative = listener.orientation.relativeDirection(of: offset)
      let back = listener.orientation.direction(ofRelative: relative)
      // The resolution of a Float: the axes to a part in a million, the position to one of its last digits.
      let isNear =
        length(found - position) <= reach * 2e-6 + 2 * (1_000 + reach).ulp && length(back - offset) <= reach * 2e-6
        && abs(length(relative) - length(offset)) <= reach * 1e-6
      if !isNear { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test func `A relative position has the angles and the distance of the polar position`() {
    var generator = SplitMix64(seed: 2)
    var failures = 0
    for _ in 0..<10_000 {
      let listener = Self.anyListener(&generator)
      let position = listener.position + .random(in: -100...100, using: &generator)
      let polar = listener.polarPosition(of: position)
      let relative = listener.relativePosition(of: position)
      let isAsFar = abs(listener.distance(to: position) - polar.distance) <= polar.distance * 5e-7
      if !isAsFar || !(length(relative - SIMD3(polar)) <= polar.distance * 2e-6) { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test func `The axes are those of an unrotated listener turned along`() {
    let east = Listener(position: [10, 0, 0], orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0]))
    #expect(east.relativePosition(of: [14, 0, 0]) == [0, 0, -4], "ahead")
    #expect(east.relativePosition(of: [10, 2, 3]) == [3, 2, 0], "to the right and above")
    #expect(east.position(ofRelative: [3, 2, -4]) == [14, 2, 3])
    #expect(east.orientation.relativeDirection(of: [5, 0, 0]) == [0, 0, -5], "positions do not matter")
    #expect(east.orientation.direction(ofRelative: [0, 0, -5]) == [5, 0, 0])
    #expect(east.distance(to: [13, 4, 0]) == 5)
    #expect(Listener().relativePosition(of: [1, 2, 3]) == [1, 2, 3])
  }

  @Test(arguments: strangeOrientations)
  func `Any orientation converts finite vectors to finite ones`(orientation: Orientation) {
    let numbers: [Float] = [0, 1, -Self.smallest, Self.largest, -Self.largest]
    for x in numbers {
      for y in numbers {
        for z in numbers {
          let vector: SIMD3<Float> = [x, y, z]
          let listener = Listener(position: [z, x, y], orientation: orientation)
          let results = [
            listener.relativePosition(of: vector), listener.position(ofRelative: vector),
            orientation.relativeDirection(of: vector), orientation.direction(ofRelative: vector),
            listener.position(at: PolarPosition(azimuth: 30, elevation: 40, distance: x)),
            SIMD3(repeating: listener.distance(to: vector)),
          ]
          #expect(results.allSatisfy { $0.x.isFinite && $0.y.isFinite && $0.z.isFinite }, "\(vector): \(results)")
        }
      }
    }
  }

  @Test func `A component that is not finite gives a result that is not finite`() {
    let listener = Listener(orientation: Orientation(forward: [1, 1, 0], up: [0, 1, 0]))
    for number in [Float.nan, .infinity, -.infinity] {
      #expect(!listener.relativePosition(of: [number, 0, 0]).x.isFinite)
      #expect(!listener.orientation.direction(ofRelative: [number, 0, 0]).x.isFinite)
      #expect(!listener.distance(to: [0, number, 0]).isFinite)
    }
  }

  @Test func `An unusable orientation counts as unrotated`() {
    let lost = Listener(position: [1, 2, 3], orientation: Orientation(forward: .zero, up: .zero))
    #expect(lost.relativePosition(of: [2, 2, 2]) == [1, 0, -1])
    #expect(lost.position(ofRelative: [1, 0, -1]) == [2, 2, 2])
    #expect(lost.orientation.relativeDirection(of: [1, 2, 3]) == [1, 2, 3])
  }

  @Test(arguments: 0..<20)
  func `A source at a relative position sounds like the source in the world`(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    var listener = Self.anyListener(&generator)
    listener.position /= 100
    let position = listener.position + .random(in: -5...5, using: &generator)
    let velocity = SIMD3<Float>.random(in: -60...60, using: &generator)
    let direction = SIMD3<Float>.random(in: -1...1, using: &generator)

    func mix(isRelative: Bool) throws -> PCMBuffer<Float> {
      var offline = try OfflineRenderer(format: Scenes.stereo)
      offline.context.listener = listener
      let source = try Scenes.noise(in: offline.context)
      source.cone = Cone(innerAngle: 40, outerAngle: 320, outerGain: 0.1, outerHighFrequencyGain: 0.3)
      source.isListenerRelative = isRelative
      if isRelative {
        source.position = listener.relativePosition(of: position)
        source.velocity = listener.orientation.relativeDirection(of: velocity - listener.velocity)
        source.direction = listener.orientation.relativeDirection(of: direction)
      } else {
        (source.position, source.velocity, source.direction) = (position, velocity, direction)
      }
      return withExtendedLifetime(source) { offline.render(frameCount: 4_096) }
    }
    let world = try mix(isRelative: false)
    // The pitch differs by a part in a million, so that noise differs by a hundredth of a frame at the end.
    let difference = try mix(isRelative: true).difference(from: world)
    #expect(difference.peak < world.peak - 40, "\(difference.peak) of \(world.peak)")
  }

  @Test func `An orientation made of the directions of another one is equal`() {
    var generator = SplitMix64(seed: 3)
    var failures = 0
    for _ in 0..<20_000 {
      let scale = Float(sign: .plus, exponent: .random(in: -30...30, using: &generator), significand: 1)
      let forward = scale * SIMD3<Float>.random(in: -1...1, using: &generator)
      let up = forward * .random(in: 0...1, using: &generator) + .random(in: -1...1, using: &generator)
      let once = Orientation(forward: forward, up: up)
      if Orientation(forward: once.forward, up: once.up) != once { failures += 1 }
    }
    #expect(failures == 0)
    for strange in Self.strangeOrientations where strange.forward != .zero {
      #expect(Orientation(forward: strange.forward, up: strange.up) == strange)
    }
  }
}

private func length(_ vector: SIMD3<Float>) -> Float { (vector * vector).sum().squareRoot() }

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
