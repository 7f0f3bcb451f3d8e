/// The calls of a source of a suspended context, which run on resume.
///
/// Pure: no call and no lock.
struct DeferredCalls: Sendable {
  /// The calls that are due on resume.
  private(set) var queued: DeferredPlayback?
  /// The calls that a thread performs now; a call during that time starts from their result.
  private(set) var running: DeferredPlayback?
  /// Whether the source has to be paused after the running calls.
  private(set) var pausesAfterRunning = false

  /// The result of all calls; `nil` without any.
  var playback: DeferredPlayback? { queued ?? running }

  /// Defers a call; `now` is the source's playback, unless calls of the source are running.
  mutating func add(_ call: DeferredPlayback.Call, now: DeferredPlayback) {
    var playback = queued ?? running?.next ?? now
    playback.add(call)
    queued = playback
  }

  /// Adds the pause of all sources by the device: no deferred playback plays.
  mutating func pauseForDevice() {
    queued?.pauseForDevice()
    // Another thread may start these after this.
    running?.add(.pause)
    pausesAfterRunning = running != nil
  }

  /// Makes the queued calls the running calls, and returns them.
  mutating func run() -> DeferredPlayback? {
    defer { queued = nil }
    running = queued
    return queued
  }

  /// The pause after the calls that ran, once; `nil` if none is needed.
  mutating func takePause() -> DeferredPlayback? {
    guard pausesAfterRunning else { return nil }
    pausesAfterRunning = false
    var pause = DeferredPlayback(state: .playing, frame: 0)
    pause.add(.pause)
    return pause
  }

  /// Ends the running calls.
  mutating func endRunning() { (running, pausesAfterRunning) = (nil, false) }
}
