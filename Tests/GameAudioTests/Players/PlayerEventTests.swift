import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The events of players, interruptions, and sounds that fail.
@Suite struct PlayerEventTests {
  @Test func `An event prints what happened`() {
    #expect(PlayerEvent.finished(successfully: true).description == "finished")
    #expect(PlayerEvent.finished(successfully: false).description == "finished without success")
    #expect(PlayerEvent.interruptionBegan.description == "interruption began")
    #expect(PlayerEvent.interruptionEnded(shouldResume: true).description == "interruption ended, should resume")
    #expect(PlayerEvent.interruptionEnded(shouldResume: false).description == "interruption ended")
    #expect(PlayerEvent.decodeError("no disk").description == "decode error: no disk")
    #expect(PlayerEvent.looped(2).description == "looped 2×")
  }

  private func observed(_ player: SoundPlayer) -> (events: Collected<PlayerEvent>, token: NotificationToken) {
    let events = Collected<PlayerEvent>()
    return (events, player.observe { events.append($0) })
  }

  @Test(.hangLimit) func `A loop over the events ends with the sound`() async throws {
    for context in [try AudioContext(device: .silent), try AudioContext()] {
      let world = AudioWorld(in: context)
      let file = try SoundFile(try PlayerFixture.noise(4_800))
      for streamed in [false, true] {
        let player = try SoundPlayer(playing: file.sound(streamed: streamed), in: world)
        await player.prepareToPlay()
        player.repeats = 2
        let events = player.events()
        player.play()
        var (laps, isOver) = (0, false)
        for await event in events {
          if case .looped(let count) = event { laps += count }
          if case .finished(let successfully) = event {
            #expect(successfully)
            isOver = true
            break
          }
        }
        #expect(laps == 2)
        #expect(isOver)
      }
    }
  }

  @Test(.hangLimit) func `Players are used from several threads at once`() async throws {
    for context in [try AudioContext(device: .silent), try AudioContext()] {
      let world = AudioWorld(in: context, voiceLimit: 4)
      let file = try SoundFile(try PlayerFixture.noise(2_400))
      await withTaskGroup { group in
        for seed in 0..<4 {
          group.addTask {
            var random = SplitMix64(seed: UInt64(seed))
            for _ in 0..<6 {
              guard let player = try? SoundPlayer(playing: file.sound(streamed: seed.isMultiple(of: 2)), in: world)
              else { return }
              for _ in 0..<12 {
                switch Int.random(in: 0..<9, using: &random) {
                case 0: player.play()
                case 1: player.pause()
                case 2: player.stop()
                case 3: player.playbackTime = .milliseconds(Int.random(in: 0...60, using: &random))
                case 4: player.repeats = .times(Int.random(in: -1...3, using: &random))
                case 5:
                  player.schedule(
                    file.sound(),
                    [.afterQueue, .now, .atLoopEnd][Int.random(in: 0..<3, using: &random)]
                  )
                case 6: player.play(at: context.clock + .milliseconds(Int.random(in: 0...30, using: &random)))
                case 7: await player.prepareToPlay()
                default: _ = (player.meter, player.playbackTime, player.isPlaying)
                }
              }
            }
          }
        }
      }
      try await eventually("all voices are free") { world.inspector.usedVoiceCount == 0 }
      #expect(world.inspector.activeCount == 0)
    }
  }

