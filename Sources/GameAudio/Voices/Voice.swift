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
  /// The emitter that has the voice.
  var slot: EmitterSlot?
  var use = 0
  /// The values that the source has.
  var values = VoiceValues()
  /// The update of the totals of the buses at which the source had all values of its emitter.
  ///
  /// From then on, only the position and changes of the emitter or of the buses lead to other values. `nil` while the
  /// values differ, and for values that depend on more, such as the distance to the listener.
  var settledUpdate: Int?
  var isLooping = false
  /// The sound that the source holds.
  var sound: ObjectIdentifier?
  var isStream = false
  /// The stem in which the source plays.
  var stem = StemIndex.main
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
  /// The number of underruns of its stream.
  var underrunCount = 0
  /// The frame at which the last underrun was found, or at which a sound in memory began that may be late; `nil` if no
  /// delay is left.
  var lateSince: Int?

  /// The part of a voice.
  enum Role: Sendable {
    /// It plays what its emitter plays.
    case plain
    /// It is opened to be played later.
    case prepared
    /// It plays the same as another voice, silently, and will replace it.
    case standby
    /// It plays what follows, from a frame on.
    case upcoming
  }

  /// The method by which a voice falls silent.
  enum Silencing: Sendable { case fades, cuts, drains }

  /// Whether an emitter has the voice.
  var isTaken: Bool {
    switch state {
    case .sounding, .opening, .resting: true
    case .free, .silencing, .silenced, .fading, .stopped, .draining: false
    }
  }

  /// Whether a tick has to collect the voice: most play sounds in memory, and need nothing.
  func needsCollection(revives: Bool) -> Bool {
    switch state {
    case .free, .resting, .silencing, .silenced: false
    case .sounding: revives || isStream || lateSince != nil
    case .opening: revives
    case .fading, .stopped, .draining: true
    }
  }

  /// Whether the voice has begun, and not silently.
  func isAudible(at frame: Int) -> Bool { role == .plain || role == .upcoming && begin <= frame }
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
