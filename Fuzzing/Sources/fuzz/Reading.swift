import FileDecode
import Foundation

/// The outcome of reading a file that may be damaged.
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
      let mono = try AudioFile(bytes: bytes, in: .mono)
      try mono.seek(toFrame: whole.frameCount / 3)
      _ = try mono.read(into: &block)
      try resample(bytes, whole.frameCount)
    } catch {
      precondition(error.message.hasPrefix("The sound in memory"), error.message)
      self = .refused(error.code)
    }
  }

  /// Reads a file at other rates, whole and in part.
  private func resample(_ bytes: [UInt8], _ frameCount: Int) throws(AudioFileError) {
    for rate in [8_000, 48_000] {
      let file = try AudioFile(bytes: bytes, in: ClientFormat(sampleRate: rate, layout: .mono))
      let whole = try file.readAll(as: Int16.self)
      let expected = Double(frameCount) * Double(rate) / Double(file.storedFormat.sampleRate)
      // A loop is stretched by less than a tenth of a per cent, so that it closes; a frame more or less is rounding.
      precondition(
        abs(Double(whole.frameCount) - expected) <= 3 + expected / 500,
        "\(whole.frameCount) for \(expected)"
      )
      var block = PCMBuffer<Float>(format: file.format)
      for frame in [whole.frameCount / 2, whole.frameCount - 1, 3, Int.max] {
        try file.seek(toFrame: frame)
        let count = try file.read(into: &block, maxFrames: 10)
        precondition(count <= 10)
      }
    }
  }
}

/// How many files were read, and the slowest.
struct Report {
  private(set) var count = 0
  private var outcomes: [String: Int] = [:]
  private var slowest: (name: String, duration: Duration) = ("", .zero)

  /// Reads a file and adds the outcome; traps if that takes too long.
  mutating func read(_ bytes: [UInt8], _ name: String) throws {
    // The signal ends a read that hangs.
    alarm(60)
    let start = Report.processorTime()
    let reading = try Reading(bytes)
    let duration = Report.processorTime() - start
    count += 1
    outcomes["\(reading)", default: 0] += 1
    if duration > slowest.duration {
      slowest = (name, duration)
      try Data(bytes).write(to: URL(fileURLWithPath: "slowest-input"))
    }
    precondition(duration < .seconds(10), "\(name) took \(duration)")
  }

  /// How long this program has been working, however busy the machine is.
  private static func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  var text: String {
    let counts = outcomes.sorted { $0.value > $1.value }.map { "  \($0.value) \($0.key)\n" }
    return
      "\(count) files in \(Report.processorTime()) of the processor; slowest \(slowest.duration) (\(slowest.name))\n"
      + counts.joined()
  }
}
