import PCM
import SignalProcessing
import Spatial3D
import Synchronization
import TestSupport
import Testing

@testable import GameAudio

/// Processors of the program as inserts.
@Suite struct CustomInsertTests {
  private static let format = PCMFormat.stereo(sampleRate: 48_000)

  private static func process(_ sound: inout [Float], _ inserts: [Insert], blocks: [Int] = [512]) {
    var chain = ProcessorChain(inserts.compactMap { $0.step() }, format: format)
    var (start, index) = (0, 0)
    while start < sound.count {
      let end = min(start + blocks[index % blocks.count] * 2, sound.count)
      var samples = sound.mutableSpan
      var block = samples._mutatingExtracting(start..<end)
      chain.process(&block, at: 7_000 + start / 2)
      (start, index) = (end, index + 1)
    }
  }

  @Test func `A processor that cannot be copied runs with the frames of the mix in order`() {
    let log = BlockLog()
    var sound = [Float](repeating: 1, count: 2 * 3_000)
    Self.process(&sound, [.processor("counter") { Counter(format: $0, log: log) }], blocks: [1_400, 100])
    #expect(log.formats.withLock { $0 } == [Self.format])
    let blocks = log.blocks.withLock { $0 }
    #expect(blocks.map(\.frame) == [0, 512, 1_024, 1_400, 1_500, 2_012, 2_524, 2_900].map { 7_000 + $0 })
    #expect(blocks.map(\.frameCount) == [512, 512, 376, 100, 512, 512, 376, 100])
    #expect(blocks.allSatisfy { $0.format == Self.format })
    // The memory counts on from block to block.
    #expect(sound == (0..<3_000).flatMap { [Float($0), Float($0)] })
  }

  @Test func `A processor states its latency and its tail`() {
    let insert = Insert.processor("late") { _ in LateTail() }
    let chain = ProcessorChain([insert].compactMap { $0.step() }, format: Self.format)
    #expect(chain.latency == 12 && chain.tail == 112)
    let closure = Insert.closure("half") { _, _ in }
    let other = ProcessorChain([closure].compactMap { $0.step() }, format: Self.format)
    #expect(other.latency == 0 && other.tail == 0)
    let counter = Insert.processor("counter") { Counter(format: $0, log: BlockLog()) }
    let endless = ProcessorChain([counter].compactMap { $0.step() }, format: Self.format)
    let tail = endless.tail
    #expect(tail == nil)
  }

  @Test func `A closure changes the samples, and is not called during silence`() {
    let calls = Atomic(0)
    let insert = Insert.closure("half") { samples, block in
      calls.add(1, ordering: .relaxed)
      for index in samples.indices { samples[index] *= 0.5 }
    }
    var sound = [Float](repeating: 0.5, count: 2_048) + [Float](repeating: 0, count: 4_096)
    Self.process(&sound, [insert])
    #expect(sound == [Float](repeating: 0.25, count: 2_048) + [Float](repeating: 0, count: 4_096))
    #expect(calls.load(ordering: .relaxed) == 2)
  }

  @Test func `Two processors are equal by their names`() throws {
    let (one, other) = (Insert.closure("a") { _, _ in }, Insert.processor("a") { _ in LateTail() })
    #expect(one == other && Set([one, other]).count == 1)
    #expect(one != .closure("b") { _, _ in })
    guard case .custom(let custom) = try decode(json(one), as: Insert.self).kind else { throw Unexpected() }
    #expect(custom.name == "a" && custom.processor == nil)
  }

  private struct Unexpected: Error {}

  @Test func `A name without a processor finds the processor that was set before`() throws {
    let insert = Insert.closure("known") { _, _ in }
    guard case .custom(let custom) = insert.kind else { throw Unexpected() }
    let processor = try #require(custom.processor)
    let decoded = try decode(json(insert), as: Insert.self)
    #expect(decoded.step() == nil && decoded.step(InsertObjects(processors: ["other": processor])) == nil)
    #expect(decoded.step(InsertObjects(processors: ["known": processor]))?.settings == .custom(processor))
    // A processor that is known goes before the processor of the insert.
    let newer = Insert.closure("known") { _, _ in }
    #expect(newer.step(InsertObjects(processors: ["known": processor]))?.settings == .custom(processor))
    #expect(newer.step()?.settings != .custom(processor))
    #expect(insert.step() == insert.step())
  }

  @Test func `A sample that is not finite becomes silence, and the insert is bypassed`() {
    let insert = Insert.closure("faulty") { samples, block in if block.frame > 8_000 { samples[0] = .nan } }
    var chain = ProcessorChain([insert].compactMap { $0.step() }, format: Self.format)
    var sound = [Float](repeating: 0.5, count: 2 * 9_600)
    var samples = sound.mutableSpan
    chain.process(&samples, at: 0)
    let fault = chain.takeFault()
    #expect(fault?.processor.name == "faulty" && sound.allSatisfy(\.isFinite) && sound.last == 0.5)
  }
}

/// The calls of a processor.
private final class BlockLog: Sendable {
  let blocks = Mutex<[BlockDescription]>([])
  let formats = Mutex<[PCMFormat]>([])
}

/// Replaces each frame by its number.
private struct Counter: BlockProcessor, ~Copyable {
  private var frame = 0
  private let log: BlockLog

  init(format: PCMFormat, log: BlockLog) {
    self.log = log
    log.formats.withLock { $0.append(format) }
  }

  mutating func process(_ samples: inout MutableSpan<Float>, _ block: BlockDescription) {
    log.blocks.withLock { $0.append(block) }
    for index in 0..<block.frameCount {
      for channel in 0..<block.format.channelCount {
        samples[index * block.format.channelCount + channel] = Float(frame)
      }
      frame += 1
    }
  }
}

private struct LateTail: BlockProcessor {
  var latency: Int { 12 }
  var tail: Int? { 100 }
  mutating func process(_ samples: inout MutableSpan<Float>, _ block: BlockDescription) {}
}
