public import Spatial3D

/// What happened to the sources of a scene, with the frames of the mix at which it did.
///
/// Observe sources, render, and compare ``entries``. An `OfflineRenderer` tells everything on the thread that rendered or called,
/// before that call returns, so that the timeline is complete then and the same each time. On a device the entries come from
/// another thread, a little later, and their frames are those of the mix in which something was noted.
///
/// Observes for as long as it is kept, and keeps neither sources nor context alive.
public final class NotificationTimeline: Sendable {
  /// What the closures hold in place of the timeline, so that it goes when its last user lets go of it.
  private final class Record: Sendable {
    let entries = Lock<[Entry]>([])
  }

  private let record = Record()
  private let tokens = Lock<[NotificationToken]>([])

  /// A timeline of nothing; see ``observe(_:as:_:)``.
  public init() {}

  /// Notes what happens to a source from now on, under a label that two sources may share.
  ///
  /// All kinds unless said otherwise. A source that is observed twice is noted twice.
  public func observe(_ source: SoundSource, as label: String, _ kinds: SourceNotification.Kinds = .all) {
    let token = source.observe(kinds) { [record] notification in
      let entry = Entry(label, notification.kind, at: notification.framePosition, state: notification.state)
      record.entries.withLock { $0.append(entry) }
    }
    tokens.withLock { $0.append(token) }
  }

  /// What was noted until now, in the order of the mix; at one frame in the order in which it was told.
  public var entries: [Entry] {
    // A mix tells one source after the other, each a part of its news.
    record.entries.withLock { $0 }.enumerated()
      .sorted { ($0.element.framePosition, $0.offset) < ($1.element.framePosition, $1.offset) }
      .map(\.element)
  }
}

extension NotificationTimeline: CustomStringConvertible {
  /// The entries as a table, a line for each; `"Nothing happened."` where there are none.
  ///
  /// ```text
  /// frame  source   what     state
  ///     0  intro    playing  playing
  ///     0  monster  playing  playing
  ///  4800  monster  looped   playing
  /// ```
  public var description: String { entries.isEmpty ? "Nothing happened." : table(of: entries) }
}

private func table(of entries: [NotificationTimeline.Entry]) -> String {
  let rows =
    [["frame", "source", "what", "state"]]
    + entries.map { ["\($0.framePosition)", $0.label, "\($0.kind)", "\($0.state)"] }
  let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    let cells = (0..<4).map { column in
      let room = String(repeating: " ", count: widths[column] - row[column].count)
      // Numbers end below each other, words begin there, and no line ends in spaces.
      return column == 0 ? room + row[column] : column == 3 ? row[column] : row[column] + room
    }
    return cells.joined(separator: "  ")
  }.joined(separator: "\n")
}
