/// The order in which files and readers of the game are opened: which work may begin, and which takes too long.
///
/// Files are opened one after the other. Samples are made anew one after the other, beside the files. Neither waits for
/// work that is late. A reader of the game may block for as long as a network does, so that several readers are opened
/// at a time, up to a limit. The timelines of players count as readers, also if they read files. The sounds for the
/// line of one player are opened one after the other, whatever they are. Pure: no call, no lock and no clock; times are
/// nanoseconds that the caller passes.
struct LoadQueue: Sendable {
  /// The kind of source that a work opens.
  enum Lane: Int, Hashable, Sendable, CaseIterable {
    /// Files of emitters, and files that are scheduled for players.
    case files
    /// Readers of the game, and the timelines of players.
    case readers
    /// Samples that are made anew for another rate of the mix: no play waits behind them.
    case renewals
  }

  /// The line of a player, by the player's number in its world.
  struct Line: Hashable, Sendable {
    let player: Int
  }

  /// The opening of one sound or stream.
  struct Work: Sendable {
    let lane: Lane
    /// The name of the sound, for diagnostics.
    let name: String
    /// The player whose line the sound is for.
    var line: Line?
    /// The use of the files that the work opens, which is reported when it is late; `nil` for readers of the game.
    let fileUse: FileUse?
    let call: @Sendable () -> Void

    init(
      lane: Lane,
      name: String,
      line: Line? = nil,
      fileUse: FileUse?,
      call: @escaping @Sendable () -> Void
    ) {
      (self.lane, self.name, self.line, self.fileUse, self.call) = (lane, name, line, fileUse, call)
    }
  }

  /// The use of a file that is opened.
  enum FileUse: Hashable, Sendable {
    /// The file is decoded into memory before it plays.
    case decoded
    /// The file is read while it plays.
    case streamed
  }

  /// A work that has begun; the thread that does it reports its end.
  struct Begun: Sendable {
    fileprivate let id: Int
    let work: Work
  }

  /// A work that takes longer than ``patience``.
  enum Delay: Hashable, Sendable {
    /// A file is not open, or not decoded.
    case file(String, FileUse)
    /// A stream waits, because as many readers as may be opened at a time block.
    case reader(String)
  }

  private struct Waiting: Sendable {
    let work: Work
    let since: Int64
  }

  private struct Running: Sendable {
    let id: Int
    let lane: Lane
    let name: String
    let fileUse: FileUse?
    let since: Int64
    var isLate = false
  }

  /// The nanoseconds after which a file, or a reader that waits, is reported.
  ///
  /// Chosen: a file of a game is open and decoded in far less time, and a sound that is so late is missed in the game.
  static let patience: Int64 = 5_000_000_000

  private var lanes = Lane.allCases.map { _ in Fifo<Waiting>() }
  /// The works of a player behind its work that has begun or waits in a lane.
  private var lines: [Line: Fifo<Work>] = [:]
  private var running: [Running] = []
  private var lastID = 0
  private var hasReportedLimit = false

  var isEmpty: Bool { running.isEmpty && lanes.allSatisfy(\.isEmpty) }

  /// Adds a work behind all others of its lane and of its line.
  mutating func add(_ work: Work, at time: Int64) {
    if let line = work.line {
      if lines[line] != nil {
        lines[line]?.append(work)
        return
      }
      lines[line] = Fifo()
    }
    lanes[work.lane.rawValue].append(Waiting(work: work, since: time))
  }

  /// Takes the next work that may begin.
  mutating func begin(at time: Int64) -> Begun? {
    for lane in Lane.allCases where hasRoom(in: lane) {
      guard let work = lanes[lane.rawValue].popFirst()?.work else { continue }
      lastID += 1
      running.append(
        Running(id: lastID, lane: lane, name: work.name, fileUse: work.fileUse, since: time)
      )
      return Begun(id: lastID, work: work)
    }
    return nil
  }

  /// Ends a work.
  mutating func end(_ begun: Begun, at time: Int64) {
    running.removeAll { $0.id == begun.id }
    guard let line = begun.work.line else { return }
    guard let next = lines[line]?.popFirst() else { return lines[line] = nil }
    lanes[next.lane.rawValue].append(Waiting(work: next, since: time))
  }

  /// Lets a work that found no thread wait again, before all others.
  mutating func putBack(_ begun: Begun, at time: Int64) {
    running.removeAll { $0.id == begun.id }
    lanes[begun.work.lane.rawValue].prepend(Waiting(work: begun.work, since: time))
  }

  /// The works that have become late by a time, each once, and once a reader that waits for others.
  ///
  /// The other files no longer wait for a file that is late.
  mutating func delays(at time: Int64) -> [Delay] {
    var delays: [Delay] = []
    for index in running.indices where !running[index].isLate && time - running[index].since >= Self.patience {
      running[index].isLate = true
      if let use = running[index].fileUse { delays.append(.file(running[index].name, use)) }
    }
    if !hasReportedLimit, let first = lanes[Lane.readers.rawValue].first, time - first.since >= Self.patience {
      hasReportedLimit = true
      delays.append(.reader(first.work.name))
    }
    return delays
  }

  private func hasRoom(in lane: Lane) -> Bool {
    let count = running.count { $0.lane == lane }
    return count < lane.mostThreads && (lane == .readers || running.allSatisfy { $0.lane != lane || $0.isLate })
  }
}

extension LoadQueue.Lane {
  /// The largest number of works that run at a time.
  ///
  /// Chosen: the default of ``AudioWorld/streamLimit``, so that a reader for each stream may block. All files but the
  /// newest are late, and each blocks a thread.
  var mostThreads: Int { 16 }
}

/// Elements that leave in the order in which they came, each in constant time on average.
struct Fifo<Element> {
  private var incoming: [Element] = []
  /// The elements that leave next, in reverse.
  private var outgoing: [Element] = []

  var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }
  var first: Element? { outgoing.last ?? incoming.first }

  mutating func append(_ element: Element) { incoming.append(element) }

  mutating func prepend(_ element: Element) { outgoing.append(element) }

  mutating func popFirst() -> Element? {
    if outgoing.isEmpty {
      outgoing = incoming.reversed()
      incoming = []
    }
    return outgoing.popLast()
  }
}

extension Fifo: Sendable where Element: Sendable {}
