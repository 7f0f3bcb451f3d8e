// The waits of a player: for sounds that are being opened, and for the end of an interruption.

extension Playlist {
  /// The wait for a sound that is being opened, of a player whose playlist is over.
  enum Wait: Hashable, Sendable {
    case none
    /// The player plays the sound as soon as it is open.
    case playing
    /// The player was paused meanwhile: the sound waits for a play.
    case paused
  }

  /// A pause by an interruption that has not ended.
  enum Interruption: Hashable, Sendable {
    case none
    /// The end of the interruption may resume the player.
    case paused
    /// A call has changed the player since: the end of the interruption does not resume it.
    case overridden
  }

  /// Whether the playlist was over while a sound was being opened.
  var awaitsOpening: Bool { wait != .none }

  /// Whether the player plays as soon as a sound is opened.
  var isWaiting: Bool { wait == .playing }

  /// Pauses the wait for a sound, or resumes it.
  mutating func setWaitPaused(_ isPaused: Bool) { if awaitsOpening { wait = isPaused ? .paused : .playing } }

  /// A call has changed the player: the end of an interruption does not resume it.
  mutating func overrideInterruption() { if interruption == .paused { interruption = .overridden } }

  /// Stores the position at which the player has ended; at the end of the playlist, the player may wait for a sound.
  mutating func end(at position: Int, isOver: Bool) {
    self.position = isOver ? rewind(toFrame: 0) : position
    wait = isOver && openingCount > 0 ? .playing : .none
    silentSince = nil
    removePrevious()
  }
}

// MARK: - The opening of sounds

extension Playlist {
  /// The effect of a sound that was opened, or could not be.
  enum OpeningEffect: Hashable, Sendable {
    /// The sound takes its position in the playlist.
    case joins
    /// The player has waited for the sound, and plays it now, unless it is paused.
    case replaces(plays: Bool)
    /// The wait is over without a sound to play now.
    case endsWait(EmitterEvent.Reason)
  }

  /// A sound is being opened for the playlist.
  mutating func beginOpening() {
    overrideInterruption()
    openingCount += 1
  }

  /// A sound was opened, which has a moment or not, or could not be opened.
  mutating func finishOpening(hasMoment: Bool, hasFailed: Bool) -> OpeningEffect {
    openingCount = max(openingCount - 1, 0)
    if hasFailed { self.hasFailed = true }
    guard awaitsOpening else { return .joins }
    guard hasMoment || hasFailed else {
      defer { wait = .none }
      return .replaces(plays: isWaiting)
    }
    // The player waits on while another sound is being opened.
    guard openingCount == 0 else { return .joins }
    wait = .none
    return .endsWait(self.hasFailed ? .failed : .played)
  }
}