  @Test func `Thousands of random calls leave a player whole`() throws {
    for seed in UInt64(0)..<12 {
      var fixture = try PlayerFixture()
      var random = SplitMix64(seed: seed)
      let sounds = try [PlayerFixture.stereo, .stereo(sampleRate: 32_000), PlayerFixture.mono].map {
        Sound(try PlayerFixture.noise(3_000, $0))
      }
      let player = try SoundPlayer(playing: sounds[0], in: fixture.world)
      for _ in 0..<100 {
        let frames = Int.random(in: 0...6_000, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1: player.play()
        case 2: player.pause()
        case 3: player.stop()
        case 4: player.playbackTime = PlayerFixture.stereo.duration(ofFrames: frames)
        case 5: player.repeats = .times(Int.random(in: 0...3, using: &random))
        case 6: player.loopRange = frames / 4..<frames / 4 + Int.random(in: 1...2_000, using: &random)
        case 7: player.schedule(sounds[Int.random(in: 0..<3, using: &random)], repeats: .times(frames % 3))
        case 8: player.schedule(sounds[Int.random(in: 0..<3, using: &random)], .now)
        case 9: player.schedule(sounds[Int.random(in: 0..<3, using: &random)], .atLoopEnd)
        case 10:
          let moment = fixture.offline.context.clock + PlayerFixture.stereo.duration(ofFrames: frames)
          if frames.isMultiple(of: 2) { player.play(at: moment) } else { player.schedule(sounds[0], .at(moment)) }
        default: player.pitch = Float.random(in: 0.3...3, using: &random)
        }
        fixture.offline.render(frameCount: frames / 4)
        #expect(player.inspector.isWhole)
      }
      player.stop()
      player.repeats = 0
      fixture.offline.render(frameCount: 8_192)
      #expect(fixture.world.inspector.usedVoiceCount == 0, "seed \(seed)")
      player.schedule(sounds[0], .now)
      player.play()
      #expect(!fixture.offline.render(frameCount: 2_048).isSilent())
    }
  }

  @Test func `An interruption pauses each player, and its end resumes those that nobody has touched`() throws {
    var fixture = try PlayerFixture()
    let sound = Sound(try PlayerFixture.noise(96_000))
    let players = try (0..<4).map { _ in try SoundPlayer(playing: sound, in: fixture.world) }
    let observations = players.map(observed)
    for player in players.prefix(3) { player.play() }
    fixture.offline.render(frameCount: 24_064)
    fixture.world.beginInterruption()
    #expect(players.allSatisfy { !$0.isPlaying })
    fixture.offline.render(frameCount: 4_096)
    players[1].stop()
    fixture.world.endInterruption(shouldResume: true, resumingAfter: .milliseconds(200))
    #expect(players.map(\.isPlaying) == [true, false, true, false])
    #expect(players[0].playbackTime == PlayerFixture.stereo.duration(ofFrames: 24_576 - 9_600))
    #expect(!fixture.offline.render(frameCount: 4_096).isSilent())
    for observation in observations.prefix(3) {
      #expect(observation.events.all == [.interruptionBegan, .interruptionEnded(shouldResume: true)])
    }
    #expect(observations[3].events.all.isEmpty)
    fixture.world.beginInterruption()
    fixture.world.endInterruption(shouldResume: false, resumingAfter: .zero)
    #expect(players.allSatisfy { !$0.isPlaying })
    fixture.world.beginInterruption()
    fixture.world.endInterruption(shouldResume: true)
    #expect(observations[0].events.all.last == .interruptionEnded(shouldResume: false))
  }

  @Test func `A file that is missing or no sound throws a sentence with its name`() throws {
    let fixture = try PlayerFixture()
    let damaged = try SoundFile(try PlayerFixture.noise(1_000))
    try damaged.cut(to: 10)
    for path in ["/no/such/theme.flac", damaged.path] {
      let error = #expect(throws: GameAudioError.self) { try SoundPlayer(playing: Sound(path), in: fixture.world) }
      #expect(error?.code == .soundUnavailable)
      #expect(error?.message.contains(path) == true && error?.path == path)
    }
    var sound = Sound(try PlayerFixture.noise(1_000))
    sound.loopRange = 1_000..<1_200
    let error = #expect(throws: GameAudioError.self) { try SoundPlayer(playing: sound, in: fixture.world) }
    #expect(error?.code == .invalidLoopRange)
    let broken = Sound(streaming: "a synthesizer") { () throws -> Failing in throw Failing.Stopped() }
    #expect(throws: GameAudioError.self) { try SoundPlayer(playing: broken, in: fixture.world) }
  }

