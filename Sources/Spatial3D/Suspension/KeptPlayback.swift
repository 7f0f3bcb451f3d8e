/// What a source was told while time stands still, as far as it matters afterwards.
///
/// Pure: no call and no lock.
struct KeptPlayback: Hashable, Sendable {
  /// What a source can be told.
  enum Call: Hashable, Sendable {
    case play
    case pause
    case stop
    case rewind
    case seek(Int)
    case playAt(Duration)
  }

  /// What the source did when the first call was kept, or has done since by itself.
  private var before: SourceState
  /// What it will do.
  private(set) var state: SourceState
  /// The frame at which it plays or is paused.
  private(set) var frame: Int
  /// The frame at which it starts next, if it was told one while it neither played nor was paused.
  private var nextStart: Int?
  /// Whether it comes from its beginning, or from where it was told to start, rather than from where it stood.
  private var startsAnew = false
  private var wasMoved = false
  /// When it plays, if that is later.
  private var time: Duration?

  /// Nothing was told yet.
  init(state: SourceState, frame: Int) {
    before = state
    self.state = state
    self.frame = frame
  }

  /// What the source is told from when on it was told all of this.
  var next: KeptPlayback { KeptPlayback(state: state, frame: frame) }

  /// Takes a call.
  mutating func note(_ call: Call) {
    switch call {
    case .play: play()
    case .playAt(let moment):
      play()
      time = moment
    case .pause: if state == .playing { state = .paused }
    case .stop: end(as: state == .initial ? .initial : .stopped)
    case .rewind: end(as: .initial)
    case .seek(let target): seek(to: target)
    }
  }

  /// The source was paused, and what it was told meanwhile comes to no more than that.
  mutating func pauseForDevice() {
    if before == .playing { before = .paused }
    note(.pause)
  }

  private mutating func play() {
    // One that waits for its moment starts now.
    time = nil
    if state != .paused {
      frame = state == .playing ? 0 : nextStart ?? 0
      startsAnew = true
      wasMoved = false
    }
    nextStart = nil
    state = .playing
  }

  private mutating func end(as end: SourceState) {
    (state, frame, nextStart, startsAnew, wasMoved, time) = (end, 0, nil, true, false, nil)
  }

  private mutating func seek(to target: Int) {
    guard state == .playing || state == .paused else { return nextStart = target }
    frame = target
    wasMoved = true
  }

  /// What brings the source there from where it stood: five calls at most.
  var calls: [Call] {
    let start: Call = time.map { .playAt($0) } ?? .play
    var calls: [Call] = []
    switch state {
    case .initial:
      if startsAnew { calls = [.rewind] }
    case .stopped where startsAnew:
      // One that was never played cannot be stopped.
      calls = before == .initial ? [.play, .stop] : [.stop]
    case .stopped: break
    case .playing, .paused:
      if startsAnew, before == .playing {
        // One that plays starts over, or waits to, without an end between.
        calls = [start]
        if frame > 0 { calls.append(.seek(frame)) }
      } else if startsAnew {
        calls = [.rewind]
        if frame > 0 { calls.append(.seek(frame)) }
        calls.append(start)
      } else {
        // One that goes on later stands still until then.
        if time != nil, before == .playing { calls = [.pause] }
        if wasMoved { calls.append(.seek(frame)) }
        if time != nil || (before == .paused && state == .playing) { calls.append(start) }
      }
      if state == .paused, calls.contains(start) || before == .playing { calls.append(.pause) }
    }
    if let nextStart { calls.append(.seek(nextStart)) }
    return calls
  }
}
