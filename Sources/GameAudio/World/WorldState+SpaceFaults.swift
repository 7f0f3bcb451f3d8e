internal import Spatial3D

/// The faults of zones and portals that were reported: each of an entry once.
struct SpaceFaults: Hashable, Sendable {
  /// The cause for which an entry has no effect, or keeps a value.
  enum Cause: Hashable, Sendable {
    /// A property is no usable number.
    case value(String)
    /// A property is outside of its range.
    case outside(String)
    case unknownZone(String)
    case oneRoom
    case farZone(String)
  }

  /// The fault of one entry.
  private struct Fault: Hashable, Sendable {
    let index: Int
    let cause: Cause
  }

  private var reported: Set<Fault> = []

  /// Whether a fault was not reported before.
  mutating func insert(_ cause: Cause, of index: Int) -> Bool {
    reported.insert(Fault(index: index, cause: cause)).inserted
  }
}

// Every entry stays at its index: games address zones and portals by it.

extension WorldState {
  /// The zones to store: an unusable value comes from the old zone of the same name and index, if that zone is usable.
  mutating func repair(_ new: [ReverbZone]) -> [ReverbZone] {
    var zones = new
    for index in new.indices where !new[index].isUsable {
      let old = index < space.zones.zones.count ? space.zones.zones[index] : nil
      let kept = old.flatMap { $0.name == new[index].name && $0.isUsable ? $0 : nil }
      report(new[index], at: index, isKept: kept != nil)
      guard let kept else { continue }
      if !new[index].shape.isUsable { zones[index].shape = kept.shape }
      if !new[index].hasUsableFade { zones[index].fade = kept.fade }
      if !new[index].reverb.isFinite { zones[index].reverb = kept.reverb }
    }
    return zones
  }

  private mutating func report(_ zone: ReverbZone, at index: Int, isKept: Bool) {
    for fault in zone.faults where space.zones.faults.insert(.value(fault.property), of: index) {
      outbox.report(.zoneIgnored(index, zone.name, fault.property, fault.value, isKept: isKept))
    }
  }

  /// The portals to store: an unusable number comes from the old portal of the same zones and index, if it is usable.
  mutating func repair(_ new: [Portal]) -> [Portal] {
    var result = new
    let names = Set(space.zones.zones.map(\.name))
    for index in new.indices {
      let old = index < space.portals.portals.count ? space.portals.portals[index] : nil
      let same = old.flatMap { $0.joinsRooms(of: new[index]) ? $0 : nil }
      if !new[index].isUsable {
        let kept = same.flatMap { $0.isUsable ? $0 : nil }
        report(new[index], at: index, isKept: kept != nil)
        if let kept { result[index].adoptNumbers(of: kept) }
      }
      // A change of an element would copy the array.
      if !result[index].isInRange {
        result[index].clamp()
        reportClamps(of: new[index], at: index)
      }
      reportRooms(of: new[index], at: index, among: names)
      // A game sets a moving door in each frame, and its position stays the same.
      if same?.position != result[index].position { reportPlace(of: result[index], at: index) }
    }
    return result
  }

  /// Reports a portal that is no opening of one of its zones, because it lies far outside.
  private mutating func reportPlace(of portal: Portal, at index: Int) {
    guard portal.isUsable else { return }
    for name in [portal.first, portal.second] {
      guard let name else { continue }
      let distances = space.zones.zones.lazy.filter { $0.name == name && $0.isUsable }.map {
        $0.shape.distance(to: portal.position)
      }
      guard let distance = distances.min(), distance > max(portal.radius, 0) + Self.thickestWall else { continue }
      guard space.portals.faults.insert(.farZone(name), of: index) else { continue }
      outbox.report(.portalFarFromZone(index, portal.name, distance, name))
    }
  }

  /// The distance from a zone, in metres, beyond its radius, at which a portal still counts as an opening of the zone.
  private static let thickestWall: Float = 2

  private mutating func report(_ portal: Portal, at index: Int, isKept: Bool) {
    for fault in portal.faults where space.portals.faults.insert(.value(fault.property), of: index) {
      outbox.report(.portalIgnored(index, portal.name, fault.property, fault.value, isKept: isKept))
    }
  }

