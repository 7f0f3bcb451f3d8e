import FuzzSupport
import Spatial3D

/// The behavior of a source of an offline context as the documentation has it: states, positions and notifications, in
/// integers.
///
/// A position counts sixteenths of a frame, because pitches are eighths, and a sound has the rate of the mix, half of
/// it or twice of it.
struct SourceModel: Sendable {
  /// An expected notification.
  struct Note: Hashable, Sendable {
    var kind: SourceNotification.Kind
    var state: SourceState
    var cause: SourceNotification.Cause
    var frame: Int
  }

  static let unitsPerFrame = 16

  /// Frames of each buffer.
  var lengths: [Int]
  /// The frames of a sound that repeat; `nil` for a queue, which repeats as a whole.
  let loopRange: Range<Int>?
  /// The sound's rate in halves of the mix's.
  let rateInHalves: Int

  var state = SourceState.initial
  var place = 0
  var isLooping = false
  var pitchInEighths = 8
  /// The frame of the next start, set while the source neither played nor was paused.
  var start: Int?
  /// The frame of the clock at which a waiting source begins to sound.
  var beginning: Int?
  /// How many buffers at the head notifications have counted as played.
  var counted = 0
  /// Frames of the mix so far, and frames that the clock has counted.
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

  /// The expected `SoundSource.playbackFrame`.
  var playbackFrame: Int { isActive ? place / Self.unitsPerFrame : 0 }

  /// The expected `SoundSource.processedBufferCount`.
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

  /// Returns the notes since the last call.
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

  /// Notes the buffers at the head that are played and not counted yet.
  mutating func notePlayed(_ count: Int, by cause: SourceNotification.Cause, at frame: Int) {
    guard isQueue else { return }
    let more = count - counted
    counted = count
    if more > 0 { note(.buffersProcessed(more), cause, at: frame) }
  }
}

// MARK: - Calls

extension SourceModel {
  mutating func play(at moment: Int? = nil) {
    guard frameCount > 0 else { return move(to: .stopped, by: .call, at: mixed) }
    // A source that is paused while it waits goes on waiting, unless the call has another moment.
    let waitsOn = state == .paused && beginning != nil
    // A source that waits starts at once, at the frame at which it would have started.
    let startsEarly = state == .playing && beginning != nil && moment == nil
    if state != .paused, !startsEarly {
      place = (start ?? 0) * Self.unitsPerFrame
      start = nil
      counted = 0
    }
    if let moment {
      beginning = moment > clock ? moment : nil
    } else if !waitsOn {
      beginning = nil
    }
    move(to: .playing, by: .call, at: mixed)
    if !isLooping { notePlayed(playedCount, by: .call, at: mixed) }
  }

  mutating func pause() {
    if state == .playing { move(to: .paused, by: .call, at: mixed) }
  }

  mutating func stop() {
    start = nil
    beginning = nil
    guard isActive else { return }
    if isQueue, !isLooping {
      // A stop counts the rest of the queue as played, with the state after the stop.
      let before = state
      state = .stopped
      notePlayed(lengths.count, by: .call, at: mixed)
      state = before
    }
    move(to: .stopped, by: .call, at: mixed)
  }

  mutating func rewind() {
    start = nil
    beginning = nil
    if !isLooping { counted = 0 }
    move(to: .initial, by: .call, at: mixed)
  }

  mutating func seek(to frame: Int) {
    guard frameCount > 0 else { return }
    let frame = min(max(frame, 0), frameCount - 1)
    guard isActive else { return start = frame }
    place = frame * Self.unitsPerFrame
    if !isLooping { notePlayed(playedCount, by: .call, at: mixed) }
  }

  mutating func append(_ more: [Int]) {
    lengths += more
    // A stopped queue has played all its buffers.
    if state == .stopped, !isLooping, !more.isEmpty { notePlayed(lengths.count, by: .call, at: mixed) }
  }

  /// Removes the buffers that are played, and returns how many.
  mutating func unqueue() -> Int {
    let count = playedCount
    place = max(place - lengths.prefix(count).reduce(0, +) * Self.unitsPerFrame, 0)
    lengths.removeFirst(count)
    counted -= count
    return count
  }

  /// The source is dropped.
  mutating func end() {
    if isActive { move(to: .stopped, by: .call, at: mixed) }
  }
}
