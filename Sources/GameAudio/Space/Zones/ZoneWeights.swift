internal import Spatial3D

/// The weights of the zones at the listeners, by priority, and summed up for zones with an equal reverb.
///
/// Zones of a lower priority share the weight that the higher zones leave. Zones with an equal reverb are a group,
/// which sounds with one unit. Pure: no call and no lock.
struct ZoneWeights: Sendable {
  /// The group of each zone: the first zone with the same reverb.
  private(set) var groups: [ZoneIndex] = []
  /// The largest weight of each group at any listener, 0 to 1, at the index of its first zone; 0 at other indices.
  private(set) var weights: [Float] = []
  /// The weight of each group at each listener.
  private(set) var own: [SIMD4<Float>] = []
  /// The part of each zone in the weight of its group at each listener; the last part while the group has no weight.
  private(set) var shares: [SIMD4<Float>] = []
  /// The weights of the zones that the priorities leave at a listener.
  private var parts: [Float] = []
  /// The zones, by falling priority.
  private var ranks: [ZoneIndex] = []
  private var priorities: [Int] = []
  private var isUsable: [Bool] = []
  /// The next zone with the same reverb, for each zone; `nil` for none.
  private var nextInGroup: [ZoneIndex?] = []

  init() {}

  /// The weights of new zones; zones that were there before keep their parts.
  ///
  /// - Parameters:
  ///   - zones: The new zones.
  ///   - old: The weights of the old zones.
  ///   - places: The new index of each old zone, or `nil`.
  init(_ zones: [ReverbZone], after old: ZoneWeights, places: [ZoneIndex?]) {
    var firsts: [Reverb: ZoneIndex] = [:]
    var lasts: [ZoneIndex: ZoneIndex] = [:]
    nextInGroup = Array(repeating: nil, count: zones.count)
    for (position, zone) in zones.enumerated() {
      let index = ZoneIndex(position)
      let first = firsts[zone.reverb] ?? index
      firsts[zone.reverb] = first
      if let last = lasts[first] { nextInGroup[last.position] = index }
      lasts[first] = index
      groups.append(first)
    }
    priorities = zones.map(\.priority)
    isUsable = zones.map(\.isUsable)
    // The sort keeps the order of equal priorities.
    ranks = zones.indices.sorted { (zones[$1].priority, $0) < (zones[$0].priority, $1) }.map { ZoneIndex($0) }
    weights = Array(repeating: 0, count: zones.count)
    parts = weights
    own = Array(repeating: .zero, count: zones.count)
    shares = own
    for (index, place) in places.enumerated() {
      if let place { shares[place.position] = old.shares[index] }
    }
  }

  /// Applies the weights of the zones at some listeners; an unusable zone has none.
  mutating func update(listeners: Int = 1, _ weight: (_ zone: ZoneIndex, _ listener: Int) -> Float) {
    for group in own.indices { own[group] = .zero }
    for listener in 0..<listeners { update(at: listener, weight) }
    for group in own.indices { weights[group] = own[group].max() }
  }

  private mutating func update(at listener: Int, _ weight: (ZoneIndex, Int) -> Float) {
    var (left, taken): (Float, Float) = (1, 0)
    for place in ranks.indices {
      let zone = ranks[place].position
      if place > 0, priorities[zone] != priorities[ranks[place - 1].position] {
        (left, taken) = (left * (1 - min(taken, 1)), 0)
      }
      let whole = isUsable[zone] ? weight(ranks[place], listener) : 0
      taken += whole
      parts[zone] = left * whole
      own[groups[zone].position][listener] += left * whole
    }
    for zone in own.indices {
      let sum = own[groups[zone].position][listener]
      if sum > 0 { shares[zone][listener] = parts[zone] / sum }
    }
    for group in own.indices { own[group][listener] = min(own[group][listener], 1) }
  }

  /// The largest part of a zone in its group, at the listeners where the group has a weight; at any one if it has none.
  func share(of zone: ZoneIndex) -> Float {
    let (weights, shares) = (own[groups[zone.position].position], shares[zone.position])
    return weights == .zero ? shares.max() : shares.replacing(with: 0, where: weights .== 0).max()
  }

  /// The zone of a group with the largest part.
  func largest(in group: ZoneIndex) -> ZoneIndex {
    var (best, next) = (group, nextInGroup[group.position])
    while let zone = next {
      if share(of: zone) > share(of: best) { best = zone }
      next = nextInGroup[zone.position]
    }
    return best
  }

  /// The mean of a value of the zones of a group, by their parts at a listener; 0 for a group that never had a weight.
  func mean(in group: ZoneIndex, at listener: Int, _ value: (ZoneIndex) -> Float) -> Float {
    var (sum, next): (Float, ZoneIndex?) = (0, group)
    while let zone = next {
      let share = shares[zone.position][listener]
      if share > 0 { sum += share * value(zone) }
      next = nextInGroup[zone.position]
    }
    return sum
  }
}
