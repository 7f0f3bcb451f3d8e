import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import GameAudio

/// Another voice that takes over from the voice of a player, with the same sound.
@Suite struct PlayerReplacementTests {
  private final class Flag: Sendable {
    let isOn = Atomic(false)
  }

  @Test(arguments: 1...8)
  func `A pan that is set and taken back leaves direct channels, whatever the time between`(ticks: Int) throws {
    var fixture = try PlayerFixture()
    let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(48_000)))
    #expect(try player.source().usesDirectChannels)
    player.pan = 0.5
    fixture.offline.render(frameCount: ticks * MixTime.tick)
    player.pan = 0
    fixture.offline.render(frameCount: 8 * MixTime.tick)
    let source = try player.source()
    #expect(source.usesDirectChannels && source.stereoAngles == StereoAngles())
    player.pan = -0.5
    fixture.offline.render(frameCount: ticks * MixTime.tick)
    player.pan = 0.5
    fixture.offline.render(frameCount: 8 * MixTime.tick)
    let panned = try player.source()
    #expect(
      !panned.usesDirectChannels
        && panned.stereoAngles == PanLaw(pan: 0.5, channelCount: 2, onTwoLoudspeakers: true).angles
    )
    #expect(fixture.world.inspector.usedVoiceCount == 1)
  }

  @Test(arguments: ["pitch", "pan", "bus gain", "send"])
  func `A voice that takes over has what was set while it was silent`(property: String) throws {
    var fixture = try PlayerFixture()
    let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(96_000)))
    let unit = try EffectUnit(.echo(Effect.Echo()), in: fixture.offline.context)
    player.pan = 0.5
    fixture.offline.render(frameCount: MixTime.tick)
    switch property {
    case "pitch": player.pitch = 1.5
    case "pan": player.pan = 0.25
    case "bus gain": player.bus.gain = .decibels(-6)
    default: player.bus.send(to: unit, gain: .decibels(-6))
    }
    fixture.offline.render(frameCount: 8 * MixTime.tick)
    let source = try player.source()
    let law = PanLaw(pan: player.pan, channelCount: 2, onTwoLoudspeakers: true)
    #expect(source.pitch == (property == "pitch" ? 1.5 : 1) && source.stereoAngles == law.angles)
    #expect(abs(source.gain.rawValue - law.gain * (property == "bus gain" ? Decibels(-6).factor : 1)) < 1e-5)
    #expect(source.effectSends.count == (property == "send" ? 1 : 0))
  }

  @Test func `A player whose sound cannot be opened again plays on with the routing that it has`() throws {
    var fixture = try PlayerFixture()
    let reports = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { reports.append($0) }
    let pcm = try PlayerFixture.noise(96_000)
    let removable = RemovableSound(pcm)
    let player = try fixture.directPlayer(removable.sound)
    removable.remove()
    let count = removable.count
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.pan = 0.5
    fixture.offline.render(frameCount: 40_000)
    #expect(player.isPlaying && player.playbackTime == fixture.offline.format.duration(ofFrames: 45_120))
    #expect(try player.source().usesDirectChannels)
    #expect(removable.count == count + 1, "It is not tried again in each tick.")
    #expect(reports.all.map(\.code) == [.soundUnavailable])
    #expect(reports.all.first?.message.hasSuffix("Its player goes on with the reader that is open.") == true)
    for step in 1...20 {
      player.pan = Float(step) / 20
      fixture.offline.render(frameCount: 200)
    }
    #expect(removable.count == count + 1 && reports.all.count == 1, "Another pan has the same routing.")
    player.pan = 0
    fixture.offline.render(frameCount: 1_024)
    player.pan = 0.25
    fixture.offline.render(frameCount: 1_024)
    #expect(removable.count == count + 2 && reports.all.count == 2, "Another routing is another reason.")
    #expect(events.all.isEmpty)
    fixture.offline.render(frameCount: 60_000)
    #expect(events.all == [.finished(successfully: true)])
    token.cancel()
  }

  @Test func `A reader that is too slow for a pan is replaced by another one after a second`() throws {
    var fixture = try PlayerFixture()
    let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(192_000)))
    player.pan = 0.5
    fixture.offline.render(frameCount: MixTime.tick)
    let end = try #require(player.inspector.settleReplacement(at: -4_800))
    #expect(!end.isPending && end.delay == 48_000)
    fixture.offline.render(frameCount: 47_104)
    #expect(try player.source().usesDirectChannels)
    fixture.offline.render(frameCount: 4_096)
    #expect(try !player.source().usesDirectChannels)
    #expect(player.playbackTime == fixture.offline.format.duration(ofFrames: 5_120 + 512 + 47_104 + 4_096))
  }

  @Test func `A sound that cannot be opened again is followed by one that can, with the pan that is set`() throws {
    var fixture = try PlayerFixture()
    let pcm = try PlayerFixture.noise(24_000)
    let removable = RemovableSound(pcm)
    let next = RemovableSound(try PlayerFixture.noise(192_000, seed: 3))
    let player = try fixture.directPlayer(removable.sound)
    removable.remove()
    player.schedule(next.sound)
    player.pan = 0.5
    fixture.offline.render(frameCount: 12_000)
    #expect(try player.source().usesDirectChannels)
    fixture.offline.render(frameCount: 24_000)
    #expect(try !player.source().usesDirectChannels)
  }

  @Test func `Another reader that fails ahead leaves the player with its own, which is whole`() throws {
    var fixture = try PlayerFixture()
    let reports = Collected<Diagnostic>()
    fixture.offline.context.onDiagnostic = { reports.append($0) }
    let pcm = try PlayerFixture.noise(96_000)
    let short = try PCMBuffer(samples: Array(pcm.samples[..<16_000]), format: pcm.format)
    let isCut = Flag()
    let sound = Sound(streaming: "cut") {
      SampleReader(isCut.isOn.load(ordering: .relaxed) ? short : pcm)
    }
    let player = try fixture.directPlayer(sound)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    isCut.isOn.store(true, ordering: .relaxed)
    player.pan = 0.5
    fixture.offline.render(frameCount: 60_000)
    #expect(try player.source().usesDirectChannels)
    #expect(reports.all.map(\.code) == [.soundUnavailable])
    fixture.offline.render(frameCount: 40_000)
    #expect(events.all == [.finished(successfully: true)])
    token.cancel()
  }

  @Test func `The same repetitions in each frame hold up no pan`() throws {
    var fixture = try PlayerFixture()
    let removable = RemovableSound(try PlayerFixture.noise(48_000))
    let player = try fixture.directPlayer(removable.sound)
    player.repeats = .forever
    fixture.offline.render(frameCount: 2_048)
    let count = removable.count
    player.pan = 0.5
    for _ in 0..<40 {
      player.repeats = .forever
      fixture.offline.render(frameCount: 256)
    }
    #expect(removable.count == count + 1)
    #expect(try !player.source().usesDirectChannels)
  }

  @Test(arguments: [0.25, 1, 4] as [Float])
  func `The tolerance of a late reader is a time of the mix, at each rate of the player`(rate: Float) throws {
    for (milliseconds, isAdopted) in [(1.9, true), (2.3, false), (-1.9, true), (-2.3, false)] {
      var fixture = try PlayerFixture()
      let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(400_000)))
      player.pitch = rate
      fixture.offline.render(frameCount: 1_024)
      player.pan = 0.5
      fixture.offline.render(frameCount: MixTime.tick)
      let end = try #require(player.inspector.settleReplacement(at: -Double(rate) * milliseconds * 48))
      #expect(end.isAdopted == isAdopted, "\(milliseconds) ms at \(rate)")
    }
  }

  @Test func `A sound whose end is found after its timeline was copied is opened again after a second`() throws {
    var fixture = try PlayerFixture()
    let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(192_000)))
    player.pan = 0.5
    fixture.offline.render(frameCount: MixTime.tick)
    player.inspector.endReading(at: 3_000)
    let end = try #require(player.inspector.settleReplacement(at: 0))
    #expect(!end.isAdopted && end.delay == 48_000)
  }

  @Test(arguments: [false, true])
  func `Another voice begins ahead of time on an output, also from memory`(isReplacement: Bool) throws {
    var game = try CommandState([], mixesByFrames: false)
    let id = game.state.playback.addPlayer(try OpenedSound(Sound(try PlayerFixture.noise(192_000))), bus: 0)
    let slot = id.slot
    game.state.playPlayer(slot)
    /// Opens the voice of the last command; returns its start.
    func opened() throws -> VoiceStart {
      let command = game.state.playback.outbox.commands.last { if case .open = $0 { true } else { false } }
      guard case .open(_, let start, let key)? = command else { throw RemovableSound.Gone() }
      let opened = game.state.playback.streamOpened(start, key)
      return try #require(opened)
    }
    _ = try opened()
    game.tick(after: 4_800)
    _ = game.takeCommands()
    if isReplacement {
      game.state.playback.replaceReader(of: slot)
    } else {
      game.state.playback.setLoopRange(0..<150_000, ofPlayer: slot)
    }
    let milliseconds = isReplacement ? Playlist.readerLead : VoiceStart.streamLead
    let start = try opened()
    let begin = game.state.playback.now + milliseconds * 48
    #expect(start.moment == game.state.playback.scene.time(ofFrames: begin) && start.values.gain == 0)
    #expect(start.place == game.state.playback.scene.emitters[slot].clock.place(at: begin))
  }

  @Test func `A sound of another format that waits is opened once, also if the pan changes meanwhile`() throws {
    var fixture = try PlayerFixture()
    let next = RemovableSound(try PlayerFixture.noise(9_000, .mono(sampleRate: 44_100)))
    let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(24_000)))
    player.schedule(next.sound)
    let scheduled = next.count
    // The voice of the next sound waits for the last 0.2 s or so.
    fixture.offline.render(frameCount: 18_000 - 5_120)
    #expect(next.count == scheduled + 1)
    player.pan = 0.5
    let mix = fixture.offline.render(frameCount: 6_000 + 2_048)
    #expect(next.count == scheduled + 1)
    #expect((0..<mix.frameCount - 256).allSatisfy { !mix.frames($0..<$0 + 256).isSilent(below: -60) })
  }

  @Test(arguments: [100, 400, 600, 1_500, 3_000])
  func `The end of a sound is audible if the pan changes right before it`(framesLeft: Int) throws {
    var fixture = try PlayerFixture()
    let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(12_000)))
    fixture.offline.render(frameCount: 12_000 - 5_120 - framesLeft)
    player.pan = 0.5
    let mix = fixture.offline.render(frameCount: framesLeft)
    #expect(!mix.frames(framesLeft - 60..<framesLeft).isSilent(below: -40))
    fixture.offline.render(frameCount: 2_048)
    #expect(!player.isPlaying)
  }

  @Test(.hangLimit, arguments: [false, true])
  func `A pan on a direct bus acts on an output that plays`(streamed: Bool) async throws {
    let contexts = [try AudioContext(device: .silent)] + [try? AudioContext()].compactMap(\.self)
    for context in contexts {
      let world = AudioWorld(in: context)
      let noise = try PlayerFixture.noise(48_000)
      let file = try SoundFile(noise)
      let sound = streamed ? file.sound(streamed: true) : Sound(noise)
      let player = try SoundPlayer(playing: sound, in: world, on: world.mixer.makeBus("music", kind: .direct))
      player.repeats = .forever
      player.play()
      try await eventually("the player plays") { player.inspector.source?.state == .playing }
      for pan in [Float(0.5), 0, -1] {
        player.pan = pan
        let angles = PanLaw(pan: pan, channelCount: 2, onTwoLoudspeakers: world.inspector.hasTwoLoudspeakers)
          .angles
        try await eventually("the source has the angles of \(pan)") {
          guard let source = player.inspector.source else { return false }
          return source.stereoAngles == angles && source.usesDirectChannels == (pan == 0)
        }
      }
      player.stop()
    }
  }
}
