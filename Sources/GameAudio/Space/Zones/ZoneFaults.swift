internal import Spatial3D

/// The faults of zones that were reported: each of a zone once.
///
/// Every zone stays at its index: games address zones by it.
struct ZoneFaults: Sendable {
  private var reported = ReportedFaults()

  /// The zones to store: an unusable value comes from the old zone of the same name and index, if that zone is usable.
  mutating func repair(
    _ new: [ReverbZone],
    after old: [ReverbZone],
    _ diagnostics: inout [Diagnostic]
  ) -> [ReverbZone] {
    var zones = new
    for index in new.indices where !new[index].isUsable {
      let same = index < old.count && old[index].name == new[index].name && old[index].isUsable ? old[index] : nil
      for fault in new[index].faults where reported.insert(.value(fault.property), of: index) {
        diagnostics.append(
          .zoneIgnored(index, new[index].name, fault.property, fault.value, isKept: same != nil)
        )
      }
      guard let same else { continue }
      if !new[index].shape.isUsable { zones[index].shape = same.shape }
      if !new[index].hasUsableFade { zones[index].fade = same.fade }
      if !new[index].reverb.isFinite { zones[index].reverb = same.reverb }
    }
    return zones
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
