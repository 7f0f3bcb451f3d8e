internal import Spatial3D

// The parts of a playlist that are over at a position, and the timeline that comes next.

extension Playlist {
  /// The laps and the problems before a position that were not reported.
  struct Progress: Sendable {
    fileprivate let laps: Int
    /// The laps that have begun since the last report; negative after the clock has gone back.
    let newLaps: Int
    let problems: [SharedTimeline.Problem]
    /// Whether the current sound is over.
    let isPassed: Bool

    var isEmpty: Bool { newLaps <= 0 && !isPassed && problems.isEmpty }

    /// The events for the observers of the player.
    var events: [PlayerEvent] {
      (newLaps > 0 ? [.looped(newLaps)] : []) + problems.map { .decodeError($0.sentence) }
    }
  }

  /// A position behind all sounds.
  static let end = Int.max / 2

  /// Takes the problems of the timeline up to a position; returns them with the other progress.
  func takeProgress(until position: Int) -> Progress {
    let laps = timeline.read { $0.laps(at: position) }
    return Progress(
      laps: laps,
      newLaps: laps - self.laps,
      problems: timeline.takeProblems(until: position),
      isPassed: index(at: position) > 0
    )
  }

  /// Stores the progress up to a position, and forgets the sounds that are over.
  mutating func finish(_ progress: Progress, at position: Int, hasReader: Bool) {
    // The clock may have gone back to the position of a late source.
    laps = max(laps, progress.laps)
    pass(position, hasReader: hasReader)
    hasFailed = hasFailed || !progress.problems.isEmpty
  }

  /// The timeline that is to be prepared.
  enum Plan: Sendable {
    /// The upcoming timeline is prepared, or there is none.
    case unchanged
    /// What was prepared does not begin any more, or begins later.
    case discard
    /// A timeline begins at a frame of the mix, with a scheduled sound; `nil` for the next sounds of the playlist.
    case begin(at: Int, with: Entry?)
  }

  /// The plan for the first scheduled sound and for the end of the timeline, up to a frame of the mix.
  ///
  /// The end is a frame of the mix; `nil` for a player that does not play.
  func plan(end: Int?, until last: Int) -> Plan {
    let first = scheduledSounds.first
    let end = end.flatMap { hasNextTimeline ? $0 : nil } ?? .max
    let begin = min(first?.begin ?? .max, end)
    guard begin != upcoming?.begin ?? .max else { return .unchanged }
    guard begin <= last else { return .discard }
    return .begin(at: begin, with: first.flatMap { $0.begin == begin ? $0.entry : nil })
  }

  /// Removes the first scheduled sound if its time has come; returns whether the sound is prepared.
  mutating func takeDueSound(at now: Int) -> (sound: ScheduledSound, isPrepared: Bool)? {
    guard let first = scheduledSounds.first, first.begin <= now else { return nil }
    scheduledSounds.removeFirst()
    return (first, upcoming?.entry?.id == first.entry.id)
  }

  /// Puts a scheduled sound behind the scheduled sounds that begin before it or with it.
  mutating func insert(_ sound: ScheduledSound) {
    let index = scheduledSounds.firstIndex { $0.begin > sound.begin } ?? scheduledSounds.count
    scheduledSounds.insert(sound, at: index)
  }

  /// Moves to a frame of the current sound; returns its position on a new timeline.
  mutating func seek(toFrame frame: Int) -> Int {
    position = rewind(toFrame: frame)
    return position
  }

  /// The frame of the current sound at a time before a position; `nil` for no frame before it.
  func frame(_ time: Duration, before position: Int) -> Int? {
    let count = current.sound.format.frameCount(in: max(time, .zero))
    return count > 0 ? max(frame(at: position) - count, 0) : nil
  }
}
