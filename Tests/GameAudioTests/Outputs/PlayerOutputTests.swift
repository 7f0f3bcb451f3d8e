import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Players whose output is lost, moves, returns or changes its rate or layout.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit, .serialized)
struct PlayerOutputTests {
  private static func noise(_ milliseconds: Int) throws -> PCMBuffer<Float> {
    try PlayerFixture.noise(48 * milliseconds)
  }

  @Test(arguments: OutputChange.allCases)
  func `A player goes through its queue once`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context, voiceLimit: 4)
    let file = try SoundFile(try Self.noise(200))
    let player = try SoundPlayer(playing: file.sound(streamed: true), in: world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.schedule(Sound(try Self.noise(100)), repeats: 3)
    player.schedule(Sound(try PlayerFixture.noise(4_410, .mono(sampleRate: 44_100))))
    player.schedule(file.sound(), repeats: 1)
    await player.prepareToPlay()
    let start = context.clock
    player.play()
    for _ in 0..<5 {
      try await context.advance(by: .milliseconds(50))
      try await change.happen(to: context) { try await context.advance(by: .milliseconds(50)) }
    }
    try await eventually("the player has finished") { events.all.contains(.finished(successfully: true)) }
    // Sounds of 0.2, 0.4, 0.1 and 0.4 seconds. A loss without hold may move a position by less than a millisecond.
    #expect(context.clock - start >= .milliseconds(1_095))
    try await context.advance(by: .milliseconds(100))
    #expect(events.all.count { if case .finished = $0 { true } else { false } } == 1, "\(events.all)")
    let laps = events.all.map { if case .looped(let count) = $0 { count } else { 0 } }
    #expect(laps.reduce(0, +) == 4, "\(events.all)")
    #expect(!player.isPlaying)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: OutputChange.allCases)
  func `A player goes on at the frame of the clock, and begins at its moment`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context)
    let long = Sound(TestSignal.silence(duration: .seconds(30), format: PlayerFixture.stereo))
    let player = try SoundPlayer(playing: long, in: world)
    player.repeats = .forever
    await player.prepareToPlay()
    player.play()
    try await context.advance(by: .milliseconds(50))
    func offset(of player: SoundPlayer) -> ClockOffset {
      ClockOffset(of: { player.playbackTime }, over: .seconds(30), from: context)
    }
    let before = offset(of: player)
    try await change.happen(to: context) {
      try await context.advance(by: .milliseconds(60))
      #expect(offset(of: player).agrees(with: before), "\(offset(of: player)), before \(before)")
    }
    try await context.advance(by: .milliseconds(60))
    #expect(offset(of: player).agrees(with: before), "\(offset(of: player)), before \(before)")

    let next = try SoundPlayer(playing: long, in: world)
    await next.prepareToPlay()
    let moment = context.clock + .milliseconds(150)
    next.play(at: moment)
    try await change.happen(to: context) {}
    try await eventually("the start has come") { context.clock > moment + .milliseconds(50) }
    let begin = offset(of: next)
    #expect(begin.agrees(with: ClockOffset(beginningAt: moment, over: .seconds(30))), "\(begin), at \(moment)")
    player.pause()
    try await eventually("the player has the position of its paused source") {
      guard let source = player.inspector.source, source.state == .paused else { return false }
      return player.playbackTime == PlayerFixture.stereo.duration(ofFrames: source.playbackFrame)
    }
    let rest = player.playbackTime
    try await change.happen(to: context) { try await context.advance(by: .milliseconds(30)) }
    #expect(player.playbackTime == rest && !player.isPlaying, "\(player.playbackTime), before \(rest)")
  }

  @Test(arguments: OutputChange.allCases)
  func `A crossfade and a fade of a player end at their levels`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context)
    let players = try (0..<3).map { _ in try SoundPlayer(playing: Sound(try Self.noise(1_000)), in: world) }
    for player in players { player.repeats = .forever }
    players[0].play()
    players[2].play()
    try await context.advance(by: .milliseconds(50))
    players[0].crossfade(to: players[1], Fade(.milliseconds(300)))
    players[2].fade(to: 0.25, Fade(.milliseconds(300)))
    try await change.happen(to: context) { try await context.advance(by: .milliseconds(60)) }
    try await eventually("the crossfade is over") { !players[0].isPlaying }
    try await eventually("the gains of the sources are those at the end") {
      let gains = [1, 2].map { players[$0].inspector.source?.gain.rawValue ?? 0 }
      return gains[0] > 0 && abs(gains[1] / gains[0] - 0.25) < 0.003
    }
    #expect(players[1].isPlaying && players[1].volume == 1 && abs(players[2].volume.rawValue - 0.25) < 0.003)
  }
}
