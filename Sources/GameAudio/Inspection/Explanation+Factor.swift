public import Spatial3D

extension Explanation {
  /// One of the factors that make up the level.
  public struct Factor: Hashable, Sendable {
    /// The cause of the change, with its values.
    public let kind: Kind
    /// The change of the level.
    public let level: Decibels

    /// The causes that change the level of an emitter or of a player.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
      /// The gain of the emitter, or the volume of the player.
      case gain
      /// The level that the play has drawn from ``Sound/levelVariation``.
      case variation
      /// The fade-in or the fade-out of the sound.
      case fade
      /// The loudness of copies that began together, by ``Sound/loudnessOfMany``.
      case copies
      /// The gain of a bus.
      case bus(BusName)
      /// The ducking of a bus under the named buses.
      case ducking(BusName, under: [BusName])
      /// The mute of a bus.
      case mute(BusName)
      /// The pause of a bus.
      case pause(BusName)
      /// The silence of a bus while another program plays, by ``Bus/mutesWithOtherAudio``.
      case otherAudio(BusName)
      /// The solo of another bus.
      case solo
      /// The gain of the listener; its index in ``AudioWorld/listeners``, and `nil` in a world with one listener.
      case listener(index: Int?)
      /// The attenuation by the length of the path, in metres, and the portal from which the sound comes; `nil` for
      /// none.
      case attenuation(distance: Float, through: Portal?)
      /// The end of the reach: ``Sound/silentBeyond``.
      case reach
      /// The cone of the emitter.
      case cone
      /// The occlusion that the game has set.
      case occlusion
      /// The obstruction that the game has set.
      case obstruction
      /// The occlusion by the rays of ``AudioWorld/castRays(limit:_:)``.
      case occlusionByRays
      /// The obstruction by the rays of ``AudioWorld/castRays(limit:_:)``.
      case obstructionByRays
      /// The occlusion by the portals of the path, of which this portal is the nearest to the listener.
      case portal(Portal)
      /// The wall between the rooms, by ``AudioWorld/wallOcclusion``.
      case wall
      /// The filters of the buses.
      case filters
      /// The level of the sound itself at its present position.
      case sound
      /// The share that goes to a reverb zone; its name, which may be empty, and its index in ``AudioWorld/zones``.
      case zone(name: String, index: Int)
      /// The share that goes to the reverb of a zone that was removed, which rings out.
      case removedZone
    }
  }
}

extension Explanation.Factor: CustomStringConvertible {
  /// The kind and the level, such as `attenuation at 12.0 m -21.6 dB`.
  public var description: String { "\(kind) \(level.rounded)" }
}

extension Explanation.Factor.Kind: CustomStringConvertible {
  /// The cause in words, such as `attenuation at 16.2 m through portal hall–cell`.
  ///
  /// The distance is rounded to a tenth.
  public var description: String {
    switch self {
    case .gain: "gain"
    case .variation: "variation"
    case .fade: "fade"
    case .copies: "copies that began together"
    case .bus(let bus): "bus \(bus)"
    case .ducking(let bus, let triggers): "\(bus) ducks under \(triggers.map(\.name).joined(separator: ", "))"
    case .mute(let bus): "mute of \(bus)"
    case .pause(let bus): "pause of \(bus)"
    case .otherAudio(let bus): "\(bus) gives way to other audio"
    case .solo: "solo of another bus"
    case .listener(let index): index.map { "listener \($0 + 1)" } ?? "listener"
    case .attenuation(let distance, let portal):
      "attenuation at \((distance * 10).rounded() / 10) m" + (portal.map { " through portal \($0.name)" } ?? "")
    case .reach: "end of its reach"
    case .cone: "cone"
    case .occlusion: "occlusion"
    case .obstruction: "obstruction"
    case .occlusionByRays: "occlusion by rays"
    case .obstructionByRays: "obstruction by rays"
    case .portal(let portal): "portal \(portal.name)"
    case .wall: "wall between the rooms"
    case .filters: "filters of the buses"
    case .sound: "the sound itself"
    case .zone(let name, let index): "zone \(name.isEmpty ? "\(index)" : name)"
    case .removedZone: "zone that was removed"
    }
  }
}
