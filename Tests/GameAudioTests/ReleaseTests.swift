import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The release of a world with everything that belongs to it.
@Suite struct ReleaseTests {
  @Test(.hangLimit) func `A world with a bank, players and a clock is released with its threads and files`()
    async throws
  {
    weak var context: AudioContext?
    weak var world: AudioWorld?
    weak var (bank, watch): (SoundBank?, FileWatch?)
    weak var (player, beats): (SoundPlayer?, BeatClock?)
    do {
      let folder = try SoundFolder()
      let live = AudioWorld(in: try AudioContext(device: .silent))
      (context, world) = (live.context, live)
      let path = try folder.write("noise.wav", try PlayerFixture.noise(9_600))
      let sounds = SoundBank(in: live)
      sounds.define("noise", Sound(path))
      sounds.define("stream", Sound(path, streamed: true), loading: .onDemand)
      sounds.watchesFiles = true
      try await sounds.loadAll()
      try sounds.play("noise", repeats: .forever)
      try sounds.play("stream", repeats: .forever)
      (bank, watch) = (sounds, sounds.fileWatch)
      let music = try SoundPlayer(playing: Sound(path, streamed: true), in: live)
      music.repeats = .forever
      let laps = music.observe { _ in }
      await music.prepareToPlay()
      music.play()
      music.schedule(Sound(path), .at(.seconds(3_600)))
      player = music
      let clock = BeatClock(240, in: live)
      let lines = Collected<BeatClock.Tick>()
      let token = clock.observe { lines.append($0) }
      clock.start()
      beats = clock
      try await eventually("everything plays") { lines.all.count > 1 && music.playbackTime > .zero }
      withExtendedLifetime((laps, token)) {}
    }
    try await eventually("everything is gone") {
      context == nil && world == nil && bank == nil && watch == nil && player == nil && beats == nil
    }
  }

  @Test(.hangLimit) func `The sequences of released emitters and players end with their world`() async throws {
    func sequences() throws -> (
      emitters: [NotificationSequence<EmitterEvent>], player: NotificationSequence<PlayerEvent>
    ) {
      var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      let world = AudioWorld(in: offline.context)
      let sound = Sound(try PlayerFixture.noise(9_600))
      let emitter = Emitter(playing: sound, in: world)
      let player = try SoundPlayer(playing: sound, in: world)
      let once = world.playOnce(sound)
      let sequences = ([emitter.events(), once.events()], player.events())
      emitter.play()
      player.play()
      _ = offline.render(.milliseconds(50))
      // No tick comes between the releases and the end of the world.
      return sequences
    }
    let (emitters, player) = try sequences()
    for sequence in emitters {
      var ends: [EmitterEvent] = []
      for await event in sequence { if case .ended = event { ends.append(event) } }
      #expect(ends == [.ended(.stopped)])
    }
    for await event in player { #expect(event != .finished(successfully: true)) }
  }
}
