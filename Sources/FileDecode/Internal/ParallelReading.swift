internal import Synchronization

/// The reading of many files by as many threads as are given to it.
final class ParallelReading<Sample: PCMSample>: Sendable {
  typealias Asset = Result<AudioAsset<Sample>, AudioFileError>

  private struct State {
    var next = 0
    var finished = 0
    var assets: [Asset?]

    /// The next file that no thread has taken.
    mutating func take() -> Int? {
      guard next < assets.count else { return nil }
      next += 1
      return next - 1
    }
  }

  private let paths: [String]
  private let client: ClientFormat
  private let progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)?
  private let finish: @Sendable ([Asset]) -> Void
  private let state: Lock<State>
  private let cancellation: Cancellation

  /// Prepares to read files, of which there is one at least; `finish` is called once with what came of each.
  init(
    _ paths: [String],
    in client: ClientFormat,
    _ cancellation: Cancellation,
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)?,
    finish: @escaping @Sendable ([Asset]) -> Void
  ) {
    self.paths = paths
    self.client = client
    self.cancellation = cancellation
    self.progress = progress
    self.finish = finish
    state = Lock(State(assets: [Asset?](repeating: nil, count: paths.count)))
  }

  /// Reads one file after the other until none is left that no thread has taken.
  func work() {
    while let index = state.withLock({ $0.take() }) {
      let asset = asset(paths[index])
      // With the lock, so that progress is told in order and one call at a time.
      let isLast = state.withLock { state in
        state.assets[index] = asset
        state.finished += 1
        progress?(state.finished, paths.count)
        return state.finished == paths.count
      }
      if isLast {
        let assets = state.withLock { $0.assets }
        finish(zip(assets, paths).map { asset, path in asset ?? .failure(.cancelled(path)) })
      }
    }
  }

  /// One file, given up where nobody waits for it any more.
  private func asset(_ path: String) -> Asset {
    let isCancelled = { [cancellation] in cancellation.isOn }
    do throws(AudioFileError) {
      guard !isCancelled() else { throw .cancelled(path) }
      let file = try AudioFile(opening: path, in: client)
      let buffer = try file.withDecoder { (decoder) throws(AudioFileError) in
        try decoder.whole(as: Sample.self, WholeReading(isCancelled: isCancelled))
      }
      return .success(
        AudioAsset(path: path, buffer: buffer, loopRange: file.loopRange, isTruncated: file.isTruncated)
      )
    } catch {
      return .failure(error)
    }
  }
}

/// Whether nobody waits for a result any more, told from any thread.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isOn: Bool { flag.load(ordering: .relaxed) }

  func turnOn() { flag.store(true, ordering: .relaxed) }
}
