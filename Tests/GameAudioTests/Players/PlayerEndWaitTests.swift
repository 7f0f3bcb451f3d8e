import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Tasks that wait for the end of a player.
@Suite(.hangLimit) struct PlayerEndWaitTests {
  /// A task that waits for a player.
  private static func wait(for player: SoundPlayer) async throws -> Task<EmitterEvent.Reason?, Never> {
    let task = Task { await player.waitUntilEnded() }
    try await eventually("a task waits") { player.inspector.hasWaitingTask }
    return task
  }

  private static func sound(_ frameCount: Int = 4_800) throws -> Sound { Sound(try PlayerFixture.noise(frameCount)) }

  @Test func `A task waits for the end of all that is queued, through a pause`() async throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: try Self.sound(), in: fixture.world)
    player.schedule(try Self.sound())
    player.play()
    let end = try await Self.wait(for: player)
    fixture.offline.render(frameCount: 6_144)
    #expect(player.isPlaying && player.inspector.hasWaitingTask)
    player.pause()
    fixture.offline.render(frameCount: 2_048)
    #expect(!player.isPlaying && player.inspector.hasWaitingTask)
    player.play()
    fixture.offline.render(frameCount: 8_192)
    #expect(await end.value == .played)
    #expect(!player.isPlaying)
  }

  /// A cause that ends a player.
  enum Cause: CaseIterable {
    case stop, stopBeforeStart, crossfade, limit, failure

    var reason: EmitterEvent.Reason {
      switch self {
      case .stop, .stopBeforeStart, .crossfade: .stopped
      case .limit: .stolen
      case .failure: .failed
      }
    }
  }

  @Test(arguments: Cause.allCases)
  func `Each end of a player ends the wait, with its reason`(cause: Cause) async throws {
    var fixture = try PlayerFixture()
    let bus = fixture.world.mixer.makeBus("music")
    bus.limit = PlaybackLimit(1, whenReached: .stealOldest)
    let player = try SoundPlayer(playing: try Self.sound(), in: fixture.world, on: bus)
    if cause == .stopBeforeStart { player.play(at: .seconds(100)) } else { player.play() }
    let other = try SoundPlayer(playing: try Self.sound(), in: fixture.world, on: cause == .limit ? bus : nil)
    let end = try await Self.wait(for: player)
    switch cause {
    case .stop, .stopBeforeStart: player.stop()
    case .crossfade: player.crossfade(to: other, Fade(.milliseconds(20)))
    case .limit: other.play()
    case .failure: player.schedule("/no/such/verse.ogg")
    }
    fixture.offline.render(frameCount: 9_600)
    #expect(await end.value == cause.reason)
    #expect(!player.isPlaying)
  }

  @Test func `Another moment for a start that lies ahead does not end the wait`() async throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: try Self.sound(), in: fixture.world)
    player.play(at: .seconds(100))
    let end = try await Self.wait(for: player)
    player.play(at: .milliseconds(50))
    fixture.offline.render(frameCount: 4_096)
    #expect(player.isPlaying && player.inspector.hasWaitingTask)
    fixture.offline.render(frameCount: 9_600)
    #expect(await end.value == .played)
  }

  @Test(arguments: [EmitterEvent.Reason.refused, .failed])
  func `A wait behind an end that the next tick delivers returns the reason with the tick`(
    reason: EmitterEvent.Reason
  ) async throws {
    var fixture = try PlayerFixture()
    let world = fixture.world
    let bus = world.mixer.makeBus("music")
    bus.limit = PlaybackLimit(1, whenReached: .refuse)
    let other = try SoundPlayer(playing: try Self.sound(), in: world, on: bus)
    if reason == .refused { other.play() }
    let player = try SoundPlayer(playing: try Self.sound(), in: world, on: bus)
    player.play()
    if reason == .failed { player.inspector.fail() }
    #expect(!player.isPlaying && !world.inspector.hasDeferredEvents)
    let end = Task { await player.waitUntilEnded() }
    try await eventually("a task waits") { world.inspector.hasDeferredEvents }
    fixture.offline.render(frameCount: WorldInspector.tick + 1)
    #expect(await end.value == reason)
    #expect(await player.waitUntilEnded() == nil)
    player.stop()
    #expect(await player.waitUntilEnded() == nil)
    withExtendedLifetime(other) {}
  }

  @Test func `A stop ends a wait at once, also before a tick`() async throws {
    let fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: try Self.sound(), in: fixture.world)
    player.play()
    let end = Task { await player.waitUntilEnded() }
    try await eventually("a task waits") { player.inspector.hasWaitingTask }
    player.stop()
    #expect(await end.value == .stopped)
    #expect(await player.waitUntilEnded() == nil)
  }

  @Test func `A loop that plays and waits runs once a tick while a limit refuses the player`() async throws {
    var fixture = try PlayerFixture()
    let world = fixture.world
    let bus = world.mixer.makeBus("music")
    bus.limit = PlaybackLimit(1, whenReached: .refuse)
    let other = try SoundPlayer(playing: try Self.sound(48_000), in: world, on: bus)
    other.play()
    let player = try SoundPlayer(playing: try Self.sound(), in: world, on: bus)
    let ends = Collected<EmitterEvent.Reason?>()
    let loop = Task {
      // Waits that return at once would go on for ever.
      while !Task.isCancelled, ends.all.count < 200 {
        player.play()
        ends.append(await player.waitUntilEnded())
      }
    }
    for _ in 0..<40 {
      try await eventually("the task waits") { world.inspector.hasDeferredEvents || ends.all.count == 200 }
      fixture.offline.render(frameCount: WorldInspector.tick)
    }
    loop.cancel()
    await loop.value
    #expect((39...41).contains(ends.all.count), "\(ends.all.count)")
    // The cancelled wait has no reason.
    #expect(ends.all.dropLast().allSatisfy { $0 == .refused })
    #expect(other.isPlaying)
  }

  @Test func `A wait returns at once for a player that does not play, and when its task is cancelled`() async throws {
    let fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: try Self.sound(), in: fixture.world)
    #expect(await player.waitUntilEnded() == nil)
    player.schedule(try Self.sound(), .at(.seconds(100)))
    #expect(await player.waitUntilEnded() == nil)
    player.play()
    let end = try await Self.wait(for: player)
    end.cancel()
    #expect(await end.value == nil)
    #expect(player.isPlaying && !player.inspector.hasWaitingTask)
  }
}
