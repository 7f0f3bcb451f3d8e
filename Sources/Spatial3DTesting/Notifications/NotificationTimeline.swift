internal import AudioSupport
public import Spatial3D

/// A record of the notifications of sources, each with its frame of the mix.
///
/// Observe sources, render, and compare ``entries``. An `OfflineRenderer` delivers all notifications on the thread that
/// rendered or called, before that call returns. The timeline is complete by then, and is the same in each run. On a
/// device the entries come from another thread, a little later. Each has the frame of the mix in which the library
/// noted the event.
///
/// The timeline observes for as long as it exists, and keeps neither sources nor context alive.
public final class NotificationTimeline: Sendable {
  /// The storage that the closures hold instead of the timeline, so that they do not keep the timeline alive.
  private final class Record: Sendable {
    let entries = Lock<[Entry]>([])
  }

  private let record = Record()
  private let tokens = Lock<[NotificationToken]>([])

  /// An empty timeline; see ``observe(_:as:_:)``.
  public init() {}

  /// Records the notifications of a source from now on, under a label that two sources may share.
  ///
  /// The default is all kinds. A source that is observed twice has each notification recorded twice.
  public func observe(_ source: SoundSource, as label: String, _ kinds: SourceNotification.Kinds = .all) {
    let token = source.observe(kinds) { [record] notification in
      let entry = Entry(label, notification.kind, at: notification.framePosition, state: notification.state)
      record.entries.withLock { $0.append(entry) }
    }
    tokens.withLock { $0.append(token) }
  }

  /// The entries until now, in the order of the mix; entries of one frame are in the order of their delivery.
  public var entries: [Entry] {
    // A mix notifies source by source, so that the frames of several sources are not in order yet.
    record.entries.withLock { $0 }.enumerated()
      .sorted { ($0.element.framePosition, $0.offset) < ($1.element.framePosition, $1.offset) }
      .map(\.element)
  }
}

extension NotificationTimeline: CustomStringConvertible {
  /// The entries as a table with one line each; `"Nothing happened."` for an empty timeline.
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
      // The column of numbers is aligned to the right, the columns of words to the left, and no line ends in spaces.
      return column == 0 ? room + row[column] : column == 3 ? row[column] : row[column] + room
    }
    return cells.joined(separator: "  ")
  }.joined(separator: "\n")
}