  private mutating func reportClamps(of portal: Portal, at index: Int) {
    for clamp in portal.clamps where space.portals.faults.insert(.outside(clamp.property), of: index) {
      outbox.report(.notTaken(clamp, of: "portal \(index) (\(portal.name))"))
    }
  }

  private mutating func reportRooms(of portal: Portal, at index: Int, among names: Set<String>) {
    if portal.first == portal.second, space.portals.faults.insert(.oneRoom, of: index) {
      outbox.report(.portalInOneRoom(index, portal.first))
    }
    reportUnknown(portal.first, at: index, among: names)
    if portal.second != portal.first { reportUnknown(portal.second, at: index, among: names) }
  }

  private mutating func reportUnknown(_ name: String?, at index: Int, among names: Set<String>) {
    guard let name, !names.contains(name) else { return }
    guard space.portals.faults.insert(.unknownZone(name), of: index) else { return }
    var known: [String] = []
    for zone in space.zones.zones where !zone.name.isEmpty && !known.contains(zone.name) { known.append(zone.name) }
    outbox.report(.portalToUnknownZone(index, name, known: known))
  }
}

/// A property with a value that it cannot have, in words.
struct UnusableValue: Equatable {
  let property: String
  let value: String
}

extension Portal {
  /// Whether both lead from one room to one other; a zone may be called like the outdoors.
  fileprivate func joinsRooms(of other: Portal) -> Bool { first == other.first && second == other.second }

  /// The numbers that are not finite.
  var faults: [UnusableValue] {
    var faults: [UnusableValue] = []
    if !position.isFinite { faults.append(UnusableValue(property: "position", value: position.inWords)) }
    if !radius.isFinite { faults.append(UnusableValue(property: "radius", value: "\(radius)")) }
    if !openness.isFinite { faults.append(UnusableValue(property: "openness", value: "\(openness)")) }
    return faults
  }

  private static let radiusRange = Float.zero...
  private static let opennessRange: ClosedRange<Float> = 0...1

  /// The numbers outside of their ranges.
  var clamps: [ValueFault] {
    var clamps: [ValueFault] = []
    clamps.add(ValueFault("radius", radius, in: Self.radiusRange))
    clamps.add(ValueFault("openness", openness, in: Self.opennessRange))
    return clamps
  }

  fileprivate var isInRange: Bool { Self.radiusRange.contains(radius) && Self.opennessRange.contains(openness) }

  /// Brings the numbers into their ranges.
  mutating func clamp() {
    (radius, openness) = (Self.radiusRange.nearest(to: radius), Self.opennessRange.nearest(to: openness))
  }

  /// Replaces the numbers that are not finite by the numbers of another portal.
  mutating func adoptNumbers(of other: Portal) {
    if !position.isFinite { position = other.position }
    if !radius.isFinite { radius = other.radius }
    if !openness.isFinite { openness = other.openness }
  }
}

extension ReverbZone {
  /// The parts of the shape, the fade and the reverb that are not usable.
  var faults: [UnusableValue] {
    var faults = shape.faults
    if !hasUsableFade { faults.append(UnusableValue(property: "fade", value: "\(fade)")) }
    if !reverb.isFinite {
      let part = UnusablePart(of: reverb, named: "reverb")
      faults.append(UnusableValue(property: part.name, value: part.value))
    }
    return faults
  }
}

extension ReverbZone.Shape {
  fileprivate var faults: [UnusableValue] {
    var faults: [UnusableValue] = []
    func check(_ isUsable: Bool, _ property: String, _ value: String) {
      if !isUsable { faults.append(UnusableValue(property: property, value: value)) }
    }
    switch self {
    case .sphere(let center, let radius):
      check(center.isFinite, "center", center.inWords)
      check(radius.isFinite && radius >= 0, "radius", "\(radius)")
    case .box(let center, let size, let yaw):
      check(center.isFinite, "center", center.inWords)
      check(size.isFinite && size.min() >= 0, "size", size.inWords)
      check(yaw.isFinite, "yaw", "\(yaw)")
    case .hull(let points):
      check(!points.isEmpty, "list of points", "[]")
      if let point = points.first(where: { !$0.isFinite }) { check(false, "point", point.inWords) }
    }
    return faults
  }
}
