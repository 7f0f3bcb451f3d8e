internal import AudioSupport

/// The sources of a suspended context with calls that run on resume; the calls are in the records of the sources.
struct DeferredCallQueue: Sendable {
  typealias Source = (key: SourceKey, reference: Weak<SoundSource>)
  /// A source with the calls to perform.
  typealias Run = (reference: Weak<SoundSource>, playback: DeferredPlayback)

  /// Whether calls are deferred.
  var isOn = false
  /// Whether a thread performs deferred calls now.
  private(set) var isRunning = false
  private(set) var queued: [Source] = []
  private var running: [Source] = []

  /// Defers a call; `now` is the source's playback.
  mutating func add(
    _ call: DeferredPlayback.Call,
    of source: Source,
    now: DeferredPlayback,
    to records: inout SourceTable
  ) {
    if records[source.key].deferred.queued == nil { queued.append(source) }
    records[source.key].deferred.add(call, now: now)
  }

  /// Drops the calls of a source that is being released, or that gets another sound.
  mutating func remove(_ key: SourceKey) {
    queued.removeAll { $0.key == key }
    running.removeAll { $0.key == key }
  }

  /// Pauses all sources with deferred calls.
  func pauseForDevice(in records: inout SourceTable) {
    for source in queued + running { records[source.key].deferred.pauseForDevice() }
  }

  /// Takes all queued calls, in the order in which their sources were created.
  mutating func run(in records: inout SourceTable) -> [Run] {
    isRunning = true
    running = queued.sorted { $0.key.generation < $1.key.generation }
    queued = []
    return running.compactMap { source in
      records[source.key].deferred.run().map { (source.reference, $0) }
    }
  }

  /// Takes the pauses after the running calls, if the device has paused all sources meanwhile.
  func takePauses(in records: inout SourceTable) -> [Run]? {
    let pauses = running.compactMap { source in
      records[source.key].deferred.takePause().map { (source.reference, $0) }
    }
    return pauses.isEmpty ? nil : pauses
  }

  /// Ends the running calls.
  mutating func endRun(in records: inout SourceTable) {
    for source in running { records[source.key].deferred.endRunning() }
    (running, isRunning) = ([], false)
  }
}
