internal import Spatial3D

// The voices of a player beside its present voice, and the decisions about them.

extension Playlist {
  /// A timeline that is to begin at a frame of the mix, with the voice that waits for it.
  struct Upcoming: Sendable {
    let timeline: SharedTimeline
    let loaded: LoadedSound
    /// The sound that replaces the playlist; `nil` for the next sound of the playlist.
    let entry: Entry?
    /// The frame of the mix.
    var begin: Int
    /// The voice; `nil` where none was free.
    var voice: VoiceKey?
  }

  /// The timeline that the present voice plays until a voice of another timeline takes over.
  struct Previous: Sendable {
    let timeline: SharedTimeline
    /// The position on it, less the position on the player's timeline.
    let offset: Int
  }

  /// Another reader of the present timeline, with a copy of the timeline and a voice.
  struct ReplacementReader: Sendable {
    let timeline: SharedTimeline
    let loaded: LoadedSound
    let voice: VoiceKey
  }

  /// A voice that plays silently until it takes over from the present voice, with the same frames.
  enum Replacement: Sendable {
    /// The voice plays the timeline of the player, which has changed. The present voice plays the previous timeline.
    case timeline(VoiceKey)
    /// The voice plays the present timeline with another reader.
    case reader(ReplacementReader)

    var voice: VoiceKey {
      switch self {
      case .timeline(let key): key
      case .reader(let reader): reader.voice
      }
    }
  }

  /// Kinds of voices that a player has beside its present voice.
  struct AdditionalVoices: OptionSet, Sendable {
    let rawValue: UInt8

    /// The voice of the upcoming timeline.
    static let upcoming = AdditionalVoices(rawValue: 1 << 0)
    /// The replacement with another reader.
    static let reader = AdditionalVoices(rawValue: 1 << 1)
    /// The replacement with the changed timeline.
    static let timeline = AdditionalVoices(rawValue: 1 << 2)
  }

  /// A voice that a player gives up.
  struct LostVoice: Hashable, Sendable {
    let key: VoiceKey
    let isAudible: Bool
  }

  /// The other reader of the present timeline; `nil` for none.
  var replacementReader: ReplacementReader? { if case .reader(let reader)? = replacement { reader } else { nil } }

  /// Whether the next timeline of the playlist is prepared, and no sound that replaces the playlist.
  var isNextPrepared: Bool { upcoming.map { $0.entry == nil } ?? false }

  /// Removes additional voices, and releases their timelines; returns the voices to give up.
  mutating func removeVoices(_ kinds: AdditionalVoices, at now: Int) -> [LostVoice] {
    var lost: [LostVoice] = []
    if kinds.contains(.upcoming), let upcoming {
      if let entry = upcoming.entry { release(entry.sound) }
      // The tick that switches to a sound may not have come: its voice is audible.
      if let key = upcoming.voice { lost.append(LostVoice(key: key, isAudible: upcoming.begin < now)) }
      self.upcoming = nil
    }
    switch replacement {
    case .reader(let reader) where kinds.contains(.reader):
      release(reader.loaded)
      release(reader.timeline)
      lost.append(LostVoice(key: reader.voice, isAudible: false))
      replacement = nil
    case .timeline(let key) where kinds.contains(.timeline):
      lost.append(LostVoice(key: key, isAudible: false))
      replacement = nil
    case .reader, .timeline, nil: break
    }
    return lost
  }

  /// Removes a voice whose stream could not be opened.
  mutating func removeFailedVoice(_ key: VoiceKey) {
    if case .timeline(key)? = replacement { replacement = nil }
    if upcoming?.voice == key { upcoming?.voice = nil }
  }

  /// Removes the timeline of a voice that another voice has replaced.
  mutating func removePrevious() {
    if let previous { release(previous.timeline) }
    previous = nil
  }

  /// Lets a voice replace the present voice, which plays an old timeline: the position is larger there by an offset.
  mutating func beginReplacement(by key: VoiceKey, after old: SharedTimeline, offset: Int) {
    replacement = .timeline(key)
    previous = Previous(timeline: previous?.timeline ?? old, offset: (previous?.offset ?? 0) + offset)
  }

  /// Ends the replacement by its voice, with the timeline of another reader; returns the replacement.
  mutating func finishReplacement() -> Replacement? {
    guard let replacement else { return nil }
    if case .reader(let reader) = replacement { use(reader) }
    removePrevious()
    self.replacement = nil
    return replacement
  }
}

// MARK: - Another reader

extension Playlist {
  /// The milliseconds ahead of the start of another reader on an output: the present voice plays meanwhile.
  ///
  /// Chosen: ``VoiceStart/streamLead``, and 90 ms for the first read and seek of a file. A reader that needs longer is
  /// refused as late, and the next reader is opened a second later.
  static let readerLead = 150
  /// The milliseconds that a voice may be late without a slow reader, where starts are exact.
  ///
  /// Chosen: far more than the clocks round, and far less than a mix of 21 ms, by which a slow reader is late.
  static let largestDelay = 2

  /// Whether another reader may replace the present reader at a position: it needs a number of frames for that.
  func mayReplaceReader(at now: Int, position: Int, needing frames: Int) -> Bool {
    guard let earliestReader, earliestReader <= now, replacement == nil, upcoming == nil else { return false }
    // The present voice plays the end of its timeline.
    return (timeline.read(\.length) ?? .max) - position >= frames
  }

  /// The reason for which another reader cannot replace the present reader.
  enum ReaderFault: Hashable, Sendable {
    /// The reader could not be opened, or has failed where the present reader has not, with the problems as sentences.
    case failed([String])
    /// The timeline of the reader has another frame at the position.
    case differs
    /// The voice of the reader does not play at the position of the clock.
    case late
  }

  /// The fault of another reader at a position; `nil` for none.
  func fault(of reader: ReplacementReader, at position: Int) -> ReaderFault? {
    let known = Set(timeline.problems.map(\.position))
    let problems = reader.timeline.problems.filter { !known.contains($0.position) }
    guard problems.isEmpty else { return .failed(problems.map(\.sentence)) }
    // The present reader has found the end of a sound since the copy. A later copy has the end.
    return reader.timeline.copy.hasSameSound(as: timeline.copy, at: position) ? nil : .differs
  }

  /// Whether a source is too far from the clock at a frame of the mix; `nil` stands for a source that has stopped.
  static func isLate(_ position: Double?, behind clock: LogicalClock, at frame: Int, allowing frames: Int) -> Bool {
    guard let position else { return true }
    // One frame is for rounding.
    return abs(position - clock.position(at: frame)) > clock.step * Double(frames) + 1
  }

  /// Delays the next reader after a fault: by a second, and for ever after a failure.
  mutating func delayReader(after fault: ReaderFault, at now: Int, sampleRate: Int) {
    earliestReader = if case .failed = fault { nil } else { now + sampleRate }
  }

  /// The work of a tick for a replacement.
  enum ReplacementStep: Hashable, Sendable {
    /// The player has no replacement voice, or no mix has rendered the voice yet.
    case wait
    /// The voice takes over, or is gone.
    case takeOver
    /// The position of the voice is to be compared with the clock.
    case compare(VoiceKey)
    /// The reader could not be opened.
    case refuse
  }

  /// The work for the replacement, whose voice the player may have lost, or may have mixed silently for a tick.
  func replacementStep(isTaken: Bool, isMixed: Bool) -> ReplacementStep {
    switch replacement {
    case .timeline: isMixed || !isTaken ? .takeOver : .wait
    case .reader(let reader): !isTaken ? .refuse : isMixed ? .compare(reader.voice) : .wait
    case nil: .wait
    }
  }
}
