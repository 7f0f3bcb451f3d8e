import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Handlers that play again when a sound ends.
@Suite(.hangLimit) struct AnsweredEndTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let missing = "/nowhere/missing.wav"

  /// An emitter that plays again on each end, and the reasons of the ends.
  private final class Eager {
    let emitter: Emitter
    let ends = Collected<EmitterEvent.Reason>()
    let token: NotificationToken

    init(_ sound: Sound, in world: AudioWorld, again: @escaping @Sendable (Emitter) -> Void = { $0.play() }) {
      emitter = Emitter(playing: sound, in: world)
      token = emitter.observe { [weak emitter, ends] event in
        guard case .ended(let reason) = event else { return }
        ends.append(reason)
        if let emitter { again(emitter) }
      }
    }
  }

  @Test(arguments: [false, true])
  func `An emitter that plays a missing sound again on each end ends once a tick`(isStream: Bool) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let music = Eager(Sound(Self.missing, streamed: isStream), in: world)
    music.emitter.play()
    #expect(music.ends.all.isEmpty)
    offline.render(frameCount: 100 * WorldInspector.tick)
    // A tick at the last frame belongs to the next render.
    #expect((99...101).contains(music.ends.all.count), "\(music.ends.all.count)")
    #expect(Set(music.ends.all) == [.failed])
  }

  @Test func `An emitter that a limit refuses again on each end ends once a tick`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.noise(duration: .seconds(3), format: Self.mono))
    sound.limit = PlaybackLimit(1, whenReached: .refuse)
    let first = Emitter(playing: sound, in: world)
    first.play()
    let second = Eager(sound, in: world)
    second.emitter.play()
    offline.render(frameCount: 100 * WorldInspector.tick)
    #expect((99...101).contains(second.ends.all.count), "\(second.ends.all.count)")
    #expect(Set(second.ends.all) == [.refused])
    first.stop()
    offline.render(frameCount: 5 * WorldInspector.tick)
    #expect(second.emitter.isPlaying)
  }

  @Test func `A play in the handler of an end by a play comes back twice a tick at most`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let sound = Sound(TestSignal.noise(duration: .seconds(3), format: Self.mono))
    for again: @Sendable (Emitter) -> Void in [{ $0.play() }, { $0.play(at: .seconds(5)) }] {
      let eager = Eager(sound, in: world, again: again)
      eager.emitter.play()
      offline.render(frameCount: 2 * WorldInspector.tick)
      eager.emitter.play()
      #expect(eager.ends.all.count == 1)
      offline.render(frameCount: 100 * WorldInspector.tick)
      #expect((99...202).contains(eager.ends.all.count), "\(eager.ends.all.count)")
      #expect(Set(eager.ends.all) == [.stopped])
    }
  }

  @Test func `Two emitters that steal the only place from each other do so once a tick`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.noise(duration: .seconds(3), format: Self.mono))
    sound.limit = PlaybackLimit(1, whenReached: .stealOldest)
    let eager = (0..<2).map { _ in Eager(sound, in: world) }
    for one in eager { one.emitter.play() }
    offline.render(frameCount: 100 * WorldInspector.tick)
    for one in eager {
      #expect((99...101).contains(one.ends.all.count), "\(one.ends.all.count)")
      #expect(Set(one.ends.all) == [.stolen])
    }
  }

  @Test func `Each play has one end, in the order of the plays, whatever ends are deferred`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var taken: [EmitterNotification] = []
    world.takeEvents(into: &taken)
    var sound = Sound(TestSignal.noise(duration: .milliseconds(50), format: Self.mono))
    sound.limit = PlaybackLimit(1, whenReached: .refuse)
    let emitters = (0..<2).map { _ in Emitter(playing: sound, in: world) }
    let events = Collected<EmitterEvent>()
    let token = emitters[1].observe { events.append($0) }
    emitters[0].play()
    emitters[1].play()
    emitters[0].stop(.none)
    emitters[1].play()
    #expect(events.all.isEmpty)
    offline.render(frameCount: WorldInspector.tick + 1)
    #expect(events.all == [.ended(.refused), .becameReal])
    offline.render(.milliseconds(100))
    #expect(events.all == [.ended(.refused), .becameReal, .ended(.played)])
    world.takeEvents(into: &taken)
    #expect(taken.filter { $0.emitter == emitters[1].id }.map(\.event) == events.all)
    withExtendedLifetime(token) {}
  }

  @Test func `The sequence of an emitter that was refused and released has the end, and ends`() async throws {
    for isWorldKept in [true, false] {
      var offline = try OfflineRenderer(format: Self.mono)
      var world: AudioWorld? = AudioWorld(in: offline.context)
      var emitter = world.map { Emitter(playing: Sound(Self.missing), in: $0) }
      guard let events = emitter?.events() else { return }
      emitter?.play()
      emitter = nil
      if isWorldKept { offline.render(frameCount: 2 * WorldInspector.tick) } else { world = nil }
      var all: [EmitterEvent] = []
      for await event in events { all.append(event) }
      #expect(all == [.ended(.failed)])
      withExtendedLifetime(world) {}
    }
  }

  @Test func `A player that cannot begin and plays again finishes once a tick`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("music")
    bus.limit = PlaybackLimit(1, whenReached: .refuse)
    let sound = Sound(TestSignal.noise(duration: .seconds(3), format: Self.mono))
    let first = try SoundPlayer(playing: sound, in: world, on: bus)
    let second = try SoundPlayer(playing: sound, in: world, on: bus)
    let events = Collected<PlayerEvent>()
    let token = second.observe { [weak second] event in
      events.append(event)
      second?.play()
    }
    first.play()
    second.play()
    offline.render(frameCount: 100 * WorldInspector.tick)
    #expect((99...101).contains(events.all.count), "\(events.all.count)")
    #expect(Set(events.all) == [.finished(successfully: false)])
    withExtendedLifetime((token, first)) {}
  }

  @Test func `A player that schedules a missing sound again on each error does so once a tick`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let player = try SoundPlayer(
      playing: Sound(TestSignal.noise(duration: .seconds(3), format: Self.mono)),
      in: world
    )
    let errors = Collected<String>()
    let token = player.observe { [weak player] event in
      guard case .decodeError(let sentence) = event else { return }
      errors.append(sentence)
      player?.schedule(Sound(Self.missing))
    }
    player.play()
    player.schedule(Sound(Self.missing))
    offline.render(frameCount: 100 * WorldInspector.tick)
    #expect((99...101).contains(errors.all.count), "\(errors.all.count)")
    withExtendedLifetime(token) {}
  }

  @Test func `On a silent device a missing sound that is played again ends once a tick at most`() async throws {
    let context = try AudioContext(device: .silent)
    let world = AudioWorld(in: context)
    let begin = context.clock
    let music = Eager(Sound(Self.missing), in: world)
    music.emitter.play()
    try await eventually("ten ends") { music.ends.all.count >= 10 }
    let ticks = (context.clock - begin) / .seconds(1) * Double(context.sampleRate) / Double(WorldInspector.tick)
    #expect(Double(music.ends.all.count) <= ticks + 3)
  }
}
