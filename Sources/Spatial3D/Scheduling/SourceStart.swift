/// When and where a source starts, and where it last did.
///
/// Times are in nanoseconds of the clock, because the mix rate may change meanwhile. Pure: no call and no lock, except
/// that it keeps the silence ahead of the sound alive.
struct SourceStart: Sendable {
  /// The library's clock when the source last started from its beginning; negative for none.
  private(set) var clock: Int64 = -1
  /// How often the source has started.
  private(set) var count = 0
  /// The requested frame of the next start of a source that does not play.
  private(set) var frame: Double?
  /// The scheduled start, on the library's clock, until a call replaces it.
  var time: Duration?
  /// The wait for the scheduled start, where the library does not wait by itself.
  fileprivate(set) var wait: Wait?
  /// The silence ahead of the sound: of a waiting source, and of a started one until the silence is over.
  fileprivate(set) var padding: SilencePadding?
  /// Whether the source was started in its silence.
  private(set) var isInSilence = false

  /// The wait of a source for its start time; the source counts as playing, like in a library that waits by itself.
  struct Wait: Sendable {
    var time: Int64
    var startsInSilence = false
    /// The frame of the sound at which the source starts; `nil` if none was set.
    var frame: Double?
    /// The state to report: the source waits only while it is `.playing`.
    var state = SourceState.playing
  }

  /// The state to report for the source; `nil` if the library's state is right.
  var state: SourceState? { wait?.state }

  /// The frame of the sound at which the source starts next; `nil` if none was set.
  var nextFrame: Double? { wait?.frame ?? frame }

  /// The frame at which a scheduled start begins: the requested frame, or the frame of a wait that is paused.
  var scheduledFrame: Double? { frame ?? (wait?.state == .paused ? wait?.frame : nil) }

  /// The number of frames of silence in the library's count that do not belong to the sound.
  var silence: Int { padding?.length ?? 0 }

  /// Stores the clock of a start.
  ///
  /// A start at a requested frame is no start from the beginning.
  mutating func begin(at now: Int64) {
    clock = frame == nil ? now : -1
    frame = nil
    count += 1
  }

  /// Stores a seek of a source; a source that neither is held by the library nor waits starts there when it is played.
  mutating func seek(to target: Double, isHeld: Bool) {
    clock = -1
    // The library takes no higher frame.
    let target = min(target, Double(Int32.max))
    wait?.frame = target
    frame = isHeld || wait != nil ? nil : target
  }

  /// Forgets a requested frame: a source that is stopped or rewound starts at its beginning.
  mutating func forgetFrame() { frame = nil }

  /// Pauses the wait.
  mutating func pauseWait() {
    if wait?.state == .playing { wait?.state = .paused }
  }

  /// Resumes a paused wait; returns whether it was paused.
  mutating func resumeWait() -> Bool {
    guard wait?.state == .paused else { return false }
    wait?.state = .playing
    return true
  }

  /// Stores that the source plays its silence from now on.
  mutating func enterSilence() { isInSilence = true }

  /// Removes the silence; a source that waits to start in it then waits for the start of its sound.
  fileprivate mutating func removePadding() -> SilencePadding? {
    isInSilence = false
    guard let removed = padding else { return nil }
    padding = nil
    if let wait, wait.startsInSilence { self.wait = Wait(time: removed.time, state: wait.state) }
    return removed
  }
}

/// The sources that wait for a start time or have silence ahead of their sounds, where the library does not wait by
/// itself.
///
/// The waits and the silence are in the records of the sources. Pure: its owner starts the sources.
struct StartSchedule: Sendable {
  /// The waiting sources, in the order of the requests.
  private(set) var waiting: [SourceKey] = []
  /// The sources with silence ahead of their sounds.
  private(set) var padded: [SourceKey] = []
  /// The number by which lock-free readers of the library detect a change.
  private let sequence: ScheduleSequence
  /// How many changes of the schedule are open, one in the other.
  private var openChanges = 0

  init(sequence: ScheduleSequence = ScheduleSequence()) { self.sequence = sequence }

  /// Begins a change of the schedule and the library together, so that lock-free readers of both get a consistent
  /// state; each call needs an `endChange`.
  mutating func beginChange() {
    if openChanges == 0 { sequence.beginChange() }
    openChanges += 1
  }

  mutating func endChange() {
    openChanges -= 1
    if openChanges == 0 { sequence.endChange(isEmpty: isEmpty) }
  }

  var isEmpty: Bool { waiting.isEmpty && padded.isEmpty }

  /// Lets a source wait; a new wait replaces the old one.
  mutating func add(_ wait: SourceStart.Wait, of key: SourceKey, to start: inout SourceStart) {
    if start.wait != nil { waiting.removeAll { $0 == key } }
    waiting.append(key)
    start.wait = wait
  }

  /// Ends the wait of a source.
  mutating func endWait(of key: SourceKey, in start: inout SourceStart) {
    guard start.wait != nil else { return }
    waiting.removeAll { $0 == key }
    start.wait = nil
  }

  /// Stores the silence ahead of a source's sound.
  mutating func add(_ padding: SilencePadding, of key: SourceKey, to start: inout SourceStart) {
    if start.padding == nil { padded.append(key) }
    start.padding = padding
  }

  /// Removes the silence ahead of a source's sound.
  mutating func takePadding(of key: SourceKey, from start: inout SourceStart) -> SilencePadding? {
    guard start.padding != nil else { return nil }
    padded.removeAll { $0 == key }
    return start.removePadding()
  }

  /// The next start time; the closure returns a source's wait.
  func nextTime(_ wait: (SourceKey) -> SourceStart.Wait?) -> Int64? {
    waiting.lazy.compactMap(wait).filter { $0.state == .playing }.map(\.time).min()
  }

  /// The sources with a start time that has passed, in the order of the requests.
  func due(_ wait: (SourceKey) -> SourceStart.Wait?, at hasPassed: (Int64) -> Bool) -> [SourceKey] {
    waiting.filter { key in wait(key).map { $0.state == .playing && hasPassed($0.time) } ?? false }
  }
}
