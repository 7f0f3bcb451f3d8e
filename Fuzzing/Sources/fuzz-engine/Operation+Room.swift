import FuzzSupport
import Spatial3D

/// The room of a context.
extension Operation {
  static let room = [
    Operation("context.reverb", 6) { caller in
      guard let context = caller.context() else { return }
      let reverb = caller.values.chance(0.2) ? nil : caller.values.reverb()
      caller.call("reverb = \(reverb.map { "\($0)" } ?? "nil")") { context.reverb = reverb }
      if caller.isExact, reverb == nil { caller.require(context.reverb == nil, "a reverb that stays") }
    },
    Operation("context.reverb.level", 3) { caller in
      guard let context = caller.context(), var reverb = context.reverb else { return }
      reverb.level = caller.values.level(-40...40)
      caller.call("reverb level = \(reverb.level)") { context.reverb = reverb }
      let level = context.reverb?.level ?? 0
      caller.require((-40...40).contains(level.rawValue), "a reverb level of \(level)")
    },
    Operation("reverbResolution", 1) { caller in
      guard let context = caller.context() else { return }
      _ = caller.call("reverbResolution?") { context.reverbResolution }
    },
  ]
}

extension Values {
  /// A room of one of the three kinds, with or without an equaliser.
  mutating func reverb() -> Reverb {
    let level = level(-40...40)
    let equalizer =
      chance(0.5)
      ? nil
      : ParametricEqualizer(
        frequency: number(10...20_000),
        bandwidth: number(0.05...4),
        level: Decibels(number(-18...18))
      )
    switch int(0...(hasOwnRooms ? 2 : 1)) {
    case 0: return Reverb(element(of: RoomPreset.allCases), level: level, equalizer: equalizer)
    case 1: return Reverb(efx: element(of: EFXPreset.allCases), level: level, equalizer: equalizer)
    default: return Reverb(room: acoustics(), level: level, equalizer: equalizer)
    }
  }

  /// A room of its own: some parameters of another, all others at random, their bounds included.
  mutating func acoustics() -> RoomAcoustics {
    var room = chance(0.5) ? RoomAcoustics() : RoomAcoustics(element(of: EFXPreset.allCases))
    let share = element(of: [0.1, 0.5, 1])
    let units: [WritableKeyPath<RoomAcoustics, Float>] = [
      \.density, \.diffusion, \.gain.rawValue, \.highFrequencyGain.rawValue, \.lowFrequencyGain.rawValue, \.echoDepth,
      \.modulationDepth,
    ]
    for unit in units where chance(share) { room[keyPath: unit] = number(0...1) }
    if chance(share) { room.highFrequencyDecayRatio = number(0.1...2) }
    if chance(share) { room.lowFrequencyDecayRatio = number(0.1...2) }
    if chance(share) { room.reflectionsGain = gain(0...3.16) }
    if chance(share) { room.lateGain = gain(0...10) }
    if chance(share) { room.reflectionsPan = vector(1) }
    if chance(share) { room.latePan = vector(1) }
    if chance(share) { room.airAbsorptionGain = gain(0.892...1) }
    if chance(share) { room.highFrequencyReference = number(1_000...20_000) }
    if chance(share) { room.lowFrequencyReference = number(20...1_000) }
    if chance(share) { room.roomRolloff = number(0...10) }
    if chance(share) { room.decayTime = chance(0.5) ? duration(upTo: 1_500) : duration(upTo: 25_000) }
    if chance(share) { room.reflectionsDelay = duration(upTo: 320) }
    if chance(share) { room.lateDelay = duration(upTo: 110) }
    if chance(share) { room.echoTime = duration(upTo: 260) }
    if chance(share) { room.modulationTime = duration(upTo: 4_200) }
    room.limitsHighFrequencyDecay = chance(0.5)
    return room
  }
}
