import AudioSupport
import FileDecode
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Readers of the game and files that block, beside sounds that do not.
@Suite struct BlockedReaderTests {
  /// The calls of a reader that block.
  enum Blocking: CaseIterable, Sendable {
    case description, opening, reading
  }

  /// A gate that lets all through once it is open.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let count = Lock(0)
    /// The number of calls that have come to the gate.
    var arrivals: Int { count.withLock { $0 } }

    func pass() {
      count.withLock { $0 += 1 }
      semaphore.wait()
      semaphore.signal()
    }

    func open() { semaphore.signal() }
  }

  /// A reader that waits for a gate before each read.
  private struct Gated: PCMReader, Sendable {
    let gate: Gate?
    var next = 0
    var format: PCMFormat { .mono(sampleRate: 48_000) }
    var frameCount: Int? { 4_800 }

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      gate?.pass()
      buffer.removeAll(adopting: format)
      let count = min(maxFrames, 4_800 - next)
      buffer.append(frames: count) { span in for _ in 0..<count { span.append(0.1) } }
      next += count
      return count
    }

    mutating func seek(toFrame frame: Int) { next = frame }
  }

  /// A stream that blocks at a gate, in one of its calls.
  private static func stream(at gate: Gate, in blocking: Blocking) -> Sound {
    // The first call describes the reader.
    let calls = Lock(0)
    return Sound(streaming: "blocked") {
      let isFirst = calls.withLock { calls in
        calls += 1
        return calls == 1
      }
      switch blocking {
      case .description: gate.pass()
      case .opening: if !isFirst { gate.pass() }
      case .reading: return Gated(gate: isFirst ? nil : gate)
      }
      return Gated(gate: nil)
    }
  }

  private static func world() throws -> AudioWorld { AudioWorld(in: try AudioContext(device: .silent)) }

  @Test(.hangLimit, arguments: Blocking.allCases)
  func `A reader that blocks holds up no other sound`(blocking: Blocking) async throws {
    let gate = Gate()
    defer { gate.open() }
    let world = try Self.world()
    let blocked = Emitter(playing: Self.stream(at: gate, in: blocking), in: world)
    // It would be over meanwhile.
    blocked.repeats = .forever
    blocked.play()
    try await eventually("the reader blocks") { gate.arrivals == 1 }
    let file = try TemporarySound(TestSignal.noise(duration: .milliseconds(300), format: .mono(sampleRate: 48_000)))
    let others = [Sound(file.path), Sound(file.path, streamed: true), Sound(streaming: "other") { Gated(gate: nil) }]
    let ends = Collected<EmitterEvent>()
    let emitters = others.map { Emitter(playing: $0, in: world) }
    let tokens = emitters.map { $0.observe { event in if case .ended = event { ends.append(event) } } }
    for emitter in emitters { emitter.play() }
    let player = try SoundPlayer(playing: Sound(file.path), in: world)
    player.schedule(Sound(file.path, streamed: true))
    player.play()
    try await eventually("the other sounds have ended") { ends.all.count == 3 && !player.isPlaying }
    #expect(ends.all == [.ended(.played), .ended(.played), .ended(.played)])
    #expect(blocked.isPlaying && gate.arrivals == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test(.hangLimit)
  func `A player with a sound in memory plays at once, also where the next sound blocks`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let world = try Self.world()
    // The first chunk of the stream has both sounds.
    let tone = TestSignal.sine(frequency: 300, duration: .milliseconds(1), format: .mono(sampleRate: 48_000))
    let player = try SoundPlayer(playing: Sound(tone), in: world)
    player.schedule(Self.stream(at: gate, in: .reading))
    try await eventually("the next sound is in the queue") { world.snapshot().players.first?.queued == 1 }
    let hasReturned = Lock(false)
    Thread.detachNewThread {
      player.play()
      hasReturned.withLock { $0 = true }
    }
    try await eventually("the reader blocks") { gate.arrivals == 1 }
    try await eventually("the call returns") { hasReturned.withLock { $0 } }
  }

  @Test(.hangLimit) func `Two tasks that prepare one player wait for its reader`() async throws {
    let gate = Gate()
    let world = try Self.world()
    let player = try SoundPlayer(playing: Self.stream(at: gate, in: .opening), in: world)
    let prepared = Collected<Int>()
    let tasks = (0..<2).map { number in
      Task {
        await player.prepareToPlay()
        prepared.append(number)
      }
    }
    defer { for task in tasks { task.cancel() } }
    try await eventually("both tasks wait") { player.inspector.waitingTaskCount == 2 }
    try await eventually("the reader blocks") { gate.arrivals == 1 }
    #expect(prepared.all.isEmpty && player.inspector.voice == 0)
    gate.open()
    for task in tasks { await task.value }
    #expect(Set(prepared.all) == [0, 1] && player.inspector.waitingTaskCount == 0)
  }

  @Test(.hangLimit, arguments: Blocking.allCases)
  func `A world, an emitter and a player go while their readers block`(blocking: Blocking) async throws {
    let gate = Gate()
    defer { gate.open() }
    weak var world: AudioWorld?
    do {
      let live = try Self.world()
      world = live
      let stopped = Emitter(playing: Self.stream(at: gate, in: blocking), in: live)
      stopped.play()
      let released = Emitter(playing: Self.stream(at: gate, in: blocking), in: live)
      released.play()
      let file = try TemporarySound(TestSignal.noise(duration: .milliseconds(50), format: .mono(sampleRate: 48_000)))
      let player = try SoundPlayer(playing: Sound(file.path), in: live)
      player.schedule(
        Sound(streaming: "next") { () -> Gated in
          gate.pass()
          return Gated(gate: nil)
        }
      )
      player.play()
      try await eventually("all readers block") { gate.arrivals == 3 }
      stopped.stop()
      #expect(!stopped.isPlaying)
      player.stop()
      withExtendedLifetime(released) {}
    }
    try await eventually("the world is gone") { world == nil }
  }

  @Test(.hangLimit) func `A stream that waits for readers that block is reported once, and plays after them`()
    async throws
  {
    let gate = Gate()
    let world = try Self.world()
    let reports = Collected<Diagnostic>()
    world.context.onDiagnostic = { reports.append($0) }
    let limit = LoadQueue.Lane.readers.mostThreads
    let ends = Collected<EmitterEvent>()
    let emitters = (0..<limit + 2).map { _ in
      Emitter(playing: Self.stream(at: gate, in: .description), in: world)
    }
    let tokens = emitters.map { $0.observe { event in if case .ended = event { ends.append(event) } } }
    for emitter in emitters { emitter.play() }
    try await eventually("as many readers as may block") { gate.arrivals == limit }
    #expect(world.streamLimit >= limit)
    for second in [6, 12, 18] as [Int64] { world.reportDelays(at: monotonicTime() + second * 1_000_000_000) }
    #expect(reports.all.map(\.code) == [.streamWaits])
    #expect(reports.all[0].message.contains("The stream blocked has waited for 5 seconds: 16 readers"))
    #expect(gate.arrivals == limit)
    gate.open()
    try await eventually("all streams have ended") { ends.all.count == limit + 2 }
    #expect(ends.all.allSatisfy { $0 == .ended(.played) })
    withExtendedLifetime(tokens) {}
  }

  @Test(.hangLimit) func `A file that blocks is reported once, and the files behind it are opened then`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let world = try Self.world()
    let reports = Collected<Diagnostic>()
    world.context.onDiagnostic = { reports.append($0) }
    world.loader.perform(LoadQueue.Work(lane: .files, name: "dead.wav", fileUse: .decoded) { gate.pass() })
    let file = try TemporarySound(TestSignal.noise(duration: .milliseconds(100), format: .mono(sampleRate: 48_000)))
    let emitter = Emitter(playing: Sound(file.path), in: world)
    let ends = Collected<EmitterEvent>()
    let token = emitter.observe { event in if case .ended = event { ends.append(event) } }
    emitter.play()
    try await eventually("the file blocks") { gate.arrivals == 1 }
    world.reportDelays(at: monotonicTime() + 6_000_000_000)
    try await eventually("the sound behind it has ended") { ends.all == [.ended(.played)] }
    world.reportDelays(at: monotonicTime() + 12_000_000_000)
    #expect(reports.all.map(\.code) == [.soundNotReady])
    #expect(reports.all[0].message.contains("dead.wav is not ready after 5 seconds"))
    #expect(reports.all[0].message.contains("Stream a long file, or load it with a SoundBank"))
    withExtendedLifetime(token) {}
  }

  @Test(.hangLimit) func `A file of a player that blocks is reported without the advice to stream it`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let world = try Self.world()
    let reports = Collected<Diagnostic>()
    world.context.onDiagnostic = { reports.append($0) }
    world.loader.perform(LoadQueue.Work(lane: .readers, name: "music.ogg", fileUse: .streamed) { gate.pass() })
    world.reportDelays(at: monotonicTime() + 6_000_000_000)
    #expect(reports.all.map(\.code) == [.soundNotReady])
    #expect(
      reports.all[0].message == "music.ogg is not ready after 5 seconds, and its emitters and players wait."
        + " Check the disk or the network that it is on. This is reported once."
    )
  }

  @Test(.hangLimit) func `The world ticks while a sound in a player's line is not open, and no longer`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let world = try Self.world()
    let file = try TemporarySound(TestSignal.noise(duration: .milliseconds(50), format: .mono(sampleRate: 48_000)))
    let player = try SoundPlayer(playing: Sound(file.path), in: world)
    #expect(!world.inspector.isTicking)
    player.schedule(Self.stream(at: gate, in: .description))
    #expect(world.inspector.isTicking)
    gate.open()
    try await eventually("the ticks have ended") { !world.inspector.isTicking }
  }
}
