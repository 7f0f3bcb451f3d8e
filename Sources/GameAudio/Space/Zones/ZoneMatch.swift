/// The zones of an old list in a new one.
///
/// Equal zones belong together first, then zones of one name. Zones without names follow: first zones of one shape, and
/// last zones at one index. Each zone has one partner at most. Pure: no call and no lock.
enum ZoneMatch {
  /// The new index of each old zone; `nil` for a zone that is gone.
  static func places(of old: [ReverbZone], in new: [ReverbZone]) -> [ZoneIndex?] {
    var places = [ZoneIndex?](repeating: nil, count: old.count)
    var isTaken = Array(repeating: false, count: new.count)
    func pairSameIndices(_ isSame: (ReverbZone, ReverbZone) -> Bool) {
      for index in old.indices where index < new.count && places[index] == nil && !isTaken[index] {
        if isSame(old[index], new[index]) { (places[index], isTaken[index]) = (ZoneIndex(index), true) }
      }
    }
    func pair(_ isSame: (ReverbZone, ReverbZone) -> Bool) {
      // After an insertion, each search finds its zone at once.
      var next = 0
      for index in old.indices where places[index] == nil {
        let found = new.indices.first { offset in
          let place = (next + offset) % new.count
          return !isTaken[place] && isSame(old[index], new[place])
        }
        guard let found else { continue }
        let place = (next + found) % new.count
        (places[index], isTaken[place]) = (ZoneIndex(place), true)
        next = place + 1
      }
    }
    pairSameIndices { $0 == $1 }
    pair { $0 == $1 }
    pairSameIndices { !$0.name.isEmpty && $0.name == $1.name }
    pair { !$0.name.isEmpty && $0.name == $1.name }
    pair { $0.name.isEmpty && $1.name.isEmpty && $0.shape == $1.shape }
    if old.count == new.count { pairSameIndices { $0.name.isEmpty && $1.name.isEmpty } }
    return places
  }
}
