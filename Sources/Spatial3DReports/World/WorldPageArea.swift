internal import GameAudio

/// The part of the plane of x and z that a map shows, in metres.
struct WorldPageArea {
  let x: ClosedRange<Double>
  let z: ClosedRange<Double>

  /// The area of all emitters, listeners and portals, with as much of the zones as leaves the others large.
  init(_ snapshots: [WorldSnapshot]) {
    let places = snapshots.flatMap {
      $0.emitters.compactMap(\.position) + $0.listeners.map(\.position) + $0.portals.map(\.position)
    }
    let corners = snapshots.spaceCorners
    x = Self.range(places.map(\.x), corners: corners.map(\.x))
    z = Self.range(places.map(\.z), corners: corners.map(\.y))
  }

  /// The word of a position that is missing or not finite.
  static let noPlace = UInt16(bitPattern: .min)

  /// The words of a position: each coordinate is a part of the map, from -32,000 to 32,000.
  func words(of place: SIMD3<Float>?) -> [UInt16] {
    guard let place, place.x.isFinite, place.z.isFinite else { return [Self.noPlace, Self.noPlace] }
    return [Self.word(place.x, in: x), Self.word(place.z, in: z)]
  }

  private static func word(_ value: Float, in range: ClosedRange<Double>) -> UInt16 {
    let part = (Double(value) - range.lowerBound) / (range.upperBound - range.lowerBound)
    return UInt16(bitPattern: Int16((min(max(part, 0), 1) * 64_000 - 32_000).rounded()))
  }

  /// The range of some numbers with a margin, widened to corners by half of its length at most on each side: a zone may
  /// surround everything.
  private static func range(_ values: [Float], corners: [Float]) -> ClosedRange<Double> {
    let values = values.filter(\.isFinite).map { Double($0) }
    let corners = corners.filter(\.isFinite).map { Double($0) }
    let (least, most) = (values.min() ?? 0, values.max() ?? 0)
    // Far from the origin, neighbouring numbers are more than the least margin apart.
    let margin = max((most - least) * 0.05, 2, least.magnitude * 1e-6, most.magnitude * 1e-6)
    let (low, high) = (least - margin, most + margin)
    guard let first = corners.min(), let last = corners.max() else { return low...high }
    let room = (high - low) / 2
    return max(min(low, first - 1), low - room)...min(max(high, last + 1), high + room)
  }
}
