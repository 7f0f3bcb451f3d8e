internal import Spatial3D

/// The effect of a change of a player's timeline on its reader.
enum TimelineChange: Sendable {
  /// The timeline is as before.
  case none
  /// The reader goes on with the changed timeline.
  case made
  /// The reader has passed the first frame that differs, and another reader would come too late: the timeline is as
  /// before.
  case late
  /// The reader has passed the first frame that differs: another reader plays the changed timeline, after this one.
  case reloaded(after: SharedTimeline)
}

extension Playlist {
  /// Changes the repetitions of the current sound, behind a position.
  ///
  /// Another reader needs a number of frames before the two timelines differ.
  mutating func setRepeats(_ repeats: Repeats, at position: Int, needing frames: Int) -> TimelineChange {
    changeCurrent { $0.repeats = repeats }
    let change = changeTimeline(at: position, needing: frames) { $0.setRepeats(repeats, at: position) }
    guard case .late = change else { return change }
    let timeline = timeline.copy
    guard let location = timeline.location(at: position) else { return .late }
    // The laps play as well that begin before another reader could play.
    let least: Repeats = .times(location.lap + timeline.laps(until: frames, behind: location))
    return changeAgain(at: position, needing: frames) { $0.setRepeats(least, at: position) }
  }

  /// Ends the loop of the current sound with its present lap, and removes what follows on the timeline.
  mutating func endLoop(at position: Int, needing frames: Int) -> TimelineChange {
    let change = changeTimeline(at: position, needing: frames) { $0.endWithLap(at: position) }
    guard case .late = change else { return change }
    // The next laps, or the next sounds, have been read: another reader would come too late for the end of this lap.
    // The first lap that ends late enough is the last one of its sound.
    let last = Frames.sum(position, max(frames - 1, 0))
    return changeAgain(at: position, needing: frames) { $0.endWithLap(at: last) }
  }

  /// Appends a sound, also to the timeline if the sound belongs there.
  ///
  /// The voice of the upcoming timeline begins the sound on the frame where the time is too short for another reader.
  mutating func append(_ entry: Entry, at position: Int, needing frames: Int) -> TimelineChange {
    guard append(entry) else { return .none }
    return changeTimeline(at: position, needing: frames, adding: entry) { $0.append(entry.piece) }
  }

  /// The effect of another loop range of the current sound.
  enum LoopRangeChange: Sendable {
    case unchanged
    /// The range has no frame of the sound, which has a number of frames.
    case ignored(frameCount: Int)
    /// Another voice plays the changed timeline from a position on, after the timeline of the present voice.
    case moved(to: Int, after: SharedTimeline)
  }

  /// Changes the loop range of the current sound, for a player at a position.
  mutating func setLoopRange(_ range: Range<Int>?, at position: Int) -> LoopRangeChange {
    guard range != current.loopRange else { return .unchanged }
    let length = current.sound.frameCount ?? .max
    if let range, range.clamped(to: 0..<length).isEmpty { return .ignored(frameCount: length) }
    let (old, frame) = (timeline, frame(at: position))
    changeCurrent { $0.loopRange = range }
    return .moved(to: seek(toFrame: frame), after: old)
  }

  /// Repeats a change that was late, in another form.
  private mutating func changeAgain(
    at position: Int,
    needing frames: Int,
    _ body: (inout PlaybackTimeline) -> Int?
  ) -> TimelineChange {
    let change = changeTimeline(at: position, needing: frames, body)
    if case .none = change { return .late }
    return change
  }

  /// Changes the timeline behind a position; the closure returns the first position that differs.
  private mutating func changeTimeline(
    at position: Int,
    needing frames: Int,
    adding entry: Entry? = nil,
    _ body: (inout PlaybackTimeline) -> Int?
  ) -> TimelineChange {
    switch timeline.change(adding: entry.map { ($0.id, $0.sound) }, body) {
    case .none: return .none
    case .made: return .made
    case .late: break
    }
    var changed = timeline.copy
    let divergence = body(&changed) ?? .max
    guard divergence - position >= frames else { return .late }
    let old = timeline
    reload(body)
    return .reloaded(after: old)
  }
}
