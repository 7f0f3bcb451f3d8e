public import Spatial3D

extension Diagnostic.Code {
  /// A reverb zone has a number that is not finite or is negative, or a shape without points, and has no effect.
  public static let zoneIgnored = Diagnostic.Code(name: "zoneIgnored")

  /// The context has no effect left for a reverb zone, or its library has none.
  public static let zonesUnavailable = Diagnostic.Code(name: "zonesUnavailable")

  /// The output grants a source less than the two sends of the reverb zones.
  public static let zonesLimited = Diagnostic.Code(name: "zonesLimited")

  /// A portal has a number that is not finite, or leads to a zone that does not exist or to its own, and has no effect.
  public static let portalIgnored = Diagnostic.Code(name: "portalIgnored")

  /// A portal lies far outside of a zone that it opens; sounds come from its position all the same.
  public static let portalFarFromZone = Diagnostic.Code(name: "portalFarFromZone")

  /// The answer to an occlusion ray is no level of 0 dB or below, and is left out.
  public static let wrongRayAnswer = Diagnostic.Code(name: "wrongRayAnswer")

  /// The context of a world has a reverb, which no emitter and no player feeds.
  public static let contextReverbUnused = Diagnostic.Code(name: "contextReverbUnused")
}

extension Diagnostic {
  static func zoneIgnored(_ index: Int, _ name: String, _ property: String, _ value: String, isKept: Bool) -> Diagnostic
  {
    let zone = "reverb zone \(index)\(name.isEmpty ? "" : " (\(name))")"
    return Diagnostic(
      code: .zoneIgnored,
      message:
        "The \(property) of \(zone) was set to \(value). \(isKept ? "It keeps the old one" : "The zone is silent"):"
        + " numbers must be finite, and a radius, a size and a fade not negative. This is reported once for each zone."
    )
  }

  static func zonesUnavailable(_ reason: String) -> Diagnostic {
    Diagnostic(
      code: .zonesUnavailable,
      message: "A reverb zone is silent: \(reason) Release effect units that are not in use, and set the zones again."
    )
  }

  static func zonesLimited(_ limit: Int) -> Diagnostic {
    Diagnostic(
      code: .zonesLimited,
      message: "The output grants a source \(limit) sends to effects, and the reverb zones of a world use two:"
        + " \(limit == 0 ? "no zone sounds" : "each sound feeds the louder zone alone")."
        + " Ask for more with OutputSettings.auxiliarySendLimit. This is reported once."
    )
  }

  static func portalIgnored(_ index: Int, _ name: String, _ property: String, _ value: String, isKept: Bool)
    -> Diagnostic
  {
    Diagnostic(
      code: .portalIgnored,
      message: "The \(property) of portal \(index) (\(name)) was set to \(value)."
        + " \(isKept ? "It keeps the old one" : "No sound comes through it"): numbers must be finite."
        + " This is reported once for each portal."
    )
  }

  static func portalInOneRoom(_ index: Int, _ zone: String?) -> Diagnostic {
    Diagnostic(
      code: .portalIgnored,
      message:
        "Portal \(index) leads from \(zone.map { "the zone \"\($0)\"" } ?? "the outdoors") to itself, and no sound"
        + " comes through it. Give it two different zones, or one and nil."
    )
  }

  static func portalToUnknownZone(_ index: Int, _ name: String, known: [String]) -> Diagnostic {
    let names = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", …" : "")
    let zones =
      switch known.count {
      case 0: "no zone has a name"
      case 1: "the only zone is \(names)"
      default: "the zones are \(names)"
      }
    return Diagnostic(
      code: .portalIgnored,
      message:
        "Portal \(index) leads to the zone \"\(name)\"; \(zones). No sound comes through it: correct the name, or set"
        + " the zones before the portals."
    )
  }

  static func portalFarFromZone(_ index: Int, _ portal: String, _ distance: Float, _ zone: String) -> Diagnostic {
    Diagnostic(
      code: .portalFarFromZone,
      message: "Portal \(index) (\(portal)) lies \((distance * 10).rounded() / 10) m outside of the zone \(zone)."
        + " Sounds come from its place all the same: move it into the opening, or correct the shape of the zone."
        + " This is reported once for each zone of a portal."
    )
  }

  static var wrongRayAnswer: Diagnostic {
    Diagnostic(
      code: .wrongRayAnswer,
      message: "An occlusion ray was answered with a level that is no number or above 0 dB. The emitter keeps its last"
        + " answer. Return .clear, .wall or .obstacle with a level of 0 dB or below. Further ones are not reported."
    )
  }

  static var contextReverbUnused: Diagnostic {
    Diagnostic(
      code: .contextReverbUnused,
      message:
        "AudioContext.reverb is set, but the emitters and players of the context's world do not feed it: only the"
        + " game's own sources do. Put a reverb zone with a low priority around the whole scene into world.zones, or use"
        + " a send of a bus. This is reported once."
    )
  }
}
