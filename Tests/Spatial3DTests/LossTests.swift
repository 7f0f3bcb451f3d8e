import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// An output that is lost and returns, without a sound card: the null device is forced to seem disconnected.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
struct LossTests {
  enum Library: CaseIterable, Sendable {
    case asItIs, forgetful, withoutEvents, withoutClock

    func context(_ settings: OutputSettings = OutputSettings()) throws -> AudioContext {
      let disabled: DisabledFeatures =
        switch self {
        case .asItIs: []
        case .forgetful: DisabledFeatures(holdOnDisconnect: true)
        case .withoutEvents: [.events]
        case .withoutClock: [.deviceClock, .sourceLatency]
        }
      return try AudioContext(
        device: AudioDevice(handle: try DeviceHandle(opening: nil, disabling: disabled)),
        settings: settings
      )
    }
  }

  @Test(arguments: Library.allCases)
  func `A source keeps advancing while the output is lost and after it returns`(library: Library) async throws {
    let context = try library.context()
    let source = try SoundSource(playing: Scenes.silence(frames: 60 * 48_000, in: context), in: context)
    // The sound loops, because a busy machine may take longer than its length.
    source.isLooping = true
    var events = context.events().makeAsyncIterator()
    let start = ContinuousClock.now
    source.play()
    source.playbackFrame = 48_000
    let started = ContinuousClock.now
    func expectItGoesOn(sourceLocation: SourceLocation = #_sourceLocation) {
      let least = (ContinuousClock.now - started) / .seconds(1)
      let seconds = Double(source.playbackFrame) / 48_000 - 1
      let most = (ContinuousClock.now - start) / .seconds(1)
      #expect(source.state == .playing, sourceLocation: sourceLocation)
      // The position may be in any loop iteration. It may be behind the time by the delay of a busy machine, but not
      // ahead.
      let ahead = (seconds - least + 650).truncatingRemainder(dividingBy: 60) - 50
      #expect(ahead < most - least + 2, sourceLocation: sourceLocation)
    }
    try await eventually("the source moves") { source.playbackFrame != 48_000 }
    context.lose()
    #expect(source.state == .playing)
    #expect(await events.next()?.kind == .deviceLost)
    expectItGoesOn()
    let other = try SoundSource(playing: Scenes.silence(frames: 9_600, in: context), in: context)
    /// Expects that the source advances by the length of another sound while that sound plays.
    func expectItMoves(sourceLocation: SourceLocation = #_sourceLocation) async {
      let position = source.playbackFrame
      other.play()
      await other.waitUntilStopped()
      let distance = (source.playbackFrame - position + 60 * 48_000) % (60 * 48_000)
      #expect(distance >= 9_600 - 4_096, sourceLocation: sourceLocation)
      expectItGoesOn(sourceLocation: sourceLocation)
    }
    await expectItMoves()
    context.inspector.forceUnplugged(false)
    #expect(await events.next()?.kind == .deviceReturned)
    expectItGoesOn()
    #expect(context.inspector.isConnected)
    await expectItMoves()
  }

  @Test(arguments: Library.allCases) func `One-shot sounds end on time during a loss`(library: Library) async throws {
    let context = try library.context()
    let log = NotificationLog()
    // The clock can stand still, and no source ends before the test observes it.
    context.suspend()
    let sources = try (1...5).map { try context.playOnce(Scenes.silence(frames: $0 * 4_800, in: context)) }
    let tokens = sources.map { $0.record(in: log) }
    let end = Lock<Int64>(0)
    let last = sources[4].observe(.state) { _ in end.withLock { $0 = monotonicTime() } }
    context.resume()
    let start = monotonicTime()
    context.lose()
    for source in sources { await source.waitUntilStopped() }
    // The notifying thread takes the time, because the test's own thread may have waited for others.
    let seconds = Double(end.withLock { $0 } - start) / 1e9
    // The upper bound allows for a very busy machine.
    #expect((0.35...60).contains(seconds))
    await log.wait { $0.count >= sources.count }
    #expect(log.all.allSatisfy { $0.cause == .mix })
    withExtendedLifetime((tokens, last)) {}
  }

  @Test func `A hundred losses leave no thread and no descriptor behind`() async throws {
    let context = try Library.forgetful.context()
    let source = try Scenes.noise(in: context, at: [1, 0, 0])
    context.reverb = Reverb(.cathedral)
    source.reverbBlend = 0.3
    let stream = try SoundSource(streaming: SampleReader(frames: 9_600), in: context)
    stream.isLooping = true
    stream.play()
    func lose() {
      context.inspector.forceUnplugged(true)
      #expect(context.device.migrate(keepsTime: true) { ReplacementDevice(placeholderFor: $0) })
      context.inspector.forceUnplugged(false)
      #expect(context.device.migrate(keepsTime: true) { ReplacementDevice(for: $0, named: nil) })
    }
    for _ in 0..<5 { lose() }
    let before = try (openFiles(), threads())
    for _ in 0..<100 { lose() }
    // Other tests open and close files and threads meanwhile; a leak would stay.
    try await eventually("no descriptor of the losses is left", every: .milliseconds(20)) {
      try openFiles() - before.0 <= 50
    }
    try await eventually("no thread of the losses is left", every: .milliseconds(20)) {
      try threads() - before.1 <= 50
    }
    #expect(source.state == .playing)
    #expect(stream.state == .playing)
  }

  @Test func `A paused stream keeps its position between a loss and the placeholder`() async throws {
    for _ in 0..<5 {
      let context = try Library.forgetful.context()
      let stream = try SoundSource(streaming: SampleReader(frames: 480_000), in: context)
      // The stream loops, because a busy machine may take longer than its length.
      stream.isLooping = true
      stream.play()
      try await eventually("the stream has played") { stream.playbackFrame > 2_400 }
      stream.pause()
      let before = stream.playbackFrame
      context.lose()
      for _ in 0..<50 { #expect(stream.playbackFrame == before) }
    }
  }

  @Test func `Calls for a stream between a loss and the placeholder set its state and position`() async throws {
    let context = try Library.forgetful.context()
    let stream = try SoundSource(streaming: SampleReader(frames: 60 * 48_000), in: context)
    // The stream loops, because a busy machine may take longer than its length.
    stream.isLooping = true
    stream.play()
    try await eventually("the stream has played") { stream.playbackFrame > 2_400 }
    stream.pause()
    let paused = stream.playbackFrame
    try context.device.inspector.holdMoves {
      context.lose()
      stream.play()
      try eventually("the stream moves") { stream.playbackFrame > paused + 2_400 }
      stream.pause()
      let before = stream.playbackFrame
      for _ in 0..<50 { #expect(stream.playbackFrame == before && stream.state == .paused) }
      stream.stop()
      #expect(stream.playbackFrame == 0 && stream.state == .stopped)
    }
  }
}