  @Test(arguments: ["wav", "flac", "ogg"])
  func `A damaged file plays what it holds, and the event says so`(ending: String) throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(20_000), ending)
    try file.cut(to: file.byteCount * 2 / 3)
    let player = try SoundPlayer(playing: Sound(file.path), in: fixture.world)
    let (events, token) = observed(player)
    player.schedule(Sound(try PlayerFixture.noise(1_000)))
    player.play()
    let mix = fixture.offline.render(frameCount: 24_000)
    #expect(!mix.frames(0..<4_000).isSilent())
    #expect(events.all.count == 2 && events.all.last == .finished(successfully: false))
    if case .decodeError(let sentence)? = events.all.first {
      #expect(sentence.contains(file.path))
    } else {
      Issue.record("no error in \(events.all)")
    }
    withExtendedLifetime(token) {}
  }

  @Test func `A reader that fails ends its sound, and the player goes on with the next`() throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(
      playing: Sound(streaming: "a synthesizer") { Failing(after: 5_000) },
      in: fixture.world
    )
    let (events, token) = observed(player)
    player.repeats = .forever
    player.play()
    let mix = fixture.offline.render(frameCount: 9_600)
    // OpenAL Soft 1.25 holds the last sample to the end of the mix, and fades it out.
    let sounding = mix.soundingFrames()
    #expect(sounding.lowerBound == 0 && (5_000...5_200).contains(sounding.upperBound))
    #expect(events.all == [.decodeError("the oscillator has stopped"), .finished(successfully: false)])
    #expect(!player.isPlaying)
    withExtendedLifetime(token) {}
  }

  @Test func `Samples that are no numbers end their sound`() throws {
    var fixture = try PlayerFixture()
    let good = try PlayerFixture.noise(2_000)
    let bad = try PCMBuffer(samples: good.samples.map { $0 > 0.49 ? .nan : $0 }, format: PlayerFixture.stereo)
    let player = try SoundPlayer(playing: Sound(bad), in: fixture.world)
    let (events, token) = observed(player)
    player.play()
    fixture.offline.render(frameCount: 4_096)
    #expect(events.all.count == 2 && events.all.last == .finished(successfully: false))
    withExtendedLifetime(token) {}
  }

  @Test func `A scheduled sound that cannot be opened is left out`() throws {
    var fixture = try PlayerFixture()
    let diagnostics = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { diagnostics.append($0) }
    let (first, last) = (try PlayerFixture.noise(3_000), try PlayerFixture.noise(3_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    let (events, token) = observed(player)
    player.play()
    player.schedule(Sound("/no/such/verse.ogg"))
    player.schedule(Sound(last))
    let mix = fixture.offline.render(frameCount: 8_000)
    #expect(largestDifference(PlayerFixture.samples(mix, 0..<6_000), first.samples + last.samples) < 2e-4)
    #expect(diagnostics.all.map(\.code) == [.soundUnavailable])
    #expect(events.all.count == 2 && events.all.last == .finished(successfully: false))
    if case .decodeError(let sentence)? = events.all.first { #expect(sentence.contains("/no/such/verse.ogg")) }
    withExtendedLifetime(token) {}
  }

  @Test func `A loop range outside the sound is ignored, and reported, and so is a cut of one`() throws {
    let fixture = try PlayerFixture()
    let diagnostics = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { diagnostics.append($0) }
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(3_000)), in: fixture.world)
    player.loopRange = 5_000..<6_000
    player.loopRange = 100..<100
    #expect(player.loopRange == nil)
    player.loopRange = 2_000..<9_000_000
    #expect(player.loopRange == 2_000..<9_000_000)
    #expect(diagnostics.all.map(\.code) == Array(repeating: .loopRangeIgnored, count: 3))
    #expect(diagnostics.all.last?.message.contains("2000..<3000 repeats") == true)
  }

  @Test func `A sound of no frames finishes at once`() throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: Sound(PCMBuffer(format: PlayerFixture.stereo)), in: fixture.world)
    let (events, token) = observed(player)
    player.repeats = .forever
    player.play()
    fixture.offline.render(frameCount: 2_048)
    #expect(events.all == [.finished(successfully: true)])
    #expect(player.duration == .zero)
    withExtendedLifetime(token) {}
  }
}

/// A reader that throws at a frame.
private struct Failing: PCMReader, Sendable {
  struct Stopped: Error, CustomStringConvertible { let description = "the oscillator has stopped" }

  let format = PlayerFixture.stereo
  var frameCount: Int? { nil }
  private var left: Int

  init(after count: Int) { left = count }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Stopped) -> Int {
    guard left > 0 else { throw Stopped() }
    let count = min(maxFrames, left)
    left -= count
    buffer.removeAll(adopting: format)
    buffer.append(frames: count) { room in for _ in 0..<2 * count { room.append(0.25) } }
    return count
  }

  mutating func seek(toFrame frame: Int) throws(Stopped) {}
}
