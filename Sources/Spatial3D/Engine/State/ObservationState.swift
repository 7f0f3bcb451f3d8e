internal import AudioSupport
internal import Synchronization

/// How a context observes its sources, and the output; each observed source has an ``ObservedSource`` in its record.
struct ObservationState: Sendable {
  let handle: ContextHandle
  let device: AudioDevice
  /// The queue of subscriptions that have notifications to deliver.
  let deliveries: any NotificationDispatcher

  /// The observed sources, by their names in the library.
  private(set) var keysByID: [UInt32: SourceKey] = [:]

  /// The streams of all sources.
  private(set) var streams: [Stream] = []

  /// The observed sources that play, and their names in the library, in parallel arrays.
  private(set) var playing: [SourceKey] = []
  private(set) var playingIDs: [UInt32] = []

  /// The subscribers to the events of the output.
  var eventSubscriptions: [Subscription<ContextEvent>] = []
  var isConnected = true
  /// Whether the library sends events; `nil` before the first request.
  private(set) var hasHints: Bool?
  /// The next count of loops, on the monotonic clock; `nil` if it has to be computed again.
  var nextLoop: Int64?
  /// The next poll of all playing sources, on the monotonic clock.
  var nextSweep: Int64?

  // These arrays are kept for their memory.
  var hints: [UInt32] = []
  var states: [UInt8] = []

  init(handle: ContextHandle, device: AudioDevice, deliveries: any NotificationDispatcher) {
    (self.handle, self.device, self.deliveries) = (handle, device, deliveries)
  }

  var isEmpty: Bool { keysByID.isEmpty }
  var isPlaying: Bool { !playing.isEmpty }

  /// The frame of a notification: offline a frame of the rendered mix, which goes on while the device is frozen.
  var framePosition: Int { device.isRendered ? device.renderedFrames.load(ordering: .relaxed) : handle.mixedFrames }
}

// MARK: - The observed sources

extension ObservationState {
  /// Adds a source to the observed sources.
  mutating func add(_ source: ObservedSource, of key: SourceKey, in records: inout SourceTable) {
    records[key].observed = source
    keysByID[records[key].id] = key
    if let stream = source.stream { streams.append(stream) }
    updatePlaying(key, in: &records)
  }

  /// Removes a source from the observed sources, and requests no more events if no other observed source plays.
  mutating func remove(_ key: SourceKey, in records: inout SourceTable) {
    removePlaying(key, in: &records)
    keysByID[records[key].id] = nil
    if let stream = records[observed: key].stream { streams.removeAll { $0 === stream } }
    records[key].observed = nil
    if !isPlaying, !device.isRendered { handle.wantHints(false) }
  }

  /// Stores another name of a source in the library.
  mutating func rename(_ key: SourceKey, to id: UInt32, in records: inout SourceTable) {
    let old = records[key].id
    records[key].scene.id = id
    guard records.isObserved(key) else { return }
    keysByID[old] = nil
    keysByID[id] = key
    if let index = records[observed: key].playingIndex { playingIDs[index] = id }
  }

  /// Updates the list of playing sources, and requests events from the library while there are any.
  mutating func updatePolling(_ key: SourceKey, in records: inout SourceTable) {
    let isFirst = updatePlaying(key, in: &records)
    guard !device.isRendered else { return }
    if isFirst {
      listen()
      handle.wantHints(true)
      nextSweep = nil
      device.wakeMonitor()
    } else if !isPlaying {
      handle.wantHints(false)
    }
  }

  /// Updates the list of playing sources after a change of one; returns whether it is the first in the list.
  @discardableResult
  private mutating func updatePlaying(_ key: SourceKey, in records: inout SourceTable) -> Bool {
    guard records[observed: key].isPlaying else {
      removePlaying(key, in: &records)
      return false
    }
    guard records[observed: key].playingIndex == nil else { return false }
    records[observed: key].playingIndex = playing.count
    playing.append(key)
    playingIDs.append(records[key].id)
    return playing.count == 1
  }

  private mutating func removePlaying(_ key: SourceKey, in records: inout SourceTable) {
    guard let index = records[observed: key].playingIndex else { return }
    records[observed: key].playingIndex = nil
    // The last one takes the index.
    let last = playing.removeLast()
    let lastID = playingIDs.removeLast()
    guard index < playing.count else { return }
    playing[index] = last
    playingIDs[index] = lastID
    records[observed: last].playingIndex = index
  }
}

// MARK: - Events of the library

extension ObservationState {
  /// Requests events from the library, once.
  mutating func listen() {
    guard hasHints == nil, !device.isRendered else { return }
    hasHints = handle.listen(device.monitorSemaphore)
  }

  /// The period of the poll of all playing sources if the library sends events; it catches events that the library
  /// dropped.
  private static let sweepPeriod: Int64 = 100_000_000
  /// The same period if the library sends no events.
  private static let sweepPeriodWithoutHints: Int64 = 5_000_000
  /// The period of the poll of the device's connection if the library sends no events.
  private static let connectionPeriod: Int64 = 1_000_000_000

  /// The nanoseconds until the next poll of all playing sources, or of the connection; `nil` for none.
  mutating func waitForSweep(at now: Int64) -> Int64? {
    let hasHints = hasHints ?? false
    // A source that does not play does not change; no source changes while time is suspended.
    guard isPlaying, !device.isSuspended else {
      nextSweep = nil
      guard !hasHints else { return nil }
      updateConnection()
      return Self.connectionPeriod
    }
    let next = nextSweep ?? now + (hasHints ? Self.sweepPeriod : Self.sweepPeriodWithoutHints)
    nextSweep = next
    return next - now
  }
}

// MARK: - Events of the output

extension ObservationState {
  /// Whether the device is gone and its sources have ended with it.
  mutating func endedWithDevice() -> Bool { !updateConnection() && !device.handle.survivesLoss }

  /// Posts the loss or the return of the device; returns whether it is connected.
  @discardableResult
  mutating func updateConnection() -> Bool {
    let isConnected = handle.isConnected
    guard isConnected != self.isConnected else { return isConnected }
    self.isConnected = isConnected
    post(isConnected ? .deviceReturned : .deviceLost)
    return isConnected
  }

  /// Reports that a placeholder has replaced the output.
  mutating func postLoss() {
    guard isConnected else { return }
    isConnected = false
    post(.deviceLost)
  }

  /// Reports a returned output, or a different one.
  mutating func postReturn() {
    let isBack = !isConnected
    isConnected = true
    post(isBack ? .deviceReturned : .outputChanged)
  }

  /// Posts an event of the output.
  func post(_ kind: ContextEvent.Kind) {
    let event = ContextEvent(kind: kind, framePosition: framePosition)
    for subscription in eventSubscriptions { subscription.post(event, over: deliveries) }
  }
}
