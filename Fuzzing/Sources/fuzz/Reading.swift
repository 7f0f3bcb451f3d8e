import FileDecode
import Foundation

/// What came of reading a file that may be damaged.
enum Reading {
  case read(truncated: Bool)
  case refused(AudioFileError.Code)

  /// Reads all that a file has to offer; traps where it breaks a promise.
  init(_ bytes: [UInt8]) throws {
    do throws(AudioFileError) {
      let file = try AudioFile(bytes: bytes)
      let whole = try file.readAll()
      precondition(whole.samples.allSatisfy { $0.isFinite }, "a sample that is not finite")
      // Memory is bounded by the file, not by what it claims.
      let limit = max(64 * bytes.count, 4 * 4_096) * whole.format.channelCount
      precondition(whole.samples.capacity <= 4 * limit, "\(whole.samples.capacity) samples for \(bytes.count) bytes")
      precondition(file.isTruncated || file.frameCount == nil || file.frameCount == whole.frameCount, "a wrong length")
      let table = file.packetTable
      for number in [table.validFrames, table.primingFrames, table.remainderFrames, table.totalFrames] {
        precondition((number ?? 0) >= 0, "a negative number of frames")
      }
      for loop in file.loops { precondition(!loop.range.isEmpty && loop.range.lowerBound >= 0, "an empty loop") }
      _ = (file.markers, file.tags)
      var block = PCMBuffer<Float>(format: file.format)
      for frame in [whole.frameCount / 2, whole.frameCount - 1, 3, Int.max, Int.min] {
        try file.seek(toFrame: frame)
        let count = try file.read(into: &block, maxFrames: 10)
        precondition(count <= 10)
      }
      self = .read(truncated: file.isTruncated)
      let untrimmed = try AudioFile(bytes: bytes, trimming: .off)
      _ = try untrimmed.readAll(as: Int16.self)
      let mono = try AudioFile(bytes: bytes, as: .mono)
      try mono.seek(toFrame: whole.frameCount / 3)
      _ = try mono.read(into: &block)
    } catch {
      precondition(error.message.hasPrefix("The sound in memory"), error.message)
      self = .refused(error.code)
    }
  }
}

/// How many files were read, and the slowest.
struct Report {
  private(set) var count = 0
  private var outcomes: [String: Int] = [:]
  private var slowest: (name: String, duration: Duration) = ("", .zero)

  mutating func add(_ name: String, _ reading: Reading, took duration: Duration) {
    count += 1
    outcomes["\(reading)", default: 0] += 1
    if duration > slowest.duration { slowest = (name, duration) }
    precondition(duration < .seconds(20), "\(name) took \(duration)")
  }

  func show() {
    print("\(count) files; slowest \(slowest.duration) (\(slowest.name))")
    for (outcome, count) in outcomes.sorted(by: { $0.value > $1.value }) { print("  \(count) \(outcome)") }
    fflush(nil)
  }
}
