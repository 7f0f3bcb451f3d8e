internal import PCM
internal import Spatial3D

/// A call for the sources of a world, made under its lock and carried out without it.
enum VoiceCommand: Sendable {
  /// Plays a sound in memory.
  case start(Int, VoiceStart)
  /// Opens a stream, and plays it.
  case open(Int, VoiceStart, VoiceKey)
  case set(Int, VoiceValues, VoiceValues.Changes)
  case setSends(Int, [VoiceSend])
  case setLooping(Int, Bool)
  case stop(Int)
  /// Reads the place of a source that falls silent, for its emitter.
  case adopt(Int, Emitter.ID)
  /// Asks whether a source has stopped by itself.
  case poll(Int, VoiceKey)
  /// Plays a source on that the device has paused.
  case revive(Int)
  case listener(Listener)
}

/// One use of a voice.
struct VoiceKey: Hashable, Sendable {
  let voice: Int
  /// The position in the order of all uses.
  let use: Int
}

/// The sound and the beginning of a voice.
struct VoiceStart: Sendable {
  var sound: LoadedSound
  var values: VoiceValues
  var sends: [VoiceSend]
  /// The frame of the sound, with a fraction.
  var place: Double
  var isLooping: Bool
  /// The number of times that the whole sound is queued; 1 for a sound that the library repeats.
  var copies = 1
  /// The clock of a start that lies ahead.
  var moment: Duration?

  /// The place as a time in the sound.
  var time: Duration {
    let whole = place.rounded(.down)
    let rate = max(sound.sampleRate, 1)
    return PCMFormat.mono(sampleRate: rate).duration(ofFrames: Int(min(whole, 0x1p52)))
      + .seconds((place - whole) / Double(rate))
  }
}

/// A source of the pool.
struct Voice: Sendable {
  enum State: Sendable, Equatable {
    case free
    /// Its stream is being opened.
    case opening
    case sounding
    /// Its gain is zero since a frame of the mix, and it will be stopped.
    case fading(since: Int)
    /// It was stopped at a frame, and is free from the next mix on.
    case stopped(at: Int)
    /// It plays the last frames of a sound that is over.
    case draining
  }

  var state = State.free
  /// The emitter; -1 for none.
  var slot = -1
  var use = 0
  /// The values that the source has.
  var values = VoiceValues()
  var isLooping = false
  /// The sound that the source holds.
  var sound: ObjectIdentifier?
  var isStream = false

  /// Whether an emitter has the voice.
  var isTaken: Bool { state == .sounding || state == .opening }
}
