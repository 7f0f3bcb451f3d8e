internal import AudioSupport
internal import Glibc

/// A thread that reports changes of files, by inotify.
///
/// It watches the folders of the files: an editor that writes another file and renames it changes the folder alone.
final class FileWatch: Sendable {
  private struct State: Sendable {
    /// The paths of the files by their folders and names; several paths may name one file.
    var folders: [String: [String: [String]]] = [:]
    /// The folders by their watch descriptors; one may have several names.
    var watched: [Int32: Set<String>] = [:]
    /// The folders that could not be watched at the last attempt.
    var missing: Set<String> = []
    /// The first folder that exists and is not watched, with the error number, and whether it was reported.
    var refusal: (folder: String, number: Int32)?
    var hasReported = false
    /// The files whose folder exists again: they may have changed.
    var returned: [String] = []
    var isEnding = false

    var paths: Set<String> { Set(folders.keys.flatMap { files(of: $0) }) }

    func files(of folder: String) -> [String] { folders[folder]?.values.flatMap { $0 } ?? [] }

    mutating func takeReturned() -> [String] {
      defer { returned = [] }
      return returned
    }

    mutating func takeRefusal() -> (folder: String, number: Int32)? {
      guard let refusal, !hasReported else { return nil }
      hasReported = true
      return refusal
    }
  }

  /// The descriptors of inotify and of the pipe that wakes the thread; the last reference closes them.
  private let events: Int32
  private let (wakeRead, wakeWrite): (Int32, Int32)
  private let state = Lock(State())
  /// Reads a file again; returns `false` if it is to be tried again.
  private let read: @Sendable (_ path: String, _ isLast: Bool) -> Bool
  /// Reports the first folder that exists and cannot be watched, with the error number.
  private let report: @Sendable (_ folder: String, _ number: Int32) -> Void

  /// The changes of which the last one has the complete file.
  private static let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVE_SELF)
  /// The time between two attempts to watch a folder.
  ///
  /// Chosen: two calls of the system each second cost nothing, and a folder that a build replaces is back soon.
  private static let pause: Int64 = 500_000_000

  /// A watch without files; `nil` where the system allows no more.
  init?(
    read: @escaping @Sendable (_ path: String, _ isLast: Bool) -> Bool,
    report: @escaping @Sendable (_ folder: String, _ number: Int32) -> Void
  ) {
    (self.read, self.report) = (read, report)
    var ends: [Int32] = [-1, -1]
    events = inotify_init1(Int32(O_NONBLOCK | O_CLOEXEC))
    // The array has room for the two descriptors.
    let result = unsafe pipe(&ends)
    (wakeRead, wakeWrite) = (ends[0], ends[1])
    for descriptor in ends where result == 0 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    }
    guard events >= 0, result == 0, startThread({ [self] in work() }) else { return nil }
  }

  deinit {
    for descriptor in [events, wakeRead, wakeWrite] where descriptor >= 0 { close(descriptor) }
  }

  /// Ends the thread.
  func end() {
    state.withLock { $0.isEnding = true }
    wake()
  }

  /// Watches these files instead of the earlier files.
  func setPaths(_ paths: Set<String>) {
    var folders: [String: [String: [String]]] = [:]
    for path in paths.sorted() {
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { String(path[...$0]) } ?? "./"
      let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
      folders[folder, default: [:]][name, default: []].append(path)
    }
    state.withLock { $0.folders = folders }
    // A change right after this call is noticed.
    _ = watchFolders()
    wake()
  }

  private func wake() {
    var byte: UInt8 = 0
    // One byte of a variable that lives during the call. A full pipe wakes the thread too.
    _ = unsafe write(wakeWrite, &byte, 1)
  }
}

// MARK: - The thread

extension FileWatch {
  private func work() {
    var pending = PendingFiles()
    while !state.withLock({ $0.isEnding }) {
      let watchesAll = watchFolders()
      if let refusal = state.withLock({ $0.takeRefusal() }) { report(refusal.folder, refusal.number) }
      let now = monotonicTime()
      for path in state.withLock({ $0.takeReturned() }) { pending.note(path, at: now) }
      let due = [pending.next, watchesAll ? nil : now + Self.pause].compactMap { $0 }.min()
      wait(for: due.map { max($0 - now, 0) })
      readEvents(&pending)
      pending.keep(state.withLock { $0.paths })
      for (path, isLast) in pending.due(at: monotonicTime()) {
        guard !state.withLock({ $0.isEnding }) else { return }
        pending.finish(path, isRead: read(path, isLast), at: monotonicTime())
      }
    }
  }

  /// Watches the folders that are not watched yet; returns `false` if one cannot be watched.
  private func watchFolders() -> Bool {
    state.withLock { state in
      for (descriptor, names) in state.watched {
        let used = names.filter { state.folders[$0] != nil }
        if used.isEmpty { inotify_rm_watch(events, descriptor) }
        state.watched[descriptor] = used.isEmpty ? nil : used
      }
      let watched = state.watched.values.reduce(into: Set<String>()) { $0.formUnion($1) }
      for folder in state.folders.keys where !watched.contains(folder) {
        // The string is passed as bytes that end with 0.
        let descriptor = unsafe inotify_add_watch(events, folder, Self.mask)
        guard descriptor >= 0 else {
          if ![ENOENT, ENOTDIR].contains(errno), state.refusal == nil { state.refusal = (folder, errno) }
          state.missing.insert(folder)
          continue
        }
        state.watched[descriptor, default: []].insert(folder)
        if state.missing.remove(folder) != nil { state.returned += state.files(of: folder) }
      }
      state.missing.formIntersection(state.folders.keys)
      return state.missing.isEmpty
    }
  }

  /// Waits for an event, for a call of another thread, or until a time is over.
  private func wait(for nanoseconds: Int64?) {
    var descriptors = [
      pollfd(fd: events, events: Int16(POLLIN), revents: 0), pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0),
    ]
    let timeout = nanoseconds.map { Int32(min($0 / 1_000_000 + 1, 60_000)) } ?? -1
    // The array has two elements, and lives during the call.
    _ = unsafe poll(&descriptors, 2, timeout)
    var bytes: [UInt8] = Array(repeating: 0, count: 64)
    // The count is the length of the array.
    while unsafe Glibc.read(wakeRead, &bytes, bytes.count) > 0 {}
  }

  /// Reads the events of inotify, and notes the files that they name.
  private func readEvents(_ pending: inout PendingFiles) {
    var bytes: [UInt8] = Array(repeating: 0, count: 16_384)
    while true {
      // The count is the length of the array.
      let count = unsafe Glibc.read(events, &bytes, bytes.count)
      guard count > 0 else { return }
      let time = monotonicTime()
      for event in FileEvent.all(in: bytes[..<count]) { note(event, &pending, at: time) }
    }
  }

  private func note(_ event: FileEvent, _ pending: inout PendingFiles, at time: Int64) {
    let paths: [String] = state.withLock { state in
      // Events were lost.
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return Array(state.paths) }
      guard let names = state.watched[event.descriptor] else { return [] }
      guard event.mask & UInt32(IN_IGNORED | IN_MOVE_SELF) == 0 else {
        // The folder is gone: its files may come back with another folder.
        if event.mask & UInt32(IN_MOVE_SELF) != 0 { inotify_rm_watch(events, event.descriptor) }
        state.watched[event.descriptor] = nil
        return names.flatMap { state.files(of: $0) }
      }
      return names.flatMap { state.folders[$0]?[event.name] ?? [] }
    }
    for path in paths { pending.note(path, at: time) }
  }
}
