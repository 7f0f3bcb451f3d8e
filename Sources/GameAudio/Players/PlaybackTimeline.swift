/// The order in which a player's reader delivers the frames of its sounds: repetitions and sounds in a row.
///
/// Positions count the frames that are played, from the first sound on. A position is a frame of one piece, in one of
/// its laps. A change of the timeline leaves every position before its divergence as it was: a reader before that
/// position goes on. A timeline may forget the pieces at its beginning; the positions keep their meaning. Pure: no call
/// and no lock.
struct PlaybackTimeline: Hashable, Sendable {
  /// One sound, with its repetitions.
  struct Piece: Hashable, Sendable {
    let id: Int
    /// The frames of the sound; `Int.max` for a length that is not known.
    fileprivate(set) var frameCount: Int
    /// The frames that repeat; those before them play once ahead of them, those behind them once after the last lap.
    fileprivate(set) var loopRange: Range<Int>
    /// The number of repetitions; `Int.max` without an end.
    fileprivate(set) var repetitions: Int
    /// The repetitions of a sound that repeats as a whole, once its length is known.
    fileprivate var later: Int

    init(id: Int, frameCount: Int, loopRange: Range<Int>? = nil, repeats: Repeats = 0) {
      self.id = id
      self.frameCount = max(frameCount, 0)
      let usable = (loopRange ?? 0..<self.frameCount).clamped(to: 0..<self.frameCount)
      self.loopRange = usable.isEmpty ? 0..<self.frameCount : usable
      // A sound that does not know its end has none that could repeat, unless the program names it.
      let isLoopable = !self.loopRange.isEmpty && self.loopRange.upperBound < .max
      repetitions = isLoopable ? repeats.count : 0
      later = isLoopable ? 0 : repeats.count
    }

    /// Ends the sound at a frame of a lap, which nobody knew before.
    fileprivate mutating func end(atFrame frame: Int, ofLap lap: Int, isFailure: Bool) {
      frameCount = frame
      repetitions = lap
      guard !isFailure, loopRange.upperBound == .max, frame > 0 else { return }
      (loopRange, repetitions) = (0..<frame, later)
    }

    /// The frames of all laps; `nil` without an end.
    var length: Int? {
      guard repetitions < .max, frameCount < .max else { return nil }
      let sum = Frames.sum(Frames.product(loopRange.count, repetitions), frameCount)
      return sum < .max ? sum : nil
    }

    /// The repetitions, also of a sound whose length is not known yet.
    var allRepetitions: Int { max(repetitions, later) }

    /// The position at which the given lap ends for the next one; `Int.max` for none.
    fileprivate func end(ofLap lap: Int) -> Int {
      Frames.sum(Frames.product(loopRange.count, lap), loopRange.upperBound)
    }
  }

  /// The meaning of a position.
  struct Location: Hashable, Sendable {
    /// The index of the piece.
    let index: Int
    /// The frame of its sound.
    let frame: Int
    /// The repetitions of the piece that have begun.
    let lap: Int
    /// The number of frames from here on that follow each other in the sound.
    let count: Int
  }

  private(set) var pieces: [Piece]
  /// The position at which the first piece begins, and the repetitions of the pieces that were forgotten.
  private var base = 0
  private var forgottenLaps = 0

  /// The position of the end; `nil` without an end.
  var length: Int? { start(of: pieces.count) }

  init(_ pieces: [Piece]) { self.pieces = pieces }

  /// The same timeline, in memory of its own.
  var unshared: PlaybackTimeline {
    var timeline = self
    timeline.pieces = pieces.map(\.self)
    return timeline
  }

  /// The position at which a piece begins; `nil` for a piece that no position reaches.
  func start(of index: Int) -> Int? {
    var sum = base
    for piece in pieces[..<index] {
      guard let length = piece.length else { return nil }
      sum = Frames.sum(sum, length)
      guard sum < .max else { return nil }
    }
    return sum
  }

  /// The meaning of a position; `nil` at the end, and in a piece that was forgotten.
  func location(at position: Int) -> Location? {
    var left = max(position, 0) - base
    guard left >= 0 else { return nil }
    for (index, piece) in pieces.enumerated() {
      if let length = piece.length, left >= length {
        left -= length
        continue
      }
      let lap =
        left < piece.loopRange.upperBound || piece.repetitions == 0
        ? 0 : min((left - piece.loopRange.lowerBound) / piece.loopRange.count, piece.repetitions)
      let frame = left - lap * piece.loopRange.count
      let end = lap < piece.repetitions ? piece.loopRange.upperBound : piece.frameCount
      return Location(index: index, frame: frame, lap: lap, count: end - frame)
    }
    return nil
  }

