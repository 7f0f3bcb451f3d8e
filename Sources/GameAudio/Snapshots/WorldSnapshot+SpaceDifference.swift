internal import Spatial3D

// The zones and the portals of a difference.

extension WorldSnapshot {
  /// The zones, by their names; those without one by their indices.
  var zoneParts: [Part] {
    var counts: [String: Int] = [:]
    return zones.indices.map { index in
      let zone = zones[index]
      let (room, reverb) = (zone.reverb.room, zone.reverb)
      let count = Self.count(zone.name ?? "", &counts)
      return Part(
        key: zone.name.map { "\(count) \($0)" } ?? "\(index)",
        subject: "zone \(name(ofZone: index))",
        values: [
          "shape": .text(zone.shape.words), "reverb": .numbers(room.list),
          "decay": .number(room.decayTime / .seconds(1)),
          "reverb level": .level(reverb.level), "equalizer": reverb.equalizer.map { .numbers($0.list) },
          "fade": .number(Double(zone.fade ?? 3)), "priority": .number(Double(zone.priority ?? 0)),
          "weight": .number(Double(zone.weight ?? 0)), "level": zone.level.map { .level($0) },
        ]
      )
    }
  }

  /// The portals, by the zones that they join; those between the same two by their order.
  var portalParts: [Part] {
    var counts: [String: Int] = [:]
    return portals.map { portal in
      // A zone may be called like the outdoors.
      let ends = [portal.first, portal.second].map { $0.map { "zone \($0.count) \($0)" } ?? "outdoors" }
      let key = ends.joined(separator: ", ")
      let count = Self.count(key, &counts)
      return Part(
        key: "\(count) \(key)",
        subject: "portal \(portal.name)\(count > 1 ? " \(count)" : "")",
        values: [
          "position": .numbers(portal.position.list), "radius": .number(Double(portal.radius)),
          "openness": .number(Double(portal.openness)),
        ]
      )
    }
  }

  /// The number of times that a name has come so far, including the present call.
  private static func count(_ name: String, _ counts: inout [String: Int]) -> Int {
    counts[name, default: 0] += 1
    return counts[name] ?? 1
  }
}

extension ReverbZone.Shape {
  /// The shape in words, such as `sphere of 3.0 m at (0.0, 1.0, 2.0)`.
  fileprivate var words: String {
    switch self {
    case .sphere(let center, let radius): "sphere of \(radius) m at \(center.words)"
    case .box(let center, let size, let yaw):
      "box of \(size.words) m at \(center.words)\(yaw == 0 ? "" : ", turned by \(yaw)°")"
    case .hull(let points): "hull of \(points.map(\.words).joined(separator: ", "))"
    }
  }
}

extension RoomAcoustics {
  /// All numbers but the decay time.
  fileprivate var list: [Double] {
    let gains = [gain, highFrequencyGain, lowFrequencyGain, reflectionsGain, lateGain, airAbsorptionGain].map(
      \.rawValue
    )
    let decay = [highFrequencyDecayRatio, lowFrequencyDecayRatio, limitsHighFrequencyDecay ? 1 : 0]
    let air = [density, diffusion, highFrequencyReference, lowFrequencyReference, roomRolloff]
    let depths = [echoDepth, modulationDepth]
    let times = [reflectionsDelay, lateDelay, echoTime, modulationTime].map { $0 / .seconds(1) }
    return (gains + decay + air + depths).map(Double.init) + times + reflectionsPan.list + latePan.list
  }
}

extension ParametricEqualizer {
  fileprivate var list: [Double] { [Double(frequency), Double(bandwidth), Double(level.rawValue)] }
}

extension SIMD3<Float> {
  fileprivate var words: String { "(\(x), \(y), \(z))" }
}
