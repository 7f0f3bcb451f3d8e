internal import AudioSupport
internal import Synchronization

/// The reading of many files by several threads.
final class ParallelReading<Sample: PCMSample>: Sendable {
  typealias Asset = Result<AudioAsset<Sample>, AudioFileError>

  private struct State {
    var rest: EnumeratedSequence<[String]>.Iterator
    /// The result of each file; a file that was not read yet counts as cancelled.
    var assets: [Asset]
  }

  private let client: ClientFormat
  private let progress: SharedProgress
  private let finish: @Sendable ([Asset]) -> Void
  private let state: Lock<State>
  private let cancellation: Cancellation

  /// Prepares to read one or more files; `finish` is called once with the result of each.
  init(
    _ paths: [String],
    in client: ClientFormat,
    _ cancellation: Cancellation,
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)?,
    finish: @escaping @Sendable ([Asset]) -> Void
  ) {
    self.client = client
    self.cancellation = cancellation
    self.progress = SharedProgress(of: paths.count, report: progress)
    self.finish = finish
    let assets = paths.map { Asset.failure(.cancelled($0)) }
    state = Lock(State(rest: paths.enumerated().makeIterator(), assets: assets))
  }

  /// Reads one file after the other until none is left.
  func work() {
    while let (index, path) = state.withLock({ $0.rest.next() }) {
      let asset = asset(path)
      state.withLock { $0.assets[index] = asset }
      progress.advance { finish(state.withLock { $0.assets }) }
    }
  }

  /// Reads one file, or gives up after a cancellation.
  private func asset(_ path: String) -> Asset {
    let isCancelled = { [cancellation] in cancellation.isOn }
    do throws(AudioFileError) {
      guard !isCancelled() else { throw .cancelled(path) }
      let file = try AudioFile(opening: path, in: client)
      let buffer = try file.withDecoder { (decoder) throws(AudioFileError) in
        try decoder.whole(as: Sample.self, WholeReading(isCancelled: isCancelled))
      }
      return .success(AudioAsset(path: path, buffer: buffer, loopRange: file.loopRange, isTruncated: file.isTruncated))
    } catch {
      return .failure(error)
    }
  }
}

/// A flag that cancels a reading, for use from any thread.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isOn: Bool { flag.load(ordering: .relaxed) }

  func turnOn() { flag.store(true, ordering: .relaxed) }
}
