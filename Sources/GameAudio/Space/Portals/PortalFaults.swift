internal import Spatial3D

/// The faults of portals that were reported: each of a portal once.
///
/// Every portal stays at its index: games address portals by it.
struct PortalFaults: Sendable {
  private var reported = ReportedFaults()

  /// The distance from a zone, in metres, beyond its radius, at which a portal still counts as an opening of the zone.
  ///
  /// Chosen: thicker than the walls of houses. A portal that is farther away belongs to another zone.
  private static let thickestWall: Float = 2

  /// The portals to store: an unusable number comes from the old portal of the same zones and index, if it is usable.
  mutating func repair(
    _ new: [Portal],
    after old: [Portal],
    between zones: [ReverbZone],
    _ diagnostics: inout [Diagnostic]
  ) -> [Portal] {
    var result = new
    let names = Set(zones.map(\.name))
    for index in new.indices {
      let same = index < old.count && old[index].joinsRooms(of: new[index]) ? old[index] : nil
      if !new[index].isUsable {
        let kept = same.flatMap { $0.isUsable ? $0 : nil }
        report(new[index], at: index, isKept: kept != nil, &diagnostics)
        if let kept { result[index].replaceUnusable(by: kept) }
      }
      // A change of an element would copy the array.
      if !result[index].isInRange {
        result[index].clamp()
        reportClamps(of: new[index], at: index, &diagnostics)
      }
      reportRooms(of: new[index], at: index, zones, names, &diagnostics)
      // A game sets a moving door in each frame, and its position stays the same.
      if same?.position != result[index].position { reportPosition(of: result[index], at: index, zones, &diagnostics) }
    }
    return result
  }

  private mutating func report(_ portal: Portal, at index: Int, isKept: Bool, _ diagnostics: inout [Diagnostic]) {
    for fault in portal.faults where reported.insert(.value(fault.property), of: index) {
      diagnostics.append(.portalIgnored(index, portal.name, fault.property, fault.value, isKept: isKept))
    }
  }

  private mutating func reportClamps(of portal: Portal, at index: Int, _ diagnostics: inout [Diagnostic]) {
    for clamp in portal.clamps where reported.insert(.outside(clamp.property), of: index) {
      diagnostics.append(.notTaken(clamp, of: "portal \(index) (\(portal.name))"))
    }
  }

  /// Reports a portal that is no opening of one of its zones, because it lies far outside.
  private mutating func reportPosition(
    of portal: Portal,
    at index: Int,
    _ zones: [ReverbZone],
    _ diagnostics: inout [Diagnostic]
  ) {
    guard portal.isUsable else { return }
    for name in [portal.first, portal.second] {
      guard let name else { continue }
      let rooms = zones.lazy.filter { $0.name == name && $0.isUsable }
      let distances = rooms.map { $0.shape.distance(to: portal.position) }
      guard let distance = distances.min(), distance > max(portal.radius, 0) + Self.thickestWall else { continue }
      guard reported.insert(.farZone(name), of: index) else { continue }
      diagnostics.append(.portalFarFromZone(index, portal.name, distance, name))
    }
  }

  private mutating func reportRooms(
    of portal: Portal,
    at index: Int,
    _ zones: [ReverbZone],
    _ names: Set<String>,
    _ diagnostics: inout [Diagnostic]
  ) {
    if portal.first == portal.second, reported.insert(.oneRoom, of: index) {
      diagnostics.append(.portalInOneRoom(index, portal.first))
    }
    let rooms = portal.second == portal.first ? [portal.first] : [portal.first, portal.second]
    for case let name? in rooms where !names.contains(name) && reported.insert(.unknownZone(name), of: index) {
      var known: [String] = []
      for zone in zones where !zone.name.isEmpty && !known.contains(zone.name) { known.append(zone.name) }
      diagnostics.append(.portalToUnknownZone(index, name, known: known))
    }
  }
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
  mutating func replaceUnusable(by other: Portal) {
    if !position.isFinite { position = other.position }
    if !radius.isFinite { radius = other.radius }
    if !openness.isFinite { openness = other.openness }
  }
}
