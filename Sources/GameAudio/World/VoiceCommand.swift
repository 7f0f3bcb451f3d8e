internal import PCM
internal import Spatial3D

/// A call for the sources of a world, made under its lock and carried out without it.
enum VoiceCommand: Sendable {
  /// Plays a sound in memory, or a stream that is open.
  case start(Int, VoiceStart)
  /// Opens a stream, and plays it.
  case open(Int, VoiceStart, VoiceKey)
  case set(Int, VoiceValues, VoiceValues.Changes)
  case setSends(Int, [VoiceSend])
  case setLooping(Int, Bool)
  /// Sets the gain to zero, ahead of a stop.
  case silence(Int)
  case stop(Int)
  /// Takes the sound from a source that does not play.
  case empty(Int)
  /// Plays a source that holds its sound, at a moment or now.
  case play(Int, Duration?)
  /// Pauses a source that is silent.
  case pause(Int, VoiceKey)
  /// Reads the playback position of a source that falls silent, for its emitter.
  case adopt(Int, Emitter.ID, LogicalClock)
  /// Reads the playback position of a stream that had an underrun, for its emitter.
  case adoptStream(Int, VoiceKey)
  /// Reads the position of a source that replaces another source of a player.
  case checkReplacement(VoiceKey)
  /// Asks whether a source has stopped by itself, or a stream had an underrun.
  case poll(Int, VoiceKey)
  /// Plays a source on that the device has paused.
  case revive(Int)
  case listener(Listener)
  /// Changes the share of a source that goes to an effect.
  case feed(Int, EffectUnit, Float)
  /// Ends the share of a source that goes to an effect.
  case endFeed(Int, EffectUnit)
  /// Makes the effect of a zone, and releases it.
  case openZone(UnitIndex)
  case closeZone(UnitIndex)
  case setUnitGain(EffectUnit, Float)
  case setUnitReverb(EffectUnit, Reverb)
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

/// A source of the pool.
struct Voice: Sendable {
  enum State: Sendable, Equatable {
    case free
    /// Its stream is being opened.
    case opening
    case sounding
    /// It holds the playback position of a player that is paused or prepared.
    case resting
    /// Its gain will be zero.
    case silencing
    /// Its gain was set to zero, and the mixer applies that at the end of a turn of carrying out commands.
    case silenced(turn: Int)
    /// Its gain is zero since a frame of the mix; the clock has gone on a number of times since then.
    case fading(since: Int, steps: Int)
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
  /// Whether the source is to give up its sound when it is free.
  var isStale = false
  /// The shares that go to zones.
  var feeds = VoiceFeeds()
  /// The part that it has for its player.
  var role = Role.plain
  /// The channels of the sound of a player.
  var channelCount = 0
  /// The frame of the mix at which it begins, for a role.
  var begin = 0
  /// The number of underruns of its stream, and the frame at which the last one was found; `nil` if none has left a
  /// delay.
  var underrunCount = 0
  var lateSince: Int?

  /// The part of a voice.
  enum Role: Sendable {
    /// It plays what its emitter plays.
    case plain
    /// It is opened to be played later.
    case prepared
    /// It plays the same as another voice, silently, and will replace it.
    case replacement
    /// It plays what follows, from a frame on.
    case upcoming
  }

  /// Whether an emitter has the voice.
  var isTaken: Bool { state == .sounding || state == .opening || state == .resting }
}

extension Voice: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    switch state {
    case .fading(let since, let steps): state = .fading(since: conversion.converted(since), steps: steps)
    case .stopped(let frame): state = .stopped(at: min(conversion.converted(frame), conversion.present))
    case .free, .opening, .sounding, .resting, .silencing, .silenced, .draining: break
    }
    conversion.convert(&begin)
    conversion.convert(&lateSince)
  }
}
