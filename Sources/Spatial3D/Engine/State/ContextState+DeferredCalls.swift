internal import AudioSupport

/// The sources of a suspended context with calls that run on resume; the calls are in their records.
struct DeferredCallQueue: Sendable {
  typealias Source = (key: SourceKey, reference: Weak<SoundSource>)

  /// Whether calls are deferred.
  var isOn = false
  /// Whether a thread performs deferred calls now.
  var isRunning = false
  fileprivate(set) var queued: [Source] = []
  fileprivate var running: [Source] = []
}

extension ContextState {
  /// A source with the calls to perform.
  typealias DeferredRun = (reference: Weak<SoundSource>, playback: DeferredPlayback)

  /// Defers a call; `now` is the source's playback.
  mutating func deferCall(_ call: DeferredPlayback.Call, of source: DeferredCallQueue.Source, now: DeferredPlayback) {
    if records[source.key].deferred.queued == nil { deferred.queued.append(source) }
    records[source.key].deferred.add(call, now: now)
  }

  /// Drops the deferred calls of a source that is being released.
  mutating func dropDeferredCalls(of key: SourceKey) {
    deferred.queued.removeAll { $0.key == key }
    deferred.running.removeAll { $0.key == key }
  }

  /// Pauses all sources with deferred calls.
  mutating func pauseDeferredCalls() {
    for source in deferred.queued + deferred.running { records[source.key].deferred.pauseForDevice() }
  }

  /// Takes all queued calls, in the order in which their sources were created.
  mutating func runDeferredCalls() -> [DeferredRun] {
    deferred.isRunning = true
    deferred.running = deferred.queued.sorted { $0.key.generation < $1.key.generation }
    deferred.queued = []
    return deferred.running.compactMap { source in
      records[source.key].deferred.run().map { (source.reference, $0) }
    }
  }

  /// Takes the pauses after the running calls, if the device has paused all sources meanwhile.
  mutating func takeDeferredPauses() -> [DeferredRun]? {
    let pauses = deferred.running.compactMap { source in
      records[source.key].deferred.takePause().map { (source.reference, $0) }
    }
    return pauses.isEmpty ? nil : pauses
  }

  /// Ends the running calls.
  mutating func endDeferredRun() {
    for source in deferred.running { records[source.key].deferred.endRunning() }
    (deferred.running, deferred.isRunning) = ([], false)
  }
}
