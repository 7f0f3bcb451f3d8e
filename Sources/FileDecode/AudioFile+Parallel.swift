internal import AudioSupport
internal import Glibc

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
    guard !paths.isEmpty else { return [] }
    let cancellation = Cancellation()
    let threadCount = min(max(width ?? processorCount, 1), widthLimit, paths.count)
    return await withTaskCancellationHandler {
      await receive { deliver in
        let reading = ParallelReading<Sample>(paths, in: client, cancellation, progress: progress, finish: deliver)
        var started = 0
        while started < threadCount, startThread(reading.work) { started += 1 }
        // If the system starts no thread, the current one does the work.
        if started == 0 { reading.work() }
      }
    } onCancel: {
      cancellation.turnOn()
    }
  }

  /// More files at a time would not be faster.
  private static let widthLimit = 64

  /// The number of processors that this process may use.
  private static var processorCount: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }
}
