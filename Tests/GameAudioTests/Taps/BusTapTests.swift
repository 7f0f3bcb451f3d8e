import AudioSupport
import PCM
import SignalProcessing
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import GameAudio

/// Taps of the main bus, and sequences of its samples.
@Suite(.hangLimit) struct BusTapTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(30), format: .mono(sampleRate: 48_000)))

  private static func samples(_ chunks: Collected<MixChunk>) -> [Float] { chunks.all.flatMap(\.samples.samples) }

  private static func processed(_ mix: [Float], by inserts: [Insert]) -> [Float] {
    var chain = ProcessorChain(inserts.compactMap { $0.step() }, format: stereo)
    var result = mix
    var span = result.mutableSpan
    chain.process(&span, at: 0)
    return result
  }

  @Test func `A tap offline gets each frame that the renderer returns, before it returns`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.limiter = Insert.Limiter(ceiling: -12)
    world.mixer.main.gain = .decibels(-3)
    let chunks = Collected<MixChunk>()
    let tap = world.mixer.main.tap { chunks.append($0) }
    world.playOnce(Self.noise, at: [1, 0, -1])
    var (numbers, mix) = (SplitMix64(seed: 3), [Float]())
    while mix.count < 2 * 1_000_000 {
      mix += offline.render(frameCount: .random(in: 1...40_000, using: &numbers)).samples
      #expect(chunks.all.last.map { $0.frame + $0.samples.frameCount } == mix.count / 2)
    }
    #expect(Self.samples(chunks) == mix && mix.contains { $0 != 0 })
    #expect(chunks.all.allSatisfy { $0.lostFrames == 0 && $0.samples.format == Self.stereo })
    var next = 0
    for chunk in chunks.all {
      #expect(chunk.frame == next && (1...512).contains(chunk.samples.frameCount))
      next += chunk.samples.frameCount
    }
    tap.cancel()
    let count = chunks.all.count
    offline.render(.milliseconds(100))
    #expect(chunks.all.count == count)
  }

  @Test func `The points of a tap are before and behind the inserts, and behind the fader and the limiter`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let main = world.mixer.main
    let inserts: [Insert] = [.distortion(drive: 6), .delay(.milliseconds(20))]
    main.inserts = inserts
    main.gain = .decibels(-6)
    world.mixer.limiter = Insert.Limiter(ceiling: -20)
    let points = TapPoint.allCases.map { ($0, Collected<MixChunk>()) }
    let taps = points.map { point, chunks in main.tap(point) { chunks.append($0) } }
    world.playOnce(Self.noise)
    let mix = offline.render(.seconds(1)).samples
    let (before, after, heard) = (Self.samples(points[0].1), Self.samples(points[1].1), Self.samples(points[2].1))
    #expect(before.count == mix.count && before.contains { abs($0) > 0.1 })
    #expect(after == Self.processed(before, by: inserts) && after != before)
    let fader = Decibels(-6).factor
    #expect(heard == mix && heard == Self.processed(after.map { $0 * fader }, by: [.limiter(ceiling: -20)]))
    withExtendedLifetime(taps) {}
  }

  @Test func `A closure may end its own tap, and use the world`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let token = Lock<NotificationToken?>(nil)
    let frames = Atomic(0)
    let meter = world.mixer.main.meter()
    let tap = world.mixer.main.tap { [weak world] chunk in
      world?.mixer.main.gain = .decibels(-1)
      world?.playOnce(Self.noise)
      _ = meter.loudness
      if frames.add(chunk.samples.frameCount, ordering: .relaxed).newValue >= 1_024 { token.withLock { $0 }?.cancel() }
    }
    token.withLock { $0 = tap }
    offline.render(.seconds(1))
    #expect(frames.load(ordering: .relaxed) == 1_024)
    token.withLock { $0 = nil }
  }

  @Test func `A released tap releases its closure, and a released world ends its taps`() throws {
    let life = Collected<Int>()
    final class Captured: Sendable {
      let life: Collected<Int>
      init(_ life: Collected<Int>) { self.life = life }
      deinit { life.append(1) }
    }
    func tap(_ bus: Bus) -> NotificationToken {
      let captured = Captured(life)
      return bus.tap { _ in withExtendedLifetime(captured) {} }
    }
    func tapOfWorld() throws -> NotificationToken {
      let offline = try OfflineRenderer(format: Self.stereo)
      let world = AudioWorld(in: offline.context)
      tap(world.mixer.main).cancel()
      #expect(life.all.count == 1)
      let second = tap(world.mixer.main)
      #expect(life.all.count == 1)
      return second
    }
    let second = try tapOfWorld()
    #expect(life.all.count == 2)
    second.cancel()
  }

  @Test func `A tap of a live mix gets each frame, in chunks of 512`() async throws {
    let world = try AudioWorld(processing: true)
    let chunks = Collected<MixChunk>()
    let tap = world.mixer.main.tap { chunks.append($0) }
    world.playOnce(Self.noise)
    try await eventually("a second with a sound was tapped", every: .milliseconds(20)) {
      chunks.all.count > 100 && chunks.all.contains { $0.samples.samples.contains { $0 != 0 } }
    }
    tap.cancel()
    let all = chunks.all
    #expect(all.allSatisfy { $0.samples.frameCount == 512 && $0.lostFrames == 0 })
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.frame + 512 == $1.frame })
    #expect(Self.samples(chunks).contains { $0 != 0 })
  }

  @Test func `A closure that blocks loses what its tap does not keep, exactly, and no mix`() async throws {
    let world = try AudioWorld(processing: true)
    let (chunks, gate) = (Collected<MixChunk>(), Semaphore())
    let tap = world.mixer.main.tap(buffering: .milliseconds(200)) { chunk in
      chunks.append(chunk)
      if chunks.all.count == 1 { gate.wait() }
    }
    let start = world.context.mixedFrames
    try await eventually("more than a second was mixed") { world.context.mixedFrames > start + 60_000 }
    #expect(chunks.all.count == 1)
    gate.signal()
    try await eventually("a chunk counts the loss") { chunks.all.contains { $0.lostFrames > 0 } }
    tap.cancel()
    let all = chunks.all
    for (chunk, next) in zip(all, all.dropFirst()) {
      #expect(next.frame == chunk.frame + chunk.samples.frameCount + next.lostFrames)
    }
    // The mix went on for more than a second, of which the tap keeps 200 ms.
    #expect(all.map(\.lostFrames).reduce(0, +) > 30_000)
  }

  @Test func `A sequence has the samples of the bus until the world ends`() async throws {
    func samplesOfWorld() throws -> (BusSamples, PCMBuffer<Float>) {
      var offline = try OfflineRenderer(format: Self.stereo)
      let world = AudioWorld(in: offline.context)
      let samples = world.mixer.main.samples(.beforeInserts)
      world.playOnce(Self.noise)
      return (samples, offline.render(.milliseconds(500)))
    }
    let (samples, mix) = try samplesOfWorld()
    var (result, lost) = ([Float](), 0)
    for await chunk in samples {
      result += chunk.samples.samples
      lost += chunk.lostFrames
    }
    #expect(lost == 0 && result == mix.samples && result.contains { $0 != 0 })
  }

  @Test func `A task waits for the samples of a live mix, and a cancelled task gets none`() async throws {
    let world = try AudioWorld(processing: true)
    let samples = world.mixer.main.samples()
    var iterator = samples.makeAsyncIterator()
    let (first, second) = (try #require(await iterator.next()), try #require(await iterator.next()))
    #expect(second.frame == first.frame + 512)
    let task = Task {
      var count = 0
      for await _ in samples { count += 1 }
      return count
    }
    task.cancel()
    _ = await task.value
    #expect(await iterator.next() != nil)
  }

  @Test func `A plain world reports once that a tap has no effect, and its sequence ends`() async throws {
    let reports = Collected<Diagnostic>()
    let context = try AudioContext(device: .silent)
    context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: context)
    let tap = world.mixer.main.tap { _ in }
    let samples = world.mixer.main.samples(buffering: .zero)
    #expect(reports.all.map(\.code) == [.mixNotProcessed, .valueClamped])
    for await _ in samples { Issue.record("a plain world has no samples") }
    tap.cancel()
  }

  @Test func `A bus without a sum reports once that a tap has no effect`() async throws {
    let context = try AudioContext(device: .silent)
    let reports = Collected<Diagnostic>()
    context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: context)
    let bus = world.mixer.makeBus("music")
    for await _ in bus.samples() { Issue.record("a bus without a sum has no samples") }
    bus.tap { _ in }.cancel()
    #expect(reports.all.map(\.code) == [.mixNotProcessed])
  }
}
