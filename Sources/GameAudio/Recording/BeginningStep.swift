internal import Spatial3D

/// A step that makes the state of the beginning of a recording: a call, or values as they are stored.
enum BeginningStep: Sendable {
  case call(WorldCall)
  /// The zones and portals, with the units and the routes that they have.
  indirect case space(SpaceRecord)
  indirect case settingsOfBus(BusIndex, BusRecord)
  case duckers([Ducker])
  /// The settings of an emitter that does not play yet.
  indirect case settings(EmitterKey, EmitterSettings)
  indirect case fades(FadeRecord)
  /// What an emitter plays.
  indirect case playback(EmitterKey, EmitterPlayback)
  /// The answers to rays that a playback has.
  indirect case rays(EmitterKey, RayAnswer)
  indirect case random(seed: UInt64, RandomSequence)
}

/// The zones and the portals of the beginning of a recording.
struct SpaceRecord: Sendable {
  /// The zones without their effects.
  let zones: ZoneState
  let units: [Unit]
  /// The portals without the paths of emitters.
  let portals: PortalState

  /// A unit of the zones; the record does not keep the effect of the context.
  struct Unit: Sendable {
    /// The index in the pool.
    let index: Int
    /// The position in the order in which effects were made.
    let number: Int
    let firstFrame: Int
    let effect: Effect
    let gain: Gain
  }
}

/// The settings of an emitter at the beginning of a recording.
struct EmitterSettings: Sendable {
  let position: SIMD3<Float>
  let record: EmitterRecord
  /// The rare settings without the observers.
  let rare: RareSettings
  /// Whether the velocity comes from the positions.
  let derivesVelocity: Bool
}

/// The sound that an emitter plays at the beginning of a recording.
struct EmitterPlayback: Sendable {
  let record: EmitterRecord
  /// The position in the sound, in seconds.
  let place: Double
  /// The variation, by its index among the variations of the sound, and the factors that were drawn with it.
  let variation: Int?
  let gain: Float
  let pitch: Float
}

/// The fades of the beginning of a recording.
struct FadeRecord: Sendable {
  let ofBuses: [BusFades.Running]
  let ofEmitters: [(emitter: EmitterKey, fade: EmitterFades.Running)]
}
