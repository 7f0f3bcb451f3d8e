import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Contexts that mix by the clock: with the library's events, with all events lost, and without events.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
struct LiveNotificationTests {
  enum Path: CaseIterable, Sendable {
    case events, lostEvents, noEvents, noClock, silent

    func context(sourceLimit: Int? = nil, hasPlaceholder: Bool = true) throws -> AudioContext {
      var disabled: DisabledFeatures = hasPlaceholder ? [] : [.offlineRendering]
      switch self {
      case .events, .silent: break
      case .lostEvents: disabled.hints = true
      case .noEvents: disabled.capabilities.insert(.events)
      case .noClock: disabled.capabilities.formUnion([.deviceClock, .sourceLatency])
      }
      let device =
        self == .silent ? try .silent : AudioDevice(handle: try DeviceHandle(opening: nil, disabling: disabled))
      var settings = OutputSettings()
      settings.sourceLimit = sourceLimit
      return try AudioContext(device: device, settings: settings)
    }
  }

  /// A buffer of silence that takes a time on a device.
  private func silence(_ milliseconds: Int, in context: AudioContext) throws -> SoundBuffer {
    try Scenes.silence(frames: 48 * milliseconds, in: context)
  }

  @Test(arguments: Path.allCases)
  func `A hundred sources that end notify their observers once and resume their waiting tasks`(path: Path) async throws
  {
    let context = try path.context()
    let buffer = try silence(30, in: context)
    let sources = try (0..<100).map { _ in try SoundSource(playing: buffer, in: context) }
    let logs = sources.map { _ in NotificationLog() }
    let tokens = zip(sources, logs).map { $0.record(in: $1) }
    for round in 1...3 {
      let last = sources.map { $0.events(.state) }
      context.play(sources)
      for source in sources { await source.waitUntilStopped() }
      for source in sources { #expect(source.state == .stopped) }
      // A change reported to one observer was reported to all, though some handlers may run a moment later.
      for sequence in last { for await notification in sequence where notification.state == .stopped { break } }
      for log in logs {
        await log.wait { $0.count >= 2 * round }
        #expect(log.states.suffix(2) == [.playing, .stopped])
        #expect(log.all.map(\.sequence) == (1...UInt64(2 * round)).map { $0 })
      }
    }
    withExtendedLifetime(tokens) {}
  }

  @Test(arguments: Path.allCases)
  func `Four thousand sources that end together report every state`(path: Path) async throws {
    let context = try path.context(sourceLimit: 4_096)
    let buffer = try Scenes.silence(frames: 10, in: context)
    let sources = try (0..<4_000).map { _ in try SoundSource(playing: buffer, in: context) }
    let sequences = sources.map { $0.events() }
    context.play(sources)
    for sequence in sequences {
      var states: [SourceState] = []
      for await notification in sequence {
        states.append(notification.state)
        if notification.state == .stopped { break }
      }
      #expect(states == [.playing, .stopped])
    }
  }

  @Test(arguments: Path.allCases)
  func `State changes by calls from many threads are reported in order`(path: Path) async throws {
    let context = try path.context()
    let source = try SoundSource(playing: silence(1_000, in: context), in: context)
    let log = NotificationLog()
    let token = source.record(in: log)
    let sequence = source.events()
    await withTaskGroup(of: Void.self) { group in
      for seed in 0..<4 {
        group.addTask {
          var random = seed
          for _ in 0..<100 {
            random = (random &* 1_103_515_245 &+ 12_345) & 0x7fff_ffff
            PlaybackTests.Verb.allCases[(random >> 16) & 3](source)
          }
        }
      }
    }
    source.rewind()
    source.play()
    source.stop()
    _ = token
    // Each state differs from the state before it. If the consumer is too slow, the sequence drops the oldest states.
    var last: SourceState?
    var number: UInt64 = 0
    var iterator = sequence.makeAsyncIterator()
    while let next = await iterator.next() {
      #expect(next.sequence > number)
      number = next.sequence
      last = next.state
      if last == .stopped, source.state == .stopped, number == context.inspector.lastSequence(of: source) { break }
    }
    #expect(last == .stopped)
    let lastNumber = number
    await log.wait { $0.last?.sequence == lastNumber }
    let all = log.all
    for (one, other) in zip(all, all.dropFirst()) where other.sequence == one.sequence + 1 {
      #expect(one.state != other.state)
    }
  }

  @Test(arguments: Path.allCases)
  func `Loops are counted exactly while the device plays`(path: Path) async throws {
    let context = try path.context()
    for (frames, pitch) in [(4_800, 1), (1_000, 2), (9_600, 3), (100, 1)] as [(Int, Float)] {
      // The second source does not loop, and its position is the distance that the first one played.
      let source = try SoundSource(playing: Scenes.silence(frames: frames, in: context), in: context)
      let straight = try SoundSource(playing: silence(20_000, in: context), in: context)
      source.isLooping = true
      source.pitch = pitch
      straight.pitch = pitch
      let log = NotificationLog()
      // The handler pauses the source itself, because the test may wait for a thread for seconds.
      let token = source.observe([.loop, .state]) { notification in
        log.append(notification)
        if notification.state == .playing, log.loops >= 6 { context.pause([source, straight]) }
      }
      context.play([source, straight])
      await log.wait { $0.last?.state == .paused }
      // Some versions fade a pause out, and consume more of the sound. The fade is over after another sound.
      let pause = try SoundSource(playing: silence(40, in: context), in: context)
      pause.play()
      await pause.waitUntilStopped()
      let (position, total) = (source.playbackFrame, straight.playbackFrame)
      context.stop([source, straight])
      await log.wait { $0.last?.state == .stopped }
      // Without the clock, the position is known to one mix only, and a thread that stands still may miss a loop.
      let counted = log.loops * frames + position
      if path != .noClock {
        #expect(counted == total, "\(frames) frames at pitch \(pitch)")
      } else if frames >= 4_800 {
        #expect(abs(counted - total) <= frames, "\(frames) frames at pitch \(pitch)")
      }
      withExtendedLifetime(token) {}
    }
  }

  /// Changes that make sources five times as fast.
  enum Change: CaseIterable, Sendable {
    case pitch, velocity, position, sourceFactor, relative, spatialization
    case listener, factor, speed, batch, ofListenerInBatch

    static let approach: SIMD3<Float> = [0, 0, 274.64]

    /// Sets all other properties.
    func prepare(_ source: SoundSource) {
      let context = source.context
      source.position = self == .position ? [5, 0, 0] : [0, 0, -5]
      if [.position, .sourceFactor, .spatialization, .factor].contains(self) { source.velocity = Self.approach }
      switch self {
      case .sourceFactor: source.dopplerFactor = 0
      case .spatialization: source.spatialization = .never
      case .factor: context.dopplerFactor = 0
      case .speed:
        source.velocity = [0, 0, 80]
        context.speedOfSound = 80_000
      case .relative:
        // The source moves at 4 / 9 of the speed of sound, and the listener moves away equally fast. A
        // listener-relative source is twice as fast.
        source.velocity = [0, 0, 152.58]
        context.listener.velocity = [0, 0, 152.58]
      default: break
      }
    }

    func make(of sources: [SoundSource]) {
      let context = sources[0].context
      switch self {
      case .pitch: for source in sources { source.pitch = 5 }
      case .velocity: for source in sources { source.velocity = Self.approach }
      case .position: for source in sources { source.position = [0, 0, -5] }
      case .sourceFactor: for source in sources { source.dopplerFactor = 1 }
      case .relative: for source in sources { source.isListenerRelative = true }
      case .spatialization: for source in sources { source.spatialization = .automatic }
      case .listener: context.listener.velocity = [0, 0, -1_373.2]
      case .factor: context.dopplerFactor = 1
      case .speed: context.speedOfSound = 100
      case .batch: context.withDeferredUpdates { for source in sources { source.velocity = Self.approach } }
      case .ofListenerInBatch: context.withDeferredUpdates { context.listener.velocity = [0, 0, -1_373.2] }
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `Loops before a property change are counted at the old value`(change: Change) async throws {
    let context = try Path.events.context()
    let frames = 24_000
    let source = try SoundSource(playing: Scenes.silence(frames: frames, in: context), in: context)
    // The second source does not loop, and its position is the distance that the first one played.
    let straight = try SoundSource(playing: silence(20_000, in: context), in: context)
    let delay = try SoundSource(playing: silence(400, in: context), in: context)
    source.isLooping = true
    for one in [source, straight] { change.prepare(one) }
    let log = NotificationLog()
    let token = source.observe([.loop, .state]) { notification in
      log.append(notification)
      if log.loops >= 2 { context.pause([source, straight]) }
    }
    context.play([source, straight, delay])
    await delay.waitUntilStopped()
    change.make(of: [source, straight])
    await log.wait { $0.last?.state == .paused }
    // Some versions fade a pause out, and consume more of the sound.
    let pause = try SoundSource(playing: silence(40, in: context), in: context)
    pause.play()
    await pause.waitUntilStopped()
    let (position, total) = (source.playbackFrame, straight.playbackFrame)
    context.stop([source, straight])
    await log.wait { $0.last?.state == .stopped }
    // A mix may fall between the two changes.
    #expect(abs(log.loops * frames + position - total) < frames / 2, "\(log.all)")
    withExtendedLifetime(token) {}
  }

  @Test(arguments: Path.allCases) func `Processed buffers are reported during playback`(path: Path) async throws {
    let context = try path.context()
    let source = try SoundSource(in: context)
    let buffers = try (0..<10).map { _ in try silence(10, in: context) }
    try source.queue(buffers)
    let sequence = source.events([.buffersProcessed, .state])
    source.play()
    var count = 0
    for await notification in sequence {
      if case .buffersProcessed(let more) = notification.kind {
        count += more
        #expect(source.unqueueProcessed().count <= 10)
      }
      if notification.kind == .stateChanged(.stopped) { break }
    }
    #expect(count == 10)
  }

  @Test(arguments: Path.allCases)
  func `Processed buffers are reported while another thread unqueues them`(path: Path) async throws {
    let context = try path.context()
    let source = try SoundSource(in: context)
    try source.queue((0..<200).map { _ in try silence(5, in: context) })
    let log = NotificationLog()
    let token = source.record(in: log, of: [.buffersProcessed, .state])
    source.play()
    let worker = Workers(count: 1) { _ in
      while source.state == .playing {
        _ = source.unqueueProcessed()
      }
    }
    await log.wait { $0.last?.state == .stopped }
    #expect(log.processed == 200)
    withExtendedLifetime((token, worker)) {}
  }

  @Test(arguments: Path.allCases)
  func `A blocked handler does not delay the handlers of other sources for long`(path: Path) async throws {
    let context = try path.context()
    let gate = Gate()
    gate.close()
    // One handler blocks; the context calls other handlers meanwhile, and so does another context.
    let blocked = try SoundSource(playing: silence(20, in: context), in: context)
    let blockedToken = blocked.observe(.state) { _ in gate.pass() }
    blocked.play()
    let other = try path.context()
    for next in [context, other] {
      let source = try SoundSource(playing: silence(20, in: next), in: next)
      await confirmation { confirmed in
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let token = source.observe(.state) { notification in
          if notification.state == .stopped { continuation.finish() }
        }
        source.play()
        for await _ in stream {}
        confirmed()
        withExtendedLifetime(token) {}
      }
    }
    gate.open()
    blockedToken.cancel()
  }

  @Test(arguments: Path.allCases)
  func `A handler may release the last reference to its context`(path: Path) async throws {
    let holder = Lock<Held?>(nil)
    weak var gone: AudioContext?
    let events = try {
      let context = try path.context()
      gone = context
      let held = try Held(source: SoundSource(playing: silence(20, in: context), in: context))
      let token = held.source.observe(.state) { notification in
        guard notification.state == .stopped else { return }
        // The last reference is released without the lock.
        let last = holder.withLock { held in
          defer { held = nil }
          return held
        }
        withExtendedLifetime(last) {}
      }
      held.token.withLock { $0 = token }
      holder.withLock { $0 = held }
      held.source.play()
      return context.events()
    }()
    // The events end with the context.
    for await event in events { Issue.record("\(event)") }
    #expect(gone == nil)
    #expect(holder.withLock { $0 == nil })
  }

  private final class Held: Sendable {
    let source: SoundSource
    let token = Lock<NotificationToken?>(nil)
    init(source: SoundSource) { self.source = source }
  }

  @Test(arguments: Path.allCases)
  func `A loss without a placeholder device stops every source, and the return is reported`(path: Path) async throws {
    let context = try path.context(hasPlaceholder: false)
    let source = try SoundSource(playing: silence(60_000, in: context), in: context)
    let events = context.events()
    let (kinds, continuation) = AsyncStream.makeStream(of: ContextEvent.Kind.self)
    let observation = context.observe { continuation.yield($0.kind) }
    let sequence = source.events()
    source.play()
    // As in the library, everything stops without an event for each source.
    context.inspector.forceUnplugged(true)
    context.inspector.stopInLibrary(source)
    var iterator = sequence.makeAsyncIterator()
    #expect(await iterator.next()?.kind == .stateChanged(.playing))
    let stopped = await iterator.next()
    #expect(stopped?.kind == .stateChanged(.stopped))
    #expect(stopped?.cause == .device)
    var ofDevice = events.makeAsyncIterator()
    #expect(await ofDevice.next()?.kind == .deviceLost)
    context.inspector.forceUnplugged(false)
    source.play()
    #expect(await iterator.next()?.kind == .stateChanged(.playing))
    #expect(await ofDevice.next()?.kind == .deviceReturned)
    var received = kinds.makeAsyncIterator()
    #expect(await received.next() == .deviceLost)
    #expect(await received.next() == .deviceReturned)
    observation.cancel()
    context.inspector.forceUnplugged(true)
    #expect(await ofDevice.next()?.kind == .deviceLost)
    continuation.finish()
    #expect(await received.next() == nil)
  }

  @Test func `waitUntilStopped returns at once if the source does not play or the task is cancelled`() async throws {
    let context = try Path.events.context()
    let source = try SoundSource(playing: silence(60_000, in: context), in: context)
    await source.waitUntilStopped()
    source.isLooping = true
    source.play()
    let task = Task { await source.waitUntilStopped() }
    task.cancel()
    await task.value
    #expect(source.state == .playing)
    let paused = Task { await source.waitUntilStopped() }
    source.pause()
    source.rewind()
    await paused.value
    #expect(source.state == .initial)
  }

  @Test func `A context without observers does not poll its sources`() async throws {
    let context = try Path.events.context()
    let source = try SoundSource(playing: silence(60_000, in: context), in: context)
    source.play()
    var token: NotificationToken? = source.record(in: NotificationLog())
    #expect(context.inspector.pollsPlayingSources)
    token = nil
    #expect(context.inspector.observesNothing)
    var sequence: NotificationSequence<SourceNotification>? = source.events()
    #expect(context.inspector.pollsPlayingSources)
    sequence = nil
    #expect(context.inspector.observesNothing)
    withExtendedLifetime((token, sequence)) {}
  }
}
