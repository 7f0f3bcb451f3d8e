/// The acoustics of a room: the parameters of a reverb.
///
/// Frequencies are in hertz. A value out of its range becomes the nearest in it.
///
/// The OpenAL counterpart is `AL_EFFECT_EAXREVERB`; the defaults are the values of `EFX_REVERB_PRESET_GENERIC`.
public struct RoomAcoustics: Hashable, Sendable {
  /// The density of the late reflections: low values sound hollow.
  ///
  /// Range: 0 to 1. Default: 1.
  public var density: Float = 1

  /// The speed at which echoes blur into each other: low values sound grainy.
  ///
  /// Range: 0 to 1. Default: 1.
  public var diffusion: Float = 1

  /// The gain of all of the reverb.
  ///
  /// Range: 0 to 1. Default: 0.3162, which is -10 dB.
  public var gain: Gain = 0.3162

  /// The gain of high frequencies on top.
  ///
  /// Range: 0 to 1. Default: 0.8913.
  public var highFrequencyGain: Gain = 0.8913

  /// The gain of low frequencies on top.
  ///
  /// Range: 0 to 1. Default: 1.
  public var lowFrequencyGain: Gain = 1

  /// The time in which middle frequencies fall by 60 dB.
  ///
  /// Range: 0.1 to 20 seconds. Default: 1.49 seconds.
  public var decayTime = Duration.milliseconds(1_490)

  /// The decay time of high frequencies, a factor of ``decayTime``.
  ///
  /// Range: 0.1 to 2. Default: 0.83.
  public var highFrequencyDecayRatio: Float = 0.83

  /// The decay time of low frequencies, a factor of ``decayTime``.
  ///
  /// Range: 0.1 to 2. Default: 1.
  public var lowFrequencyDecayRatio: Float = 1

  /// The gain of the first reflections.
  ///
  /// Range: 0 to 3.16. Default: 0.05.
  public var reflectionsGain: Gain = 0.05

  /// The delay from the sound to the first reflection.
  ///
  /// Range: 0 to 300 ms. Default: 7 ms.
  public var reflectionsDelay = Duration.milliseconds(7)

  /// The direction of the first reflections, with a length from 0, all around, to 1, one side only.
  ///
  /// Default: zero.
  ///
  /// In the listener's own directions, positive z forward.
  public var reflectionsPan: SIMD3<Float> = .zero

  /// The gain of the late reverb.
  ///
  /// Range: 0 to 10. Default: 1.2589.
  public var lateGain: Gain = 1.2589

  /// The delay from the first reflection to the late reverb.
  ///
  /// Range: 0 to 100 ms. Default: 11 ms.
  public var lateDelay = Duration.milliseconds(11)

  /// The direction of the late reverb, in the form of ``reflectionsPan``.
  ///
  /// Default: zero.
  public var latePan: SIMD3<Float> = .zero

  /// The time between distinct echoes.
  ///
  /// Range: 75 to 250 ms. Default: 250 ms.
  public var echoTime = Duration.milliseconds(250)

  /// The strength of distinct echoes.
  ///
  /// Range: 0, none, to 1. Default: 0.
  public var echoDepth: Float = 0

  /// The period of the pitch modulation.
  ///
  /// Range: 40 ms to 4 seconds. Default: 250 ms.
  public var modulationTime = Duration.milliseconds(250)

  /// The depth of the pitch modulation.
  ///
  /// Range: 0, not at all, to 1. Default: 0.
  public var modulationDepth: Float = 0

  /// The gain of high frequencies in air for each metre.
  ///
  /// Range: 0.892 to 1. Default: 0.9943.
  public var airAbsorptionGain: Gain = 0.9943

  /// The reference of high frequencies.
  ///
  /// Range: 1,000 to 20,000 hertz. Default: 5,000.
  public var highFrequencyReference: Float = 5_000

  /// The reference of low frequencies.
  ///
  /// Range: 20 to 1,000 hertz. Default: 250.
  public var lowFrequencyReference: Float = 250

  /// The steepness of the reverb's fading with distance, for all sources.
  ///
  /// Range: 0 to 10. Default: 0.
  ///
  /// A source adds its own ``SoundSource/roomRolloff``.
  public var roomRolloff: Float = 0

  /// Whether high frequencies decay at least as fast as the air alone would make them.
  ///
  /// Default: `true`.
  public var limitsHighFrequencyDecay = true

  /// The acoustics of a room of moderate size.
  public init() {}
}

