internal import Glibc

/// A sound that was read into memory, and the part of it that repeats.
public struct AudioAsset<Sample: PCMSample>: Hashable, Sendable {
  /// The path of the file.
  public let path: String

  /// The sound.
  public let buffer: PCMBuffer<Sample>

  /// The frames that repeat, as the file says; `nil` where it does not.
  public let loopRange: Range<Int>?

  /// Whether the file holds less than it should.
  public let isTruncated: Bool
}

extension AudioFile {
  /// Reads many files into memory at once, as many at a time as the machine has processors.
  ///
  /// The results come in the order of the paths. A file that cannot be read is a failure among them and keeps no other from
  /// being read. Once the task is cancelled, what was not read to its end is a failure with the code `cancelled`.
  ///
  /// `width` is how many files are read at a time, 1 to 64; a number beyond is taken as the nearest. `progress` is called
  /// after each file with how many are done and how many there are, one call at a time.
  ///
  /// Reads on threads of its own, which end with it: those that tasks share stay free. `progress` is called on them.
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
      await withCheckedContinuation { continuation in
        let reading = ParallelReading<Sample>(paths, in: client, cancellation, progress: progress) {
          continuation.resume(returning: $0)
        }
        // A system that gives no thread has this one.
        if OwnThreads.start(threadCount, reading.work) == 0 { reading.work() }
      }
    } onCancel: {
      cancellation.turnOn()
    }
  }

  /// More than this read at a time would not be faster.
  private static let widthLimit = 64

  /// How many processors this process may use.
  private static var processorCount: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }
}