  /// The short loop around a location, if another lap follows; `nil` for none.
  func shortLoop(at location: Location, upTo maxFrames: Int) -> SharedTimeline.ShortLoop? {
    let piece = pieces[location.index]
    guard location.lap < piece.repetitions, piece.loopRange.count <= SharedTimeline.ShortLoop.mostFrames,
      piece.loopRange.contains(location.frame)
    else { return nil }
    // The last lap goes on behind the loop.
    let (laps, isLong) = (piece.repetitions - location.lap - 1).multipliedReportingOverflow(by: piece.loopRange.count)
    let left = isLong ? maxFrames : min(laps, maxFrames) + location.count
    return SharedTimeline.ShortLoop(range: piece.loopRange, count: min(left, maxFrames))
  }

  /// The piece at a position; at the end, the last one.
  func piece(at position: Int) -> Piece? {
    location(at: position).map { pieces[$0.index] } ?? (position < base ? nil : pieces.last)
  }

  /// Whether another timeline has the same sound, lap and frame at a position.
  func hasSameSound(as other: PlaybackTimeline, at position: Int) -> Bool {
    guard let own = location(at: position), let others = other.location(at: position) else { return false }
    return pieces[own.index].id == other.pieces[others.index].id && own.frame == others.frame && own.lap == others.lap
  }

  /// The laps that have begun before or at a position, of all pieces together.
  func laps(at position: Int) -> Int {
    let location = location(at: position)
    let before = pieces.prefix(location?.index ?? pieces.count).reduce(forgottenLaps) { Frames.sum($0, $1.repetitions) }
    return Frames.sum(before, location?.lap ?? 0)
  }
}

// MARK: - Changes

extension PlaybackTimeline {
  /// Appends a sound; returns the position at which it begins, and `Int.max` if no position reaches it.
  mutating func append(_ piece: Piece) -> Int {
    pieces.append(piece)
    return start(of: pieces.count - 1) ?? .max
  }

  /// Changes the repetitions of the piece at a position; laps that have begun count.
  ///
  /// Returns the first position that differs, `Int.max` if the sound does not know its end; `nil` if nothing does,
  /// because the loop is over.
  mutating func setRepeats(_ repeats: Repeats, at position: Int) -> Int? {
    guard let location = location(at: position), let start = start(of: location.index) else { return nil }
    let piece = pieces[location.index]
    guard piece.frameCount < .max || piece.loopRange.upperBound < .max else {
      pieces[location.index].later = repeats.count
      return piece.later == repeats.count ? nil : .max
    }
    guard location.frame < piece.loopRange.upperBound, piece.loopRange.upperBound < .max else { return nil }
    let new = max(repeats.count, location.lap)
    guard new != piece.repetitions else { return nil }
    pieces[location.index].repetitions = new
    return Frames.sum(start, piece.end(ofLap: min(new, piece.repetitions)))
  }

  /// The laps that begin behind a position of a loop before the first end of a lap that is a number of frames away.
  ///
  /// Returns 0 for a piece that has no other lap.
  func laps(until frames: Int, behind location: Location) -> Int {
    let piece = pieces[location.index]
    guard location.lap < piece.repetitions, frames > location.count else { return 0 }
    let laps = (frames - location.count - 1) / piece.loopRange.count + 1
    return min(laps, piece.repetitions - location.lap)
  }

  /// Ends the piece at a position with its present lap, and removes all that follow.
  ///
  /// Returns the position of the new end: `Int.max` if the end of the sound is not known, and `nil` if the timeline is
  /// then as before. A sound that does not know its end does not repeat at it.
  mutating func endWithLap(at position: Int) -> Int? {
    guard let location = location(at: position), let start = start(of: location.index) else { return length }
    let isLast = location.index == pieces.count - 1
    pieces.removeSubrange((location.index + 1)...)
    let piece = pieces[location.index]
    if location.frame < piece.loopRange.upperBound, piece.loopRange.upperBound < .max {
      pieces[location.index].repetitions = location.lap
      pieces[location.index].frameCount = piece.loopRange.upperBound
      return Frames.sum(start, piece.end(ofLap: location.lap))
    }
    pieces[location.index].later = 0
    return length ?? (isLast && piece.later == 0 ? nil : .max)
  }

  /// Forgets the pieces that end before or at a position, except for the last piece of the timeline.
  mutating func forget(before position: Int) {
    var count = 0
    while count < pieces.count - 1, let length = pieces[count].length, length <= position - base {
      base += length
      forgottenLaps = Frames.sum(forgottenLaps, pieces[count].repetitions)
      count += 1
    }
    pieces.removeFirst(count)
  }

  /// Ends the piece of a sound at a frame of a lap: its reader has found the end, or has failed.
  mutating func end(id: Int, atFrame frame: Int, ofLap lap: Int, isFailure: Bool) {
    guard let index = pieces.firstIndex(where: { $0.id == id }) else { return }
    pieces[index].end(atFrame: frame, ofLap: lap, isFailure: isFailure)
  }
}

extension Repeats {
  /// The number of repetitions; `Int.max` without an end.
  var count: Int {
    switch self {
    case .times(let count): max(count, 0)
    case .forever: .max
    }
  }
}
