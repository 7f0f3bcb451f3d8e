/// The files that have changed, and the times at which they are to be read.
///
/// A file is read when it has been quiet for a while. A file that cannot be read may be half written, and is tried
/// again. Pure: no call and no lock. Times are nanoseconds on any clock.
struct PendingFiles: Sendable {
  private struct Pending: Sendable {
    var due: Int64
    var attempts = 0
  }

  private static let millisecond: Int64 = 1_000_000
  /// The time without a change before a file is read.
  ///
  /// Chosen: longer than most pauses of a program that writes a file in pieces, and too short to be noticed.
  static let quiet = 60 * millisecond
  /// The times from one attempt to the next: three seconds in all.
  ///
  /// Chosen: the export of a long sound may take seconds, and a short sound is read soon. A change within this time
  /// begins the attempts again.
  static let pauses = [100, 200, 400, 800, 1_500].map { $0 * millisecond }

  private var files: [String: Pending] = [:]

  /// The time of the next attempt; `nil` for none.
  var next: Int64? { files.values.map(\.due).min() }

  /// Notes a change of a file.
  mutating func note(_ path: String, at time: Int64) { files[path] = Pending(due: time + Self.quiet) }

  /// The files to read now, and whether it is the last attempt.
  func due(at time: Int64) -> [(path: String, isLast: Bool)] {
    files.filter { $0.value.due <= time }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value.attempts >= Self.pauses.count) }
  }

  /// Notes the end of an attempt; a file that could not be read is due again later, unless it was the last attempt.
  mutating func finish(_ path: String, isRead: Bool, at time: Int64) {
    guard var pending = files[path], !isRead, pending.attempts < Self.pauses.count else {
      files[path] = nil
      return
    }
    pending.due = time + Self.pauses[pending.attempts]
    pending.attempts += 1
    files[path] = pending
  }

  /// Forgets the files that nobody watches any more.
  mutating func keep(_ paths: Set<String>) { files = files.filter { paths.contains($0.key) } }
}
