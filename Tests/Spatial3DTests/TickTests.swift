import AudioSupport
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import Spatial3D

/// Closures that a context calls at multiples of a number of frames.
@Suite(.hangLimit) struct TickTests {
  // MARK: - Offline

  @Test(arguments: [8_000, 44_100, 48_000, 192_000], [1, 7, 512, 1_000])
  func `Ticks come at each multiple to the frame, whatever sizes are rendered`(rate: Int, interval: Int) throws {
    var random = SplitMix64(seed: UInt64(rate * interval))
    var offline = try OfflineRenderer(format: .mono(sampleRate: max(rate, 11_025)))
    let context = offline.context
    let log = TickLog()
    let token = context.onTick(every: interval) { [weak context] time in
      log.append(time, context?.mixedFrames ?? -1)
    }
    while context.mixedFrames < 6_000 { offline.render(frameCount: .random(in: 1...900, using: &random)) }
    let expected = Array(stride(from: 0, to: context.mixedFrames, by: interval))
    #expect(log.ticks.map(\.frame) == expected)
    #expect(log.ticks.map { offline.format.frameCount(in: $0.time) } == expected)
    token.cancel()
    offline.render(frameCount: 2_000)
    #expect(log.ticks.count == expected.count)
  }

  @Test func `A change in a tick is audible from that frame on`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let sound = try PCMBuffer<Float>(samples: [Float](repeating: 0.5, count: 48_000), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sound, in: offline.context), in: offline.context)
    let token = offline.context.onTick(every: 512) { [weak source] time in
      if time > .milliseconds(20) { source?.play() }
    }
    let mix = offline.render(.milliseconds(100))
    // The tick of frame 1,024 is the first one after 20 ms.
    #expect(mix.samples.firstIndex { abs($0) > 0.001 } == 1_024)
    withExtendedLifetime(token) {}
  }

  @Test func `Ticks stop while the context is frozen, and go on afterwards`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let log = TickLog()
    let context = offline.context
    let token = context.onTick(every: 512) { [weak context] in log.append($0, context?.mixedFrames ?? -1) }
    offline.render(frameCount: 1_000)
    context.suspend()
    offline.render(frameCount: 5_000)
    #expect(context.mixedFrames == 1_000)
    context.resume()
    offline.render(frameCount: 1_100)
    #expect(log.ticks.map(\.frame) == [0, 512, 1_024, 1_536, 2_048])
    withExtendedLifetime(token) {}
  }

  @Test func `A muted context ticks on`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let log = TickLog()
    let token = offline.context.onTick(every: 100) { log.append($0, 0) }
    offline.context.suspend(.mute)
    offline.render(frameCount: 1_000)
    #expect(log.ticks.count == 10)
    withExtendedLifetime(token) {}
  }

  @Test func `All contexts of a renderer tick in the order of their closures`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let second = try AudioContext(device: offline.context.device)
    let log = TickLog()
    let tokens = [
      offline.context.onTick(every: 300) { log.append($0, 1) },
      offline.context.onTick(every: 200) { log.append($0, 2) },
      second.onTick(every: 300) { log.append($0, 3) },
    ]
    offline.render(frameCount: 601)
    let found = log.ticks.map { [Scenes.mono.frameCount(in: $0.time), $0.frame] }
    #expect(
      found == [[0, 1], [0, 2], [0, 3], [200, 2], [300, 1], [300, 3], [400, 2], [600, 1], [600, 2], [600, 3]]
    )
    withExtendedLifetime(tokens) {}
  }

  @Test func `A tick may end itself, add a tick, freeze the context and play a sound`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let tokens = Mutex<[NotificationToken]>([])
    let log = TickLog()
    let first = context.onTick(every: 512) { [weak context] time in
      log.append(time, 1)
      guard let context else { return }
      if log.ticks.count == 1 {
        let added = context.onTick(every: 100) { log.append($0, 2) }
        tokens.withLock { $0.append(added) }
      }
      if time > .zero { context.suspend() }
    }
    offline.render(frameCount: 1_000)
    // The added closure has its first tick after the frame at which it was added. The last tick froze the context at
    // 512.
    let ticks = log.ticks.map { [Scenes.mono.frameCount(in: $0.time), $0.frame] }
    #expect(ticks == [[0, 1], [100, 2], [200, 2], [300, 2], [400, 2], [500, 2], [512, 1]])
    first.cancel()
    context.resume()
    let own = Mutex<NotificationToken?>(nil)
    let token = context.onTick(every: 1) { _ in own.withLock { $0 }?.cancel() }
    own.withLock { $0 = token }
    let before = log.ticks.count
    offline.render(frameCount: 100)
    #expect(log.ticks.count == before + 1)
  }

  @Test func `A closure that the reader of a stream adds ticks at each multiple to the frame`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let log = TickLog()
    let isReady = Atomic(false)
    let tokens = Mutex<[NotificationToken]>([])
    let reader = CountingReader(reader: SampleReader(frames: 96_000)) { [weak context] _ in
      guard let context, isReady.exchange(false, ordering: .relaxed) else { return }
      let token = context.onTick(every: 100) { [weak context] time in log.append(time, context?.mixedFrames ?? -1) }
      tokens.withLock { $0.append(token) }
    }
    let stream = try SoundSource(streaming: reader, in: context)
    stream.play()
    isReady.store(true, ordering: .relaxed)
    offline.render(frameCount: 48_000)
    let frames = log.ticks.map(\.frame)
    let first = try #require(frames.first)
    #expect(first % 100 == 0 && frames == Array(stride(from: first, to: 48_000, by: 100)))
  }

  @Test(arguments: [1, 512])
  func `A tick that replaces itself has one closure a tick`(interval: Int) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let token = Mutex<NotificationToken?>(nil)
    let count = Mutex(0)
    @Sendable func arm() {
      let next = context.onTick(every: interval) { _ in
        count.withLock { $0 += 1 }
        arm()
      }
      token.withLock { $0 = next }
    }
    arm()
    offline.render(frameCount: 1_025)
    #expect(count.withLock { $0 } == (interval == 1 ? 1_025 : 3))
    token.withLock { $0 = nil }
  }

  @Test func `The release of a token and of its context ends the closure's captures`() throws {
    final class Capture: Sendable {}
    weak var capture: Capture?
    var context: AudioContext? = try AudioContext(device: .silent)
    let token = try #require(context).onTick(
      every: 512,
      {
        let captured = Capture()
        capture = captured
        return { _ in withExtendedLifetime(captured) {} }
      }()
    )
    #expect(capture != nil)
    context = nil
    token.cancel()
    #expect(capture == nil)
  }

  // MARK: - On the clock

  @Test func `A silent device ticks at each multiple to the frame`() async throws {
    let context = try AudioContext(device: .silent)
    let log = TickLog()
    let token = context.onTick(every: 512) { [weak context] in log.append($0, context?.mixedFrames ?? -1) }
    try await eventually("twenty ticks") { log.ticks.count >= 20 }
    token.cancel()
    let frames = log.ticks.map(\.frame)
    #expect(frames[0] % 512 == 0)
    #expect(zip(frames, frames.dropFirst()).allSatisfy { $1 - $0 == 512 })
  }

  @Test func `A tick on a silent device may release the context`() async throws {
    let holder = Mutex<AudioContext?>(try AudioContext(device: .silent))
    weak let context = holder.withLock { $0 }
    let token = try #require(context).onTick(every: 512) { _ in holder.withLock { $0 = nil } }
    try await eventually("the context is released") { context == nil }
    withExtendedLifetime(token) {}
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `An output ticks by the clock, and has no thread without a closure`() async throws {
    let context = try AudioContext()
    #expect(!context.device.tickLoop.isRunning)
    let log = TickLog()
    let token = context.onTick(every: 512) { log.append($0, 0) }
    let other = context.onTick(every: 1_024) { _ in }
    try await eventually("thirty ticks") { log.ticks.count >= 30 }
    context.suspend()
    // A tick that was taken up before the suspension may still run.
    var last: (clock: Duration, ticks: Int)?
    try await eventually("the clock stands still", every: .milliseconds(60)) {
      defer { last = (context.clock, log.ticks.count) }
      return last.map { $0 == (context.clock, log.ticks.count) } ?? false
    }
    let standing = log.ticks.count
    context.resume()
    try await eventually("ten more ticks") { log.ticks.count >= standing + 10 }
    token.cancel()
    other.cancel()
    try await eventually("the thread ends") { !context.device.tickLoop.isRunning }
    let ticks = log.ticks
    #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1.time > $0.time })
    // One tick for each interval that the clock entered, at most.
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    let intervals = ticks.map { format.frameCount(in: $0.time) / 512 }
    #expect(zip(intervals, intervals.dropFirst()).allSatisfy { $1 > $0 })
  }
}

/// The ticks that a closure received, with a number of the test's own.
private final class TickLog: Sendable {
  private let all = Mutex<[(time: Duration, frame: Int)]>([])

  var ticks: [(time: Duration, frame: Int)] { all.withLock { $0 } }

  func append(_ time: Duration, _ frame: Int) { all.withLock { $0.append((time, frame)) } }
}