extension RoomAcoustics: Clampable {
  var isFinite: Bool {
    let gains = [gain, highFrequencyGain, lowFrequencyGain, reflectionsGain, lateGain, airAbsorptionGain]
    return parameters.allSatisfy(\.isFinite) && gains.allSatisfy(\.isUsable)
  }

  var clamped: RoomAcoustics {
    var room = self
    for unit in [\Self.density, \.diffusion, \.echoDepth, \.modulationDepth] {
      room[keyPath: unit] = self[keyPath: unit].clamped(to: 0...1)
    }
    for gain in [\Self.gain, \.highFrequencyGain, \.lowFrequencyGain] {
      room[keyPath: gain] = self[keyPath: gain].clamped(to: .silence ... .unity)
    }
    for ratio in [\Self.highFrequencyDecayRatio, \.lowFrequencyDecayRatio] {
      room[keyPath: ratio] = self[keyPath: ratio].clamped(to: 0.1...2)
    }
    for pan in [\Self.reflectionsPan, \.latePan] {
      // Scaled first, because the square of a large number is infinite.
      let side = self[keyPath: pan]
      let scale = max(side.max(), -side.min(), 1)
      let square = ((side / scale) * (side / scale)).sum()
      // A length of 1, to the resolution of a `Float`, stays: a clamped room does not change again.
      if scale > 1 || square > 1 + 5e-7 { room[keyPath: pan] = side / scale / square.squareRoot() }
    }
    room.decayTime = decayTime.clamped(to: .milliseconds(100) ... .seconds(20))
    room.reflectionsGain = reflectionsGain.clamped(to: .silence...Self.largestReflectionsGain)
    room.reflectionsDelay = reflectionsDelay.clamped(to: .zero ... .milliseconds(300))
    room.lateGain = lateGain.clamped(to: .silence...Self.largestLateGain)
    room.lateDelay = lateDelay.clamped(to: .zero ... .milliseconds(100))
    room.echoTime = echoTime.clamped(to: .milliseconds(75) ... .milliseconds(250))
    room.modulationTime = modulationTime.clamped(to: .milliseconds(40) ... .seconds(4))
    room.airAbsorptionGain = airAbsorptionGain.clamped(to: Gain(0.892) ... .unity)
    room.highFrequencyReference = highFrequencyReference.clamped(to: 1_000...20_000)
    room.lowFrequencyReference = lowFrequencyReference.clamped(to: 20...1_000)
    room.roomRolloff = roomRolloff.clamped(to: 0...10)
    return room
  }

  static let largestReflectionsGain: Gain = 3.16
  static let largestLateGain: Gain = 10
}

extension RoomAcoustics {
  /// All parameters in OpenAL's order.
  var parameters: [Float] {
    [
      density, diffusion, gain.rawValue, highFrequencyGain.rawValue, lowFrequencyGain.rawValue, decayTime.inSeconds,
      highFrequencyDecayRatio, lowFrequencyDecayRatio, reflectionsGain.rawValue, reflectionsDelay.inSeconds,
      reflectionsPan.x, reflectionsPan.y, reflectionsPan.z, lateGain.rawValue, lateDelay.inSeconds, latePan.x,
      latePan.y,
      latePan.z, echoTime.inSeconds, echoDepth, modulationTime.inSeconds, modulationDepth, airAbsorptionGain.rawValue,
      highFrequencyReference, lowFrequencyReference, roomRolloff, limitsHighFrequencyDecay ? 1 : 0,
    ]
  }

  /// The acoustics of a row of all parameters in OpenAL's order.
  init(efxRow row: [Float]) {
    (density, diffusion, gain) = (row[0], row[1], Gain(row[2]))
    (highFrequencyGain, lowFrequencyGain) = (Gain(row[3]), Gain(row[4]))
    (decayTime, highFrequencyDecayRatio, lowFrequencyDecayRatio) = (Duration(inSeconds: row[5]), row[6], row[7])
    (reflectionsGain, reflectionsDelay) = (Gain(row[8]), Duration(inSeconds: row[9]))
    (lateGain, lateDelay) = (Gain(row[13]), Duration(inSeconds: row[14]))
    (reflectionsPan, latePan) = ([row[10], row[11], row[12]], [row[15], row[16], row[17]])
    (echoTime, echoDepth) = (Duration(inSeconds: row[18]), row[19])
    (modulationTime, modulationDepth) = (Duration(inSeconds: row[20]), row[21])
    (airAbsorptionGain, highFrequencyReference, lowFrequencyReference) = (Gain(row[22]), row[23], row[24])
    (roomRolloff, limitsHighFrequencyDecay) = (row[25], row[26] != 0)
  }
}
