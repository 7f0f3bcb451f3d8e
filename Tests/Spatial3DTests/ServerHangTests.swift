import AudioSupport
import Glibc
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

@testable import Spatial3D

/// A server that accepts connections and does not answer.
@Suite(.hangLimit)
struct ServerHangTests {
  /// The longest stand passes the 30 seconds after which libpulse gives a call up.
  @Test(.serialized, arguments: [(SoundServer.Kind.pulseAudio, 45), (.pipeWirePulse, 12), (.pipeWire, 12)])
  func `No property and no call of playback waits for a server that hangs`(kind: SoundServer.Kind, seconds: Int)
    async throws
  {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind, seconds] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        let calls = try TimedCalls(in: context)
        _ = try server.recording().untilSound()
        let start = context.clock
        try await eventually("the watchdog has seen the clock move") { context.clock > start + .seconds(1) }
        let hung = try server.streamNumber()
        try server.hang()
        try calls.run(forSeconds: seconds)
        try server.goOn()
        #expect(calls.waits.isEmpty, "\(calls.waits)")
        try await eventually("time goes on") { !context.isSuspended && context.device.isOnOutput }
        // A server that is busy may play the stream that hung silently, and for good.
        try await eventually("there is another stream") { try server.streamNumber() != hung }
        try await server.expectSound(of: source)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A server that is killed while it hangs is lost, and the sound returns with the next one`(
    kind: SoundServer.Kind
  ) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        var events = context.events().makeAsyncIterator()
        _ = try server.recording().untilSound()
        let start = context.clock
        try await eventually("the watchdog has seen the clock move") { context.clock > start + .seconds(1) }
        #expect(SoundServers.answer() == .answers)
        try server.hang()
        #expect(SoundServers.answer() == .hangs)
        // Longer than a clock may stand still whose server answers.
        try TimedCalls(in: context).run(forSeconds: 8)
        #expect(!context.device.inspector.isOnPlaceholder)
        try server.kill()
        #expect(await events.next()?.kind == .deviceLost)
        #expect(SoundServers.answer() == .gone)
        try server.start()
        try server.add(sink: "main")
        #expect(await events.next()?.kind == .deviceReturned)
        // The hang was one of the output before: the device does not open the new one again.
        #expect(!context.device.inspector.hasHung)
        _ = try server.recording().untilSound()
        #expect(source.state == .playing)
        let (stream, clock) = (try server.streamNumber(), context.clock)
        try await eventually("the watchdog has seen the clock move") { context.clock > clock + .seconds(2) }
        #expect(try server.streamNumber() == stream)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `An output is opened again after a hang, also if a suspension ended meanwhile`(kind: SoundServer.Kind)
    async throws
  {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        var events = context.events().makeAsyncIterator()
        _ = try server.recording().untilSound()
        let start = context.clock
        try await eventually("the watchdog has seen the clock move") { context.clock > start + .seconds(1) }
        let hung = try server.streamNumber()
        try server.hang()
        context.suspend()
        // The thread ends at a look that finds no source that plays.
        try await eventually("the thread of the watchdog has ended") { !DeviceInspector.isWatchingClocks }
        context.resume()
        try await eventually("a probe has found the hang") { context.device.inspector.hasHung }
        try server.goOn()
        #expect(await events.next()?.kind == .outputChanged)
        try await eventually("there is another stream") { try server.streamNumber() != hung }
        #expect(!context.device.inspector.hasHung)
        // Without a poll the device would not miss the output. The PipeWire backend may list none.
        if kind != .pipeWire {
          try await eventually("a poll has found the output") { context.device.inspector.foundOutput != nil }
        }
        try await server.expectSound(of: source)
      }
    }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A suspension while the server hangs stops time once it answers`(kind: SoundServer.Kind) async throws {
    try kind.require()
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        let context = try AudioContext()
        let source = try Scenes.noise(in: context)
        _ = try server.recording().untilSound()
        try server.hang()
        context.suspend()
        #expect(context.isSuspended && !context.device.inspector.hasStoppedTime)
        try server.goOn()
        try await eventually("time is stopped") { context.device.inspector.hasStoppedTime }
        let clock = context.clock
        try await Task.sleep(for: .milliseconds(300))
        #expect(context.clock == clock)
        try server.hang()
        context.resume()
        #expect(!context.isSuspended && context.device.inspector.hasStoppedTime)
        try server.goOn()
        try await eventually("the clock goes on") { context.clock > clock }
        #expect(source.state == .playing)
      }
    }
  }
}

