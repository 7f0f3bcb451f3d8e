internal import AudioSupport

/// A sound in memory, and the part of it that repeats.
public struct AudioAsset<Sample: PCMSample>: Hashable, Sendable {
  /// The path of the file.
  public let path: String

  /// The sound.
  public let buffer: PCMBuffer<Sample>

  /// The frames that repeat; `nil` if the file has no loop.
  public let loopRange: Range<Int>?

  /// Whether the file holds less than it should.
  public let isTruncated: Bool
}

extension AudioFile {
  /// Reads many files into memory at once, by default as many at a time as the process may use processors.
  ///
  /// The results come in the order of the paths. An unreadable file becomes a failure among them and does not stop the
  /// others. After a cancellation of the task, each file that was not read to its end is a failure with the code
  /// `cancelled`.
  ///
  /// `width` is the number of files at a time, clamped to 1 to 64. The function calls `progress` after each file with
  /// the number of finished files and their total, in order and one call at a time. No lock is held during a call.
  ///
  /// The function reads on threads of its own, which end with it, so Swift's shared threads stay free. It calls
  /// `progress` on its own threads.
  public static func readAll<Sample: PCMSample>(
    _ paths: [String],
    as type: Sample.Type = Float.self,
    in client: ClientFormat = .asStored,
    width: Int? = nil,
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)? = nil
  ) async -> [Result<AudioAsset<Sample>, AudioFileError>] {
    await processInParallel(paths, width: width, progress: progress) { path, isCancelled in
      AudioAsset.result(of: path, in: client, isCancelled)
    }
  }
}

extension AudioAsset {
  /// Reads a file; the reading of a cancelled task ends at the next block.
  fileprivate static func result(
    of path: String,
    in client: ClientFormat,
    _ isCancelled: @escaping () -> Bool
  ) -> Result<AudioAsset, AudioFileError> {
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
