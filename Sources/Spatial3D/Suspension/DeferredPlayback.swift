/// The combined effect of the calls of a source while time is stopped.
///
/// Pure: no call and no lock.
struct DeferredPlayback: Hashable, Sendable {
  /// The calls that are deferred.
  enum Call: Hashable, Sendable {
    case play
    case pause
    case stop
    case rewind
    case seek(Double)
    case playAt(Duration)
    case playFrom(Double)
  }

  /// The state at the first deferred call, or the state that the source has reached by itself since.
  private var before: SourceState
  /// The state after the calls.
  private(set) var state: SourceState
  /// The frame at which it plays or is paused.
  private(set) var frame: Double
  /// The frame of the next start, if it was set while the source neither played nor was paused.
  private var nextStart: Double?
  /// Whether it starts from the beginning or from a set frame, and not from its current position.
  private var startsAnew = false
  private var wasMoved = false
  /// The scheduled start, if there is one.
  private var time: Duration?

  /// Creates a playback without calls.
  init(state: SourceState, frame: Double) {
    before = state
    self.state = state
    self.frame = frame
  }

  /// The starting point of later calls, after all of these.
  var next: DeferredPlayback { DeferredPlayback(state: state, frame: frame) }

  /// Adds a call.
  mutating func add(_ call: Call) {
    switch call {
    case .play: play()
    case .playAt(let moment):
      play()
      time = moment
    case .playFrom(let target):
      play()
      seek(to: target)
    case .pause: if state == .playing { state = .paused }
    case .stop: end(as: state == .initial ? .initial : .stopped)
    case .rewind: end(as: .initial)
    case .seek(let target): seek(to: target)
    }
  }

  /// Adds the pause of the source by the device; the calls so far end in a pause too.
  mutating func pauseForDevice() {
    if before == .playing { before = .paused }
    add(.pause)
  }

  private mutating func play() {
    // A source that waits for a scheduled start starts now.
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

  private mutating func seek(to target: Double) {
    guard state == .playing || state == .paused else { return nextStart = target }
    frame = target
    wasMoved = true
  }

  /// The calls that lead from the state before to the state after: five at most.
  var calls: [Call] {
    let start: Call = time.map { .playAt($0) } ?? .play
    var calls: [Call] = []
    switch state {
    case .initial:
      if startsAnew { calls = [.rewind] }
    case .stopped where startsAnew:
      // A source that was never played cannot be stopped.
      calls = before == .initial ? [.play, .stop] : [.stop]
    case .stopped: break
    case .playing, .paused:
      if startsAnew, before == .playing {
        // A playing source starts again, or waits for its start, without a stop in between.
        calls = [start]
        if frame > 0 { calls.append(.seek(frame)) }
      } else if startsAnew {
        calls = [.rewind]
        if frame > 0 { calls.append(.seek(frame)) }
        calls.append(start)
      } else {
        // A source that continues later is paused until then.
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