/// The nanoseconds for which this thread could run and had no processor.
private func processorWait() -> Int64 {
  // The path is a constant of this process, and the array has room for the bytes.
  let file = unsafe open("/proc/thread-self/schedstat", O_RDONLY)
  defer { close(file) }
  var text = [UInt8](repeating: 0, count: 128)
  let count = unsafe read(file, &text, text.count)
  let numbers = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
  return numbers.count > 1 ? Int64(numbers[1]) ?? 0 : 0
}

/// Calls of a game, and the calls that took 50 ms longer than the largest delay of a sleeping thread beside them.
///
/// The time in which the machine had no processor for the calls does not count. A call may also wait for a lock whose
/// holder has no processor: on a machine that runs other tests, one call in a thousand may. A wait for the server takes
/// seconds.
private final class TimedCalls: Sendable {
  /// The calls that waited, with the milliseconds; none if they are few and short.
  var waits: [String] {
    let limit = 50_000_000 + longestLateness.withLock { $0 }
    let late = found.withLock { $0 }.filter { $0.time > limit }
    let isFew = late.count <= count.withLock { $0 } / 1_000
    if isFew, late.allSatisfy({ $0.time < 1_000_000_000 }) { return [] }
    return late.map { "\($0.name): \($0.time / 1_000_000) ms" }
  }

  private let count = Lock(0)

  /// The calls with their times, less the lateness of the sleeping thread meanwhile, in nanoseconds.
  private let found = Lock<[(name: String, time: Int64)]>([])
  private let longestLateness = Lock<Int64>(0)
  private let calls: [(name: String, make: @Sendable () throws -> Void)]
  /// The lateness of the sleeping thread since the beginning, in nanoseconds.
  private let lateness = Lock<Int64>(0)
  private let isOver = Lock(false)

  init(in context: AudioContext) throws {
    let source = try Scenes.noise(in: context)
    let silence = try Scenes.silence(frames: 4_800, in: context)
    let stream = try SoundSource(streaming: SampleReader(frames: 600 * 48_000), in: context)
    (source.gain, stream.gain) = (0, 0)
    stream.play()
    calls = [
      ("clock", { _ = context.clock }), ("mixedFrames", { _ = context.mixedFrames }),
      ("sampleRate", { _ = context.sampleRate }), ("latency", { _ = context.latency }),
      ("output", { _ = context.output }), ("name", { _ = context.device.name }),
      ("listener", { context.listener.position = [1, 0, 0] }), ("listener back", { context.listener.position = .zero }),
      ("position", { source.position = [Float.random(in: -1...1), 0, -1] }),
      ("velocity", { source.velocity = [Float.random(in: -1...1), 0, 0] }),
      ("pitch", { source.pitch = Float.random(in: 0.9...1.1) }),
      ("stream pitch", { stream.pitch = Float.random(in: 0.9...1.1) }),
      ("state", { _ = source.state }), ("playbackFrame", { _ = source.playbackFrame }),
      ("playbackTime", { _ = stream.playbackTime }), ("audibleTime", { _ = source.audibleTime }),
      ("pause", { source.pause() }), ("play", { source.play() }), ("seek", { source.playbackFrame = 100 }),
      ("playOnce", { _ = try? context.playOnce(silence) }),
      ("play at a time", { source.play(at: context.clock + .milliseconds(100)) }),
      ("stop", { source.stop() }), ("play again", { source.play() }),
      ("reverb", { context.reverb = Reverb(.plate) }), ("no reverb", { context.reverb = nil }),
      ("buffer", { _ = try Scenes.silence(frames: 4_800, in: context) }),
      ("suspend", { context.suspend() }), ("resume", { context.resume() }),
      ("mute", { context.suspend(.mute) }), ("unmute", { context.resume() }),
    ]
  }

  /// Makes the calls again and again.
  func run(forSeconds seconds: Int) throws {
    let hasStarted = startThread { [self] in
      while !isOver.withLock({ $0 }) {
        let start = monotonicTime()
        usleep(2_000)
        let late = monotonicTime() - start - 2_000_000
        lateness.withLock { $0 += late }
        longestLateness.withLock { $0 = max($0, late) }
      }
    }
    try #require(hasStarted)
    defer { isOver.withLock { $0 = true } }
    let end = monotonicTime() + Int64(seconds) * 1_000_000_000
    while monotonicTime() < end {
      for call in calls {
        let (late, unscheduled) = (lateness.withLock { $0 }, processorWait())
        let start = monotonicTime()
        try call.make()
        let time = monotonicTime() - start - (processorWait() - unscheduled)
        count.withLock { $0 += 1 }
        if time > 50_000_000 {
          // The nap that was in progress counts as well.
          usleep(10_000)
          let slept = lateness.withLock { $0 } - late
          found.withLock { $0.append((call.name, time - slept)) }
        }
      }
      usleep(5_000)
    }
  }
}
