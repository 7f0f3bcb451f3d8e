public import Spatial3D

extension WorldSnapshot {
  /// A reverb zone.
  public struct Zone: Hashable, Sendable, Codable {
    /// The name; `nil` for a zone without one.
    public var name: String?
    /// The space in which the zone has its whole weight.
    public var shape: ReverbZone.Shape
    /// The reverb.
    public var reverb: Reverb
    /// The distance from the shape over which the weight falls to 0, in metres; `nil` for 3.
    public var fade: Float?
    /// The rank among zones that overlap; `nil` for 0.
    public var priority: Int?
    /// The largest of the weights at the listeners: 1 inside of the shape; `nil` for 0.
    public var weight: Float?
    /// The level at which the zone sounds; `nil` for a zone that does not sound, or that only rings out.
    ///
    /// Zones with an equal reverb that sound have one level together.
    public var level: Decibels?
  }

  /// The path of a sound to a listener in another room.
  public struct Path: Hashable, Sendable, Codable {
    /// The index in ``WorldSnapshot/portals`` of the opening from which the sound comes; `nil` for a path through
    /// walls.
    public var portal: Int?
    /// The length of the path, in metres.
    public var length: Float
    /// The attenuation by openings that are not quite open, or by the walls; `nil` for none.
    public var muffling: Decibels?
  }

  /// The occlusion and the obstruction of an emitter that the answers to rays have in force now.
  public struct Rays: Hashable, Sendable, Codable {
    /// The attenuation of all paths; `nil` for none.
    public var occlusion: Decibels?
    /// The attenuation of the direct path; `nil` for none.
    public var obstruction: Decibels?
  }

  /// The name of a zone of this snapshot, or the index for a zone without a name and for an index without a zone.
  public func name(ofZone index: Int) -> String {
    zones.indices.contains(index) ? zones[index].name ?? "\(index)" : "\(index)"
  }

  /// The path of an emitter in words, such as `portal hall–cell`; `nil` for a straight path.
  public func words(for path: Path?) -> String? {
    guard let path else { return nil }
    guard let portal = path.portal else { return "wall between the rooms" }
    return portals.indices.contains(portal) ? "portal \(portals[portal].name)" : "portal"
  }
}

extension WorldSnapshot {
  private enum CodingKeys: String, CodingKey {
    case time, sampleRate, seed, voiceLimit, suspensions, listeners, zones, portals, wallOcclusion
    case emitters, players, buses, clocks, loudnessTarget, limiter
  }

  /// Decodes a snapshot; absent zones, portals, occlusion of walls and last stages get the values of a world without
  /// them.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    try self.init(
      time: values.decode(Double.self, forKey: .time),
      sampleRate: values.decode(Int.self, forKey: .sampleRate),
      seed: values.decode(UInt64.self, forKey: .seed),
      voiceLimit: values.decode(Int.self, forKey: .voiceLimit),
      suspensions: values.decode([String].self, forKey: .suspensions),
      listeners: values.decode([Listener].self, forKey: .listeners),
      zones: values.decodeIfPresent([Zone].self, forKey: .zones) ?? [],
      portals: values.decodeIfPresent([Portal].self, forKey: .portals) ?? [],
      wallOcclusion: values.decodeIfPresent(Decibels.self, forKey: .wallOcclusion),
      emitters: values.decode([Emitter].self, forKey: .emitters),
      players: values.decode([Player].self, forKey: .players),
      buses: values.decode([Bus].self, forKey: .buses),
      clocks: values.decode([Clock].self, forKey: .clocks),
      loudnessTarget: values.decodeIfPresent(Insert.Leveler.self, forKey: .loudnessTarget),
      limiter: values.decodeIfPresent(Insert.Limiter.self, forKey: .limiter)
    )
  }

  /// Encodes a snapshot; a world without zones, portals and last stages has none of their names.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(time, forKey: .time)
    try values.encode(sampleRate, forKey: .sampleRate)
    try values.encode(seed, forKey: .seed)
    try values.encode(voiceLimit, forKey: .voiceLimit)
    try values.encode(suspensions, forKey: .suspensions)
    try values.encode(listeners, forKey: .listeners)
    if !zones.isEmpty { try values.encode(zones, forKey: .zones) }
    if !portals.isEmpty { try values.encode(portals, forKey: .portals) }
    try values.encodeIfPresent(wallOcclusion, forKey: .wallOcclusion)
    try values.encode(emitters, forKey: .emitters)
    try values.encode(players, forKey: .players)
    try values.encode(buses, forKey: .buses)
    try values.encode(clocks, forKey: .clocks)
    try values.encodeIfPresent(loudnessTarget, forKey: .loudnessTarget)
    try values.encodeIfPresent(limiter, forKey: .limiter)
  }
}
