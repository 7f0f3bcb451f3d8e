import Spatial3D

/// What a source of an offline context does, by the documentation alone: states, places and notifications, in integers.
///
/// Its places are in sixteenths of a frame of the sound, because pitches are eighths and the sound has the mix's rate, half or
/// twice of it.
struct SourceModel: Sendable {
  /// A notification that has to come.
  struct Note: Hashable, Sendable {
    var kind: SourceNotification.Kind
    var state: SourceState
    var cause: SourceNotification.Cause
    var frame: Int
  }

  static let unitsPerFrame = 16

  /// Frames of each buffer.
  var lengths: [Int]
  /// What repeats of a sound; `nil` of a queue, which repeats as a whole.
  let loopRange: Range<Int>?
  /// The sound's rate in halves of the mix's.
  let rateInHalves: Int

  var state = SourceState.initial
  var place = 0
  var isLooping = false
  var pitchInEighths = 8
  /// The frame at which it starts next, where it was told one while it neither played nor was paused.
  var start: Int?
  /// The frame of the clock at which it begins to sound, where that is yet to come.
  var beginning: Int?
  /// How many buffers at the head were told as played.
  var told = 0
  /// Frames of the mix so far, and those that the clock has counted.
  var mixed: Int
  var clock: Int
  private(set) var notes: [Note] = []

  init(lengths: [Int], loopRange: Range<Int>?, rateInHalves: Int, mixed: Int, clock: Int) {
    (self.lengths, self.loopRange, self.rateInHalves) = (lengths, loopRange, rateInHalves)
    (self.mixed, self.clock) = (mixed, clock)
  }

  var isQueue: Bool { loopRange == nil }
  var frameCount: Int { lengths.reduce(0, +) }
  var loop: Range<Int> { loopRange ?? 0..<frameCount }
  /// Units of the sound for a frame of the mix.
  var step: Int { pitchInEighths * rateInHalves }
  var isActive: Bool { state == .playing || state == .paused }

  /// What `SoundSource.playbackFrame` is.
  var playbackFrame: Int { isActive ? place / Self.unitsPerFrame : 0 }

  /// What `SoundSource.playedBufferCount` is.
  var playedCount: Int {
    guard isQueue, !isLooping, state != .initial else { return 0 }
    return state == .stopped ? lengths.count : playedCount(at: place)
  }

  private func playedCount(at place: Int) -> Int {
    var end = 0
    return lengths.prefix { length in
      end += length * Self.unitsPerFrame
      return place >= end
    }.count
  }

  /// Takes the notes that were made since it was asked last.
  mutating func takeNotes() -> [Note] {
    defer { notes = [] }
    return notes
  }

  mutating func note(_ kind: SourceNotification.Kind, _ cause: SourceNotification.Cause, at frame: Int) {
    notes.append(Note(kind: kind, state: state, cause: cause, frame: frame))
  }

  mutating func move(to next: SourceState, by cause: SourceNotification.Cause, at frame: Int) {
    guard next != state else { return }
    state = next
    note(.stateChanged(next), cause, at: frame)
  }

  /// Tells of the buffers at the head that are played and were not told.
  mutating func tell(_ count: Int, by cause: SourceNotification.Cause, at frame: Int) {
    guard isQueue else { return }
    let more = count - told
    told = count
    if more > 0 { note(.buffersProcessed(more), cause, at: frame) }
  }
}

// MARK: - Calls

extension SourceModel {
  mutating func play(at moment: Int? = nil) {
    guard frameCount > 0 else { return move(to: .stopped, by: .call, at: mixed) }
    // One that is held while it waits goes on waiting, unless it is told another moment.
    let waitsOn = state == .paused && beginning != nil
    // One that waits starts at once where it would have started.
    let startsEarly = state == .playing && beginning != nil && moment == nil
    if state != .paused, !startsEarly {
      place = (start ?? 0) * Self.unitsPerFrame
      start = nil
      told = 0
    }
    if let moment {
      beginning = moment > clock ? moment : nil
    } else if !waitsOn {
      beginning = nil
    }
    move(to: .playing, by: .call, at: mixed)
    if !isLooping { tell(playedCount, by: .call, at: mixed) }
  }

  mutating func pause() {
    if state == .playing { move(to: .paused, by: .call, at: mixed) }
  }

  mutating func stop() {
    start = nil
    beginning = nil
    guard isActive else { return }
    if isQueue, !isLooping {
      // What a stop leaves is told as done, with the state that follows.
      let before = state
      state = .stopped
      tell(lengths.count, by: .call, at: mixed)
      state = before
    }
    move(to: .stopped, by: .call, at: mixed)
  }

  mutating func rewind() {
    start = nil
    beginning = nil
    if !isLooping { told = 0 }
    move(to: .initial, by: .call, at: mixed)
  }

  mutating func seek(to frame: Int) {
    guard frameCount > 0 else { return }
    let frame = min(max(frame, 0), frameCount - 1)
    guard isActive else { return start = frame }
    place = frame * Self.unitsPerFrame
    if !isLooping { tell(playedCount, by: .call, at: mixed) }
  }

  mutating func append(_ more: [Int]) {
    lengths += more
    // A queue that has stopped has played all that is in it.
    if state == .stopped, !isLooping, !more.isEmpty { tell(lengths.count, by: .call, at: mixed) }
  }

  /// Takes what has been played; returns how many buffers that is.
  mutating func unqueue() -> Int {
    let count = playedCount
    place = max(place - lengths.prefix(count).reduce(0, +) * Self.unitsPerFrame, 0)
    lengths.removeFirst(count)
    told -= count
    return count
  }

  /// The source is dropped.
  mutating func end() {
    if isActive { move(to: .stopped, by: .call, at: mixed) }
  }
}
