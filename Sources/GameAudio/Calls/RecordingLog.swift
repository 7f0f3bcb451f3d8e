internal import Spatial3D

/// The recordings of a world, and the replay of a recording in it.
struct RecordingLog: Sendable {
  /// The recordings that run.
  private(set) var logs: [CallLog] = [] { didSet { isRecording = !logs.isEmpty } }
  /// Whether a recording runs: a value beside the list, which each setter reads in one instruction.
  private(set) var isRecording = false
  /// The moment at which the present call or tick came, while something records.
  private(set) var moment = MixMoment()
  /// The emitters of the last call that has moved many.
  private(set) var lastMoved: [EmitterKey] = []
  private var replay = ReplayState.none

  /// The ticks of a recording that replace the ticks of the context.
  private enum ReplayState {
    case none
    case running
    /// The replay has ended at a frame, and has had the tick of this frame.
    case ended(at: Int)
  }
}

// MARK: - Recordings

extension RecordingLog {
  mutating func begin(_ log: CallLog, at moment: MixMoment) {
    self.moment = moment
    logs.append(log)
  }

  /// Ends a recording; returns `false` if it has ended before.
  mutating func end(_ log: CallLog) -> Bool {
    guard isRunning(log) else { return false }
    logs.removeAll { $0 === log }
    if logs.isEmpty { lastMoved = [] }
    return true
  }

  func isRunning(_ log: CallLog) -> Bool { logs.contains { $0 === log } }

  /// Sets the moment at which a call or a tick came.
  mutating func setMoment(_ moment: MixMoment) { self.moment = moment }

  /// Records a call of the game, before it takes effect.
  ///
  /// It costs one branch while nothing records.
  @inline(__always)
  func record(_ call: @autoclosure () -> WorldCall) {
    if isRecording { Self.append(.call(call()), to: logs, at: moment) }
  }

  /// Records the moves of a call, if there are any.
  mutating func record(_ moved: MovedEmitters) {
    guard !moved.isEmpty else { return }
    lastMoved = moved.emitters
    record(.move(moved))
  }

  /// Records an event of an emitter.
  @inline(__always)
  func record(_ event: EmitterEvent, of number: @autoclosure () -> UInt32) {
    if isRecording { Self.append(.event(Int(number()), event), to: logs, at: moment) }
  }

  /// Records an event of a player.
  @inline(__always)
  func record(_ event: PlayerEvent, of number: @autoclosure () -> UInt32) {
    if isRecording { Self.append(.playerEvent(Int(number()), event), to: logs, at: moment) }
  }

  /// Records the tick of a number; returns the recordings that are to have a snapshot of the state after it.
  func recordTick(_ number: Int) -> [CallLog] {
    guard isRecording else { return [] }
    Self.append(.tick, to: logs, at: moment)
    return logs.filter { number.isMultiple(of: $0.interval) }
  }

  // A function of the log would copy all of its fields in each setter, also while nothing records.
  @inline(never)
  private static func append(_ happening: CallLog.Entry.Happening, to logs: [CallLog], at moment: MixMoment) {
    for log in logs { log.add(happening, at: moment) }
  }
}

// MARK: - Replay

extension RecordingLog {
  /// Whether the ticks of a replay replace the ticks of the context.
  var isReplaying: Bool { if case .running = replay { true } else { false } }

  /// Whether a replay has had the tick of a frame, or will have it.
  func isReplayed(_ frame: Int) -> Bool {
    switch replay {
    case .none: false
    case .running: true
    case .ended(let last): frame <= last
    }
  }

  mutating func beginReplay() { replay = .running }

  mutating func endReplay(at frame: Int) { replay = .ended(at: frame) }
}
