internal import Spatial3D

/// The weights of the zones at the listeners, by priority, and summed up for zones with an equal reverb.
///
/// Zones of a lower priority share what the higher ones leave. Zones with an equal reverb are a group, which sounds with one
/// unit. Pure: no call and no lock.
struct ZoneWeights: Sendable {
  /// The group of each zone: the first zone with the same reverb.
  private(set) var groups: [Int] = []
  /// The weight of each group, 0 to 1, at the index of its first zone; 0 at other indices.
  private(set) var weights: [Float] = []
  /// The part of each zone in the weight of its group; the last one while the group has no weight.
  private(set) var shares: [Float] = []
  /// The weights of the zones that the priorities leave.
  private var parts: [Float] = []
  /// The zones, by falling priority.
  private var ranks: [Int] = []
  private var priorities: [Int] = []
  private var isUsable: [Bool] = []
  /// The next zone with the same reverb; -1 for none.
  private var nextInGroup: [Int] = []

  init() {}

  /// The weights of new zones; zones that were there before keep their parts.
  ///
  /// - Parameters:
  ///   - zones: The new zones.
  ///   - old: The weights of the old zones.
  ///   - places: The new index of each old zone, or -1.
  init(_ zones: [ReverbZone], after old: ZoneWeights, places: [Int]) {
    var firsts: [Reverb: Int] = [:]
    var lasts: [Int: Int] = [:]
    nextInGroup = Array(repeating: -1, count: zones.count)
    for (index, zone) in zones.enumerated() {
      let first = firsts[zone.reverb] ?? index
      firsts[zone.reverb] = first
      if let last = lasts[first] { nextInGroup[last] = index }
      lasts[first] = index
      groups.append(first)
    }
    priorities = zones.map(\.priority)
    isUsable = zones.map(\.isUsable)
    // The sort keeps the order of equal priorities.
    ranks = zones.indices.sorted { (zones[$1].priority, $0) < (zones[$0].priority, $1) }
    weights = Array(repeating: 0, count: zones.count)
    (parts, shares) = (weights, weights)
    for (index, place) in places.enumerated() where place >= 0 { shares[place] = old.shares[index] }
  }

  /// Adopts the weights of the zones at the listeners; an unusable zone has none.
  mutating func update(_ weight: (Int) -> Float) {
    for index in weights.indices { weights[index] = 0 }
    var (left, taken): (Float, Float) = (1, 0)
    for place in ranks.indices {
      let zone = ranks[place]
      if place > 0, priorities[zone] != priorities[ranks[place - 1]] { (left, taken) = (left * (1 - min(taken, 1)), 0) }
      let whole = isUsable[zone] ? weight(zone) : 0
      taken += whole
      parts[zone] = left * whole
      weights[groups[zone]] += left * whole
    }
    for zone in weights.indices where weights[groups[zone]] > 0 { shares[zone] = parts[zone] / weights[groups[zone]] }
    for group in weights.indices { weights[group] = min(weights[group], 1) }
  }

  /// The zone of a group with the largest part.
  func largest(in group: Int) -> Int {
    var (best, zone) = (group, group)
    while zone >= 0 {
      if shares[zone] > shares[best] { best = zone }
      zone = nextInGroup[zone]
    }
    return best
  }

  /// The mean of a value of the zones of a group, by their parts; 0 for a group that has never had a weight.
  func mean(in group: Int, _ value: (Int) -> Float) -> Float {
    var (sum, zone): (Float, Int) = (0, group)
    while zone >= 0 {
      if shares[zone] > 0 { sum += shares[zone] * value(zone) }
      zone = nextInGroup[zone]
    }
    return sum
  }
}
