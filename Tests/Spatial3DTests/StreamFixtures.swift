import AudioSupport
import Spatial3DTesting

@testable import Spatial3D

/// A reader of samples in memory, which may be slow or fail.
struct SampleReader: PCMReader, Sendable {
  struct Broken: Error, CustomStringConvertible {
    var description: String { "\"music.ogg\" is damaged" }
  }

  let format: PCMFormat
  let samples: [Float]
  var knowsLength = true
  var loopRange: Range<Int>?
  /// The largest number of frames that a read delivers.
  var blockLength = Int.max
  /// The frame at which reading fails.
  var failingFrame: Int?
  /// The gate that delays reads.
  var gate: Gate?
  private var next = 0

  init(_ pcm: PCMBuffer<Float>) {
    format = pcm.format
    samples = pcm.samples
  }

  init(frames: Int, format: PCMFormat = Scenes.mono) {
    self.init(TestSignal.noise(duration: format.duration(ofFrames: frames), format: format))
  }

  var frames: Int { samples.count / format.channelCount }

  var frameCount: Int? { knowsLength ? frames : nil }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Broken) -> Int {
    gate?.pass()
    buffer.removeAll(adopting: format)
    if let failingFrame, next >= failingFrame { throw Broken() }
    let end = min(frames, next + min(maxFrames, blockLength), failingFrame ?? .max)
    let part = samples[next * format.channelCount..<end * format.channelCount]
    buffer.append(frames: end - next) { room in for sample in part { room.append(sample) } }
    defer { next = end }
    return end - next
  }

  mutating func seek(toFrame frame: Int) throws(Broken) { next = min(max(frame, 0), frames) }
}

/// A reader that reports the number of frames of each read.
struct CountingReader: PCMReader, Sendable {
  var reader: SampleReader
  let report: @Sendable (Int) -> Void

  var format: PCMFormat { reader.format }
  var frameCount: Int? { reader.frameCount }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(SampleReader.Broken) -> Int {
    let count = try reader.read(into: &buffer, maxFrames: maxFrames)
    report(count)
    return count
  }

  mutating func seek(toFrame frame: Int) throws(SampleReader.Broken) { try reader.seek(toFrame: frame) }
}

/// A gate that blocks a reader's reads while it is closed.
final class Gate: Sendable {
  /// The number of reads that may still pass; `nil` while the gate is open.
  private let admitted = Lock<Int?>(nil)
  private let admission = Semaphore()
  private let arrival = Semaphore()
  private let passed = Lock(0)

  /// The number of reads that have begun.
  var count: Int { passed.withLock { $0 } }

  func close() { admitted.withLock { $0 = 0 } }

  func open() {
    admitted.withLock { $0 = nil }
    admission.signal()
  }

  /// Lets a number of further reads pass while the gate is closed.
  func admit(_ count: Int) {
    admitted.withLock { $0 = $0.map { $0 + count } }
    admission.signal()
  }

  /// Waits until a number of reads have begun.
  func waitForReads(_ count: Int) {
    while self.count < count { arrival.wait() }
  }

  func pass() {
    passed.withLock { $0 += 1 }
    arrival.signal()
    while !admitted.withLock({ enter(&$0) }) { admission.wait() }
  }

  private func enter(_ admitted: inout Int?) -> Bool {
    guard let left = admitted else { return true }
    guard left > 0 else { return false }
    admitted = left - 1
    return true
  }
}
