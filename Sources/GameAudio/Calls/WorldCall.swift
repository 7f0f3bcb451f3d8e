internal import PCM
internal import Spatial3D

/// A call of the game that changes a world, as a value: the state applies it, and a recording keeps it.
///
/// Emitters and players are named by their identities, and buses by their indices. Moments are times of the mix. A call
/// that a setter makes often is small, and no case of it is indirect: nothing is allocated while nothing records. A
/// call is encodable if its sounds have paths. ``CallEffect`` is the unit of a send.
enum WorldCall: Sendable, Codable {
  case emitter(EmitterKey, EmitterCall)
  case player(EmitterKey, PlayerCall)
  case bus(BusIndex, BusCall)
  /// The program has released an emitter or a player.
  case release(EmitterKey)
  case move(MovedEmitters)
  indirect case makeBus(index: BusIndex, String, parent: BusIndex, isDirect: Bool)
  indirect case apply(MixSnapshot, Fade)
  indirect case listener(Listener)
  case listeners([Listener])
  case zones([ReverbZone])
  case portals([Portal])
  case wallOcclusion(Decibels)
  /// The answers of a call of ``AudioWorld/castRays(limit:_:)``, one for each emitter.
  case rays([EmitterRays])
  case seed(UInt64)
  case streamLimit(Int)
  case rateConversion(Bool)
  case openUpdate
  case closeUpdate
  indirect case playTogether([EmitterKey], at: Duration)
  case keepSamples(bank: Int)
  case pausePlayers
  case beginInterruption(isStanding: Bool)
  case endInterruption(shouldResume: Bool, rewind: Duration?)
  case otherAudio(isPlaying: Bool)
  indirect case limiter(Insert.Limiter?)
  indirect case loudnessTarget(Insert.Leveler?)
}

/// A call of an emitter.
enum EmitterCall: Sendable, Codable {
  /// ``WorldState/makeEmitter(_:isPlaced:isOnce:bus:)`` records it, and returns the identity.
  indirect case make(Sound, isPlaced: Bool, bus: BusIndex, isOnce: Bool)
  case follow(EmitterKey)
  case play(at: Duration?)
  case stop(Fade)
  case pause(Fade)
  case fade(Gain, Fade)
  case seek(Duration)
  case position(SIMD3<Float>)
  case velocity(SIMD3<Float>)
  case derivesVelocity(Bool)
  case gain(Gain)
  case pitch(Float)
  case priority(Priority)
  case repeats(Repeats)
  case behavior(VirtualBehavior)
  case direction(SIMD3<Float>)
  indirect case cone(Cone)
  case radius(Float)
  case occlusion(Decibels)
  case obstruction(Decibels)
  case bus(BusIndex)
  indirect case send(CallEffect, Gain?, Fade)
}

/// A call of a player.
enum PlayerCall: Sendable, Codable {
  /// ``WorldState/makePlayer(_:_:bus:)`` records it, and returns the identity.
  indirect case make(Sound, bus: BusIndex)
  case play(at: Duration?)
  case pause
  case stop
  case prepare
  case crossfade(to: EmitterKey, Fade)
  /// One half of a crossfade between players of two worlds.
  case fadeOut(Fade)
  case fadeIn(Fade)
  case fade(Gain, Fade)
  case seek(Duration)
  indirect case schedule(Sound, PlaylistPosition, Repeats)
  case volume(Gain)
  case pan(Float)
  case pitch(Float)
  case repeats(Repeats)
  case loopRange(Range<Int>?)
  case priority(Priority)
  case bus(BusIndex)
}

/// A call of a bus.
enum BusCall: Sendable, Codable {
  case gain(Gain)
  case fade(Gain, Fade)
  case pitch(Float)
  indirect case filter(ToneFilter)
  case mute(Bool)
  case solo(Bool)
  indirect case limit(PlaybackLimit?)
  case pause(Fade)
  case resume(Fade)
  indirect case send(CallEffect, Gain?, Fade)
  indirect case duck(under: BusIndex, Ducking?)
  case mutesWithOtherAudio(Bool)
  indirect case inserts([Insert], Fade)
  /// A meter, a tap or a recording has asked for the sum of the bus.
  case process
}

/// The position of a sound in the playlist of a player, as ``SoundPlayer/SchedulePosition``.
enum PlaylistPosition: Sendable, Codable {
  case afterQueue, now, atLoopEnd
  case at(Duration)
}

/// The mean of the answers to the rays of one emitter, in decibels.
struct EmitterRays: Sendable, Codable {
  let subject: EmitterKey
  let occlusion: Float
  let obstruction: Float
}
