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
  /// `width` is how many files are read at a time; a number below 1 is taken as 1. `progress` is called after each file with
  /// how many are done and how many there are, one call at a time.
  public static func readAll<Sample: PCMSample>(
    _ paths: [String],
    as type: Sample.Type = Float.self,
    in client: ClientFormat = .asStored,
    width: Int? = nil,
    progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)? = nil
  ) async -> [Result<AudioAsset<Sample>, AudioFileError>] {
    let width = max(width ?? processorCount, 1)
    var results = [Result<AudioAsset<Sample>, AudioFileError>?](repeating: nil, count: paths.count)
    await withTaskGroup(of: (Int, Result<AudioAsset<Sample>, AudioFileError>).self) { group in
      var next = 0
      var finished = 0
      func start() {
        guard next < paths.count else { return }
        let (index, path) = (next, paths[next])
        group.addTask { (index, asset(path, as: type, in: client)) }
        next += 1
      }
      for _ in 0..<min(width, paths.count) { start() }
      while let (index, result) = await group.next() {
        results[index] = result
        finished += 1
        progress?(finished, paths.count)
        start()
      }
    }
    return zip(results, paths).map { result, path in result ?? .failure(.cancelled(path)) }
  }

  /// One of many files, given up once the task is cancelled.
  private static func asset<Sample: PCMSample>(
    _ path: String,
    as type: Sample.Type,
    in client: ClientFormat
  ) -> Result<AudioAsset<Sample>, AudioFileError> {
    do throws(AudioFileError) {
      guard !Task.isCancelled else { throw .cancelled(path) }
      let file = try AudioFile(opening: path, as: client)
      let reading = WholeReading(isCancelled: { Task.isCancelled })
      let buffer = try file.withDecoder { (decoder) throws(AudioFileError) in try decoder.whole(as: type, reading) }
      return .success(
        AudioAsset(path: path, buffer: buffer, loopRange: file.loopRange, isTruncated: file.isTruncated)
      )
    } catch {
      return .failure(error)
    }
  }

  /// How many processors this process may use.
  private static var processorCount: Int { max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1) }
}
