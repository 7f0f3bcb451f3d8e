internal import PCM
internal import Spatial3D

/// A call for the sources of a world, made under its lock and carried out without it.
enum VoiceCommand: Sendable {
  /// Plays a sound in memory, or a stream that is open.
  case start(VoiceIndex, VoiceStart)
  /// Opens a stream, and plays it.
  case open(VoiceIndex, VoiceStart, VoiceKey)
  case set(VoiceIndex, VoiceValues, VoiceValues.Changes)
  /// Sets the position alone.
  case move(VoiceIndex, SIMD3<Float>)
  case setSends(VoiceIndex, [VoiceSend])
  case setLooping(VoiceIndex, Bool)
  /// Sets the gain to zero, ahead of a stop.
  case silence(VoiceIndex)
  case stop(VoiceIndex)
  /// Takes the sound from a source that does not play.
  case empty(VoiceIndex)
  /// Plays a source that holds its sound, at a moment or now.
  case play(VoiceIndex, Duration?)
  /// Pauses a source that is silent.
  case pause(VoiceIndex, VoiceKey)
  /// Reads the playback position of a source that falls silent, for its emitter.
  case adopt(VoiceIndex, EmitterKey, LogicalClock)
  /// Reads the playback position of a source that may be late, for its emitter.
  case adoptDelay(VoiceIndex, VoiceKey)
  /// Reads the position of a source that replaces another source of a player.
  case checkReplacement(VoiceKey)
  /// Asks whether a source has stopped by itself, or a stream had an underrun.
  case poll(VoiceIndex, VoiceKey)
  /// Plays a source on that the device has paused.
  case revive(VoiceIndex)
  case listener(Listener)
  /// Changes the share of a source that goes to an effect.
  case feed(VoiceIndex, EffectUnit, Float)
  /// Ends the share of a source that goes to an effect.
  case endFeed(VoiceIndex, EffectUnit)
  /// Makes the effect of a zone, and releases it.
  case openZone(UnitIndex)
  case closeZone(UnitIndex)
  case setUnitGain(EffectUnit, Float)
  case setUnitReverb(EffectUnit, Reverb)
  /// Performs the change of a strip.
  case changeStrip(StemIndex)
  /// Moves the fader of a strip.
  case moveFader(StemIndex, Float)
  /// Adds the sums of the strips by another plan.
  case routeStems(StemPlan)

  /// The voice and the position of a move, without a copy of the command.
  @inline(__always)
  var move: (VoiceIndex, SIMD3<Float>)? {
    if case .move(let voice, let position) = self { (voice, position) } else { nil }
  }
}

/// The sound and the beginning of a voice.
struct VoiceStart: Sendable {
  /// The milliseconds ahead of the start of a stream on an output.
  ///
  /// Chosen: the start has to lie behind the mixes that the output is in and has planned, two to three of 21 ms.
  static let streamLead = 60

  var sound: LoadedSound
  /// The stem in which the voice plays.
  var stem = StemIndex.main
  var values: VoiceValues
  var sends: [VoiceSend]
  /// The frame of the sound, with a fraction.
  var place: Double
  var isLooping: Bool
  /// The number of times that the whole sound is queued; 1 for a sound that the library repeats.
  var copies = 1
  /// The clock of a start that lies ahead.
  var moment: Duration?
  /// Whether the source only holds the sound, and another command plays it.
  var isHeld = false

  /// The position as a time in the sound.
  var time: Duration {
    let whole = place.rounded(.down)
    let rate = max(sound.sampleRate, 1)
    return PCMFormat.mono(sampleRate: rate).duration(ofFrames: Int(min(whole, Double(Frames.last))))
      + .seconds((place - whole) / Double(rate))
  }
}
