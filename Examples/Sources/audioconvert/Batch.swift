import Foundation
import Stage
import Synchronization

/// Runs conversions on several cores, and prints their results in order.
struct Batch {
  let options: ConversionOptions
  let mode: Conversion.Mode
  /// The largest number of conversions at a time.
  let jobs: Int

  /// The results of all conversions.
  struct Summary: Equatable {
    var hasFailure = false
    var hasTruncatedInput = false
  }

  func run(_ conversions: [Conversion]) -> Summary {
    let folders = mode == .convert ? OutputFolders() : nil
    let printer = OrderedPrinter()
    let progress = BatchProgress(count: conversions.count, isShown: mode == .convert)
    let outcomes = inParallel(Array(conversions.enumerated()), limit: jobs) { index, conversion in
      let outcome = outcome(of: conversion, folders) { progress.update(index, to: $0) }
      progress.update(index, to: 1)
      progress.withoutLine { printer.finish(index, outcome) }
      return outcome
    }
    progress.end()
    folders?.removeEmpty()
    return Summary(
      hasFailure: outcomes.contains(where: \.hasFailed),
      hasTruncatedInput: outcomes.contains(where: \.isTruncated)
    )
  }

  private func outcome(
    of conversion: Conversion,
    _ folders: OutputFolders?,
    progress: (Double) -> Void
  ) -> Conversion.Outcome {
    if Interruption.hasCome { return Conversion.Outcome(hasFailed: true) }
    if let problem = options.problem(for: conversion.kind) {
      return .failure("\(conversion.outputName) cannot be created: \(problem)")
    }
    do {
      if !conversion.writesStandardOutput { try folders?.make(for: conversion.output) }
    } catch {
      return .failure(error.message)
    }
    return conversion.run(options, mode, progress: progress)
  }
}

/// The folders that a batch creates below its output folder.
final class OutputFolders: Sendable {
  private let made = Mutex<[String]>([])

  /// Creates the missing folders of a path.
  func make(for path: String) throws(StreamError) {
    let folder = (path as NSString).deletingLastPathComponent
    guard !folder.isEmpty else { return }
    var missing: [String] = []
    var place = folder
    while !place.isEmpty, !FileManager.default.fileExists(atPath: place) {
      missing.append(place)
      place = (place as NSString).deletingLastPathComponent
    }
    for place in missing.reversed() {
      guard unsafe mkdir(place, 0o777) != 0 else {
        made.withLock { $0.append(place) }
        continue
      }
      // Another conversion may have created it meanwhile.
      guard errno != EEXIST else { continue }
      let reason = unsafe String(cString: strerror(errno))
      throw StreamError("The folder \(place) cannot be created: \(reason). Name another folder.")
    }
  }

  /// Removes the folders that nothing was written to.
  func removeEmpty() {
    // The system keeps a folder that has files; a folder has a longer path than the folders around it.
    for place in made.withLock({ $0 }).sorted(by: { $0.utf8.count > $1.utf8.count }) { unsafe rmdir(place) }
  }
}

/// Prints the results of conversions in their order, each as soon as those before it are done.
final class OrderedPrinter: Sendable {
  private let state = Mutex<(next: Int, waiting: [Int: Conversion.Outcome])>((0, [:]))

  func finish(_ index: Int, _ outcome: Conversion.Outcome) {
    state.withLock { state in
      state.waiting[index] = outcome
      while let next = state.waiting.removeValue(forKey: state.next) {
        for note in next.notes { Terminal.note(note) }
        if let line = next.line { print(line) }
        state.next += 1
      }
    }
  }
}

/// The progress of all conversions, with the time that is left.
final class BatchProgress: Sendable {
  private struct State: ~Copyable {
    var parts: [Double]
    var line: ProgressLine?
  }

  private let state: Mutex<State>
  private let start = ContinuousClock.now

  init(count: Int, isShown: Bool) {
    state = Mutex(State(parts: Array(repeating: 0, count: count), line: isShown ? ProgressLine() : nil))
  }

  func update(_ index: Int, to part: Double) {
    let elapsed = ContinuousClock.now - start
    state.withLock { state in
      state.parts[index] = part
      let done = state.parts.reduce(0, +) / Double(state.parts.count)
      state.line?.show("Converting", done: done, left: Self.left(after: elapsed, done: done))
    }
  }

  /// Runs a closure that prints, and keeps the line away meanwhile.
  func withoutLine(_ body: () -> Void) {
    state.withLock { state in
      state.line?.erase()
      body()
    }
  }

  /// Removes the line.
  func end() { state.withLock { $0.line = nil } }

  /// The time that is left if the rest takes as long as the part so far; `nil` before one can be stated.
  static func left(after elapsed: Duration, done: Double) -> Duration? {
    guard elapsed > .seconds(1), (0.01..<1).contains(done) else { return nil }
    return elapsed * ((1 - done) / done)
  }
}
