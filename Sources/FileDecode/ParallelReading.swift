internal import AudioSupport
internal import Synchronization

/// The reading of many files by several threads.
final class ParallelReading<Sample: PCMSample>: Sendable {
  typealias Asset = Result<AudioAsset<Sample>, AudioFileError>

  private struct State {
    var next = 0
    var finished = 0
    var assets: [Asset?]

    /// Takes the next file, unless none is left.
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

  /// Prepares to read one or more files; `finish` is called once with the result of each.
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

  /// Reads one file after the other until none is left.
  func work() {
    while let index = state.withLock({ $0.take() }) {
      let asset = asset(paths[index])
      // The lock is held during `progress`, so that its calls come in order and one at a time.
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

  /// Reads one file, or gives up after a cancellation.
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

/// A flag that cancels a reading, for use from any thread.
final class Cancellation: Sendable {
  private let flag = Atomic(false)

  var isOn: Bool { flag.load(ordering: .relaxed) }

  func turnOn() { flag.store(true, ordering: .relaxed) }
}
