internal import AudioSupport
internal import Spatial3D

/// The calls, ticks, events and states of a world that a recording collects.
///
/// The entries are appended under the world's lock. The copies of states become snapshots later, without it.
final class CallLog: Sendable {
  /// Something that happened, at a frame of the mix.
  struct Entry: Sendable {
    enum Happening: Sendable {
      case call(WorldCall)
      /// A tick of the world.
      case tick
    }

    let frame: Int
    let happening: Happening
  }

  /// An event of an emitter, or of a player.
  struct Note: Sendable {
    let frame: Int
    let number: Int
    let event: EmitterEvent
  }

  struct Content: Sendable {
    var entries: [Entry] = []
    var notes: [Note] = []
    fileprivate var states: [WorldState] = []
    fileprivate(set) var snapshots: [WorldSnapshot] = []
    /// The frame of the end; `nil` while the recording runs.
    var end: Int?
  }

  /// The number of ticks between two snapshots.
  let interval: Int
  let content = Lock(Content())
  private let builder = Lock<Void>(())

  init(interval: Int) { self.interval = interval }

  func add(_ state: WorldState) { content.withLock { $0.states.append(state) } }

  /// Turns the copies of states into snapshots; returns when all are.
  func build(_ snapshot: (WorldState) -> WorldSnapshot) {
    builder.withLock { _ in
      while let state = content.withLock({ $0.states.isEmpty ? nil : $0.states.removeFirst() }) {
        let built = snapshot(state)
        content.withLock { $0.snapshots.append(built) }
      }
    }
  }
}

extension WorldState {
  /// Notes a call of the game for the recordings, before it takes effect.
  ///
  /// It costs one branch while nothing records.
  @inline(__always)
  func note(_ call: @autoclosure () -> WorldCall) {
    if isRecording { append(.call(call())) }
  }

  @inline(never)
  private func append(_ happening: CallLog.Entry.Happening) {
    // The frame of ``now`` may be that of an earlier call. The context never calls the world with its own lock.
    let entry = CallLog.Entry(frame: context.physics.frame, happening: happening)
    for log in logs { log.content.withLock { $0.entries.append(entry) } }
  }

  mutating func openUpdate() {
    note(.openUpdate)
    openUpdates += 1
  }

  mutating func closeUpdate() {
    note(.closeUpdate)
    openUpdates = max(openUpdates - 1, 0)
  }

  /// Notes a tick, and copies the state for the logs that are to have a snapshot; returns those.
  func noteTick() -> [CallLog] {
    guard isRecording else { return [] }
    append(.tick)
    return logs.filter { ticks.isMultiple(of: $0.interval) }
  }

  /// Notes an event of an emitter.
  @inline(__always)
  func noteEvent(_ event: EmitterEvent, of slot: Int) {
    guard isRecording else { return }
    let note = CallLog.Note(frame: now, number: Int(records[slot].generation), event: event)
    for log in logs { log.content.withLock { $0.notes.append(note) } }
  }
}
