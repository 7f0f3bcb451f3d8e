import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Tasks that wait for the end of an emitter's sound.
@Suite(.hangLimit) struct EndWaitTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = TestSignal.noise(duration: .milliseconds(100), format: mono)
  /// A sound that shares its limit with no other.
  private static var sound: Sound { Sound(noise) }

  /// Waits until a task waits for an emitter.
  private static func awaitWaiting(for emitter: Emitter) async throws {
    try await eventually("a task waits") {
      emitter.inspector.isObserved
    }
  }

  @Test(arguments: [EmitterEvent.Reason.played, .stopped, .stolen])
  func `A task that waits for an emitter receives the reason of the end`(reason: EmitterEvent.Reason) async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Self.sound
    sound.limit = PlaybackLimit(1, whenReached: .stealOldest)
    let emitter = Emitter(playing: sound, in: world)
    emitter.play()
    offline.render(.milliseconds(20))
    let end = Task { await emitter.waitUntilEnded() }
    try await Self.awaitWaiting(for: emitter)
    if reason == .stopped { emitter.stop() }
    if reason == .stolen { world.playOnce(sound) }
    offline.render(.milliseconds(200))
    #expect(await end.value == reason)
    #expect(!emitter.isPlaying)
  }

  @Test func `A play during the sound ends the wait, and one that a limit refuses does not`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let again = Emitter(playing: Self.sound, in: world)
    var sound = Self.sound
    sound.limit = PlaybackLimit(4, spacing: .seconds(1))
    let refused = Emitter(playing: sound, in: world)
    let emitters = [again, refused]
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(20))
    let ends = emitters.map { emitter in Task { await emitter.waitUntilEnded() } }
    for emitter in emitters {
      try await Self.awaitWaiting(for: emitter)
      emitter.play()
    }
    offline.render(.milliseconds(30))
    #expect(await ends[0].value == .stopped)
    #expect(again.isPlaying && refused.isPlaying)
    offline.render(.milliseconds(200))
    #expect(await ends[1].value == .played)
  }

  @Test func `A pause and a start that lies ahead are no end`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (paused, later) = (Emitter(playing: Self.sound, in: world), Emitter(playing: Self.sound, in: world))
    paused.play()
    offline.render(.milliseconds(20))
    paused.pause()
    offline.render(.milliseconds(50))
    later.play(at: offline.context.clock + .milliseconds(50))
    let ends = [paused, later].map { emitter in Task { await emitter.waitUntilEnded() } }
    for emitter in [paused, later] { try await Self.awaitWaiting(for: emitter) }
    offline.render(.milliseconds(300))
    #expect(await ends[1].value == .played)
    #expect(paused.isPaused)
    paused.play()
    offline.render(.milliseconds(300))
    #expect(await ends[0].value == .played)
  }

  @Test func `A wait returns at once without a sound, and when its task is cancelled`() async throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let emitter = Emitter(playing: Self.sound, in: AudioWorld(in: offline.context))
    #expect(await emitter.waitUntilEnded() == nil)
    emitter.play()
    let end = Task { await emitter.waitUntilEnded() }
    try await Self.awaitWaiting(for: emitter)
    end.cancel()
    #expect(await end.value == nil)
    #expect(emitter.isPlaying)
    #expect(!emitter.inspector.isObserved)
  }

  @Test(arguments: [EmitterEvent.Reason.refused, .failed, .stopped])
  func `A wait behind an end that the next tick delivers returns the reason with the tick`(
    reason: EmitterEvent.Reason
  ) async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = reason == .failed ? Sound("/nowhere/missing.wav") : Self.sound
    sound.limit = PlaybackLimit(1, whenReached: .refuse)
    if reason == .refused { world.playOnce(sound) }
    let emitter = Emitter(playing: sound, in: world)
    emitter.play()
    if reason == .stopped { emitter.stop(.none) }
    #expect(!emitter.isPlaying && !world.inspector.hasDeferredEvents)
    let end = Task { await emitter.waitUntilEnded() }
    try await eventually("a task waits") { world.inspector.hasDeferredEvents }
    offline.render(frameCount: WorldInspector.tick + 1)
    #expect(await end.value == reason)
    #expect(await emitter.waitUntilEnded() == nil)
  }

  @Test func `A wait returns at once behind an end that a tick has delivered`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Self.sound
    sound.limit = PlaybackLimit(1, whenReached: .refuse)
    world.playOnce(sound)
    let emitter = Emitter(playing: sound, in: world)
    emitter.play()
    offline.render(frameCount: WorldInspector.tick + 1)
    #expect(await emitter.waitUntilEnded() == nil)
  }

  @Test func `The end behind a refused play, in the same tick, is the end that a later wait returns`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Self.sound
    sound.limit = PlaybackLimit(4, spacing: .seconds(1))
    let emitter = Emitter(playing: sound, in: world)
    emitter.play()
    offline.render(.milliseconds(20))
    emitter.play()
    emitter.stop(.none)
    let end = Task { await emitter.waitUntilEnded() }
    try await eventually("a task waits") { world.inspector.hasDeferredEvents }
    offline.render(frameCount: WorldInspector.tick + 1)
    #expect(await end.value == .stopped)
  }

  @Test func `A loop that plays and waits runs once a tick while a limit refuses the emitter`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.noise(duration: .seconds(1), format: Self.mono))
    sound.limit = PlaybackLimit(1, whenReached: .refuse)
    world.playOnce(sound)
    let emitter = Emitter(playing: sound, in: world)
    let ends = Collected<EmitterEvent.Reason?>()
    let loop = Task {
      // Waits that return at once would go on for ever.
      while !Task.isCancelled, ends.all.count < 200 {
        emitter.play()
        ends.append(await emitter.waitUntilEnded())
      }
    }
    for _ in 0..<40 {
      try await eventually("the task waits") { world.inspector.hasDeferredEvents || ends.all.count == 200 }
      offline.render(frameCount: WorldInspector.tick)
    }
    loop.cancel()
    await loop.value
    #expect((39...41).contains(ends.all.count), "\(ends.all.count)")
    // The cancelled wait has no reason.
    #expect(ends.all.dropLast().allSatisfy { $0 == .refused })
  }

  @Test func `A wait keeps its emitter until the end`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var emitter: Emitter? = Emitter(playing: Self.sound, in: world)
    emitter?.play()
    let end = Task { [emitter] in await emitter?.waitUntilEnded() }
    try await Self.awaitWaiting(for: try #require(emitter))
    emitter = nil
    offline.render(.milliseconds(200))
    #expect(await end.value == .played)
  }

  /// A game on an actor of its own.
  private actor Game {
    private(set) var end: EmitterEvent.Reason?

    func awaitEnd(of emitter: Emitter) async { end = await emitter.waitUntilEnded() }
  }

  @Test func `An actor that waits for an end takes other calls meanwhile`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let emitter = Emitter(playing: Self.sound, in: AudioWorld(in: offline.context))
    emitter.play()
    let game = Game()
    let waiting = Task { await game.awaitEnd(of: emitter) }
    try await Self.awaitWaiting(for: emitter)
    #expect(await game.end == nil)
    offline.render(.milliseconds(200))
    await waiting.value
    #expect(await game.end == .played)
  }
}
