internal import Spatial3D

/// What a world has to do without its lock: calls of the library, loads, reports, events and releases.
///
/// Calls append under the world's lock. ``claim()`` moves the work out for one thread at a time, and the other threads
/// leave their work to it. The reports of one subject are made once.
struct Outbox: Sendable {
  /// The context, for the delivery of events; no call of it that takes its lock is made here.
  let context: AudioContext
  /// The calls of the library, to which the subsystems append.
  var commands: [VoiceCommand] = []
  /// An empty array with room, while no thread carries out commands.
  private(set) var spareCommands: [VoiceCommand] = []
  private(set) var jobs: [SoundTable.Job] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The objects that nothing needs any more; their release may call the library or the game.
  private var released: [any Sendable] = []
  /// The tasks that have waited for their player to be prepared.
  private var prepared: [CheckedContinuation<Void, Never>] = []
  /// The events that observers have still to receive.
  var events = EventQueue()
  /// The subjects that were reported once.
  private var reported: Set<ReportKey> = []
  /// The latest reports of sounds.
  var soundReports = SoundReports()
  /// Whether a thread carries out the work, and the number of the last claim.
  private(set) var isCarryingOut = false
  private(set) var lastTurn = 0
  /// Whether the context calls the world at ticks.
  private(set) var hasTicks = false

  init(context: AudioContext, capacity: Int) {
    self.context = context
    commands.reserveCapacity(capacity)
    spareCommands.reserveCapacity(capacity)
  }
}

// MARK: - Calls, loads and releases

extension Outbox {
  mutating func append(_ command: VoiceCommand) { commands.append(command) }

  mutating func load(_ job: SoundTable.Job) { jobs.append(job) }

  mutating func load(_ jobs: [SoundTable.Job]) { self.jobs += jobs }

  /// Releases an object without the world's lock.
  mutating func release(_ object: any Sendable) { released.append(object) }

  /// Releases the objects that nothing in a table of sounds needs any more.
  mutating func release(from sounds: inout SoundTable) { sounds.moveReleased(into: &released) }

  /// Resumes tasks that have waited for their player to be prepared.
  mutating func resume(_ tasks: [CheckedContinuation<Void, Never>]) { prepared += tasks }
}

// MARK: - Reports

extension Outbox {
  var hasReports: Bool { !diagnostics.isEmpty }

  /// Appends a report, if there is one.
  mutating func report(_ diagnostic: Diagnostic?) { if let diagnostic { diagnostics.append(diagnostic) } }

  mutating func report(_ diagnostics: [Diagnostic]) { self.diagnostics += diagnostics }

  /// Reports the result of a loading.
  mutating func report(
    _ outcome: LoadedSound.Outcome,
    of content: SoundContent,
    _ keys: [SoundKey],
    in table: inout SoundTable,
    at sampleRate: Int
  ) {
    report(soundReports.reports(of: outcome, content, keys, in: &table, at: sampleRate))
  }

  /// Whether a subject was not reported before; it counts as reported from now on.
  mutating func isNew(_ subject: ReportKey) -> Bool { reported.insert(subject).inserted }
}

// MARK: - Claims

extension Outbox {
  /// The work that one thread carries out without the lock.
  struct Work: Sendable {
    /// The number of the claim; `nil` if nothing was claimed.
    fileprivate(set) var turn: Int?
    /// The loads, which come before the commands.
    var jobs: [SoundTable.Job] = []
    var commands: [VoiceCommand] = []
    /// Whether no work is left but the results.
    fileprivate(set) var isEnded = false
    fileprivate(set) var released: [any Sendable] = []
    fileprivate(set) var prepared: [CheckedContinuation<Void, Never>] = []
    fileprivate(set) var diagnostics: [Diagnostic] = []
    /// Whether the results may call the game.
    fileprivate var callsHandlers = false
    /// Whether the ticks may have to begin or to end.
    fileprivate(set) var changesTicks = false

    mutating func releaseObjects() { released = [] }
  }

  /// Whether the calls have left anything.
  var hasWork: Bool {
    !commands.isEmpty || !jobs.isEmpty || events.isDue || !diagnostics.isEmpty || !released.isEmpty
      || !prepared.isEmpty
  }

  /// Claims the loads and the commands; the work has no turn if none is left, or another thread has claimed it.
  mutating func claim() -> Work {
    var work = Work()
    guard !isCarryingOut, hasWork else { return work }
    isCarryingOut = true
    lastTurn += 1
    work.turn = lastTurn
    takeJobs(&work)
    _ = takeCommands(&work.commands)
    return work
  }

  /// Moves the loads out; called without a claim for the loads of a new emitter.
  mutating func takeJobs() -> [SoundTable.Job] {
    defer { jobs = [] }
    return jobs
  }

  private mutating func takeJobs(_ work: inout Work) { if !jobs.isEmpty { swap(&work.jobs, &jobs) } }

  /// Moves the commands that came meanwhile behind the commands of a batch; returns `false` if none has come.
  ///
  /// An empty batch and the list of the outbox are swapped, so that neither allocates memory. The memory of a batch
  /// that is done is kept.
  mutating func takeCommands(_ batch: inout [VoiceCommand]) -> Bool {
    guard batch.isEmpty else {
      batch += commands
      commands.removeAll(keepingCapacity: true)
      return true
    }
    guard !commands.isEmpty else {
      if batch.capacity > 0 { swap(&batch, &spareCommands) }
      return false
    }
    if batch.capacity == 0 { swap(&batch, &spareCommands) }
    swap(&batch, &commands)
    return true
  }

  /// Moves the loads and the commands that came meanwhile into work that is done; returns `false` if none has come.
  mutating func takeMore(_ work: inout Work) -> Bool {
    guard !commands.isEmpty || !jobs.isEmpty else { return false }
    takeJobs(&work)
    _ = takeCommands(&work.commands)
    return true
  }

  /// Ends the claim of work that is done, before its events are posted.
  mutating func endClaim(_ work: inout Work) {
    work.callsHandlers = hasWork
    isCarryingOut = false
    work.isEnded = true
  }

  /// Moves the results out, for the time behind the claim.
  mutating func takeResults(_ work: inout Work) {
    if !released.isEmpty { swap(&work.released, &released) }
    if !prepared.isEmpty { swap(&work.prepared, &prepared) }
    if !diagnostics.isEmpty { swap(&work.diagnostics, &diagnostics) }
  }

  /// Compares the need of ticks with the ticks; a handler of the game may change the need behind that.
  func compareTicks(areNeeded: Bool, _ work: inout Work) {
    work.changesTicks = areNeeded != hasTicks || work.callsHandlers
  }

  mutating func setTicks(_ areNeeded: Bool) { hasTicks = areNeeded }
}
