internal import AudioSupport

/// The calls of a suspended context that run on resume.
struct DeferredCommands: Sendable {
  typealias Kept = (reference: Weak<SoundSource>, playback: DeferredPlayback)

  var isOn = false
  /// Whether a thread performs deferred calls now.
  var isSettling = false
  var sources: [SourceKey: Kept] = [:]
  /// The sources with calls that run now; a call during that time starts from their result.
  var draining: [SourceKey: Kept] = [:]
  /// Whether these sources have to be paused after their calls.
  var pausesDraining = false

  /// Defers a call; `now` is the source's state, unless deferred calls of the source are running.
  mutating func note(
    _ call: DeferredPlayback.Call,
    of key: SourceKey,
    _ reference: Weak<SoundSource>,
    now: DeferredPlayback
  ) {
    var kept = sources[key] ?? (reference, draining[key]?.playback.next ?? now)
    kept.playback.note(call)
    sources[key] = kept
  }

  /// Notes that the device paused all sources: no deferred playback plays.
  mutating func pauseForDevice() {
    for key in sources.keys { sources[key]?.playback.pauseForDevice() }
    // Another thread may start these after this.
    for key in draining.keys { draining[key]?.playback.note(.pause) }
    pausesDraining = !draining.isEmpty
  }

  /// The sources with calls that ran, if they have to be paused now.
  mutating func takePauses() -> [Kept]? {
    guard pausesDraining else { return nil }
    pausesDraining = false
    var pause = DeferredPlayback(state: .playing, frame: 0)
    pause.note(.pause)
    return draining.values.map { ($0.reference, pause) }
  }
}
