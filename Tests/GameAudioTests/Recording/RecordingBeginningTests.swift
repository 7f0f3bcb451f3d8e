import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Recordings of worlds in which something was set, or has played, before they began.
@Suite struct RecordingBeginningTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(2), format: mono))

  /// An offline world, and its replay in another world.
  private struct Scene: ~Copyable {
    var offline: OfflineRenderer
    let world: AudioWorld

    init() throws {
      offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
      world = AudioWorld(in: offline.context, voiceLimit: 4)
    }

    /// Mixes for a time, and returns the mix with the mix of a replay.
    mutating func mixes(_ recording: WorldRecording, _ duration: Duration) throws -> (own: [Float], replayed: [Float]) {
      let own = Array(offline.render(duration).samples)
      recording.stop()
      return (own, try replay(recording, own.count / 2))
    }

    func replay(_ recording: WorldRecording, _ frameCount: Int) throws -> [Float] {
      var other = try Scene()
      recording.replay(in: other.world)
      return Array(other.offline.render(frameCount: frameCount).samples)
    }
  }

  @Test func `A player that waits for its moment, and a scheduled sound, replay to the bit`() throws {
    for isScheduled in [false, true] {
      var scene = try Scene()
      let music = try SoundPlayer(playing: Self.noise, in: scene.world)
      scene.offline.render(frameCount: 1_000)
      let moment = scene.world.context.clock + .milliseconds(700)
      if isScheduled { music.schedule(Self.noise, .at(moment)) } else { music.play(at: moment) }
      let recording = scene.world.record()
      #expect(recording.isComplete == isScheduled)
      let mix = try scene.mixes(recording, .seconds(1))
      let first = try #require(mix.own.firstIndex { $0 != 0 })
      #expect(abs(first / 2 - 33_600) < 64, "\(first / 2)")
      #expect(mix.own == mix.replayed)
    }
  }

  @Test func `Fades of buses, sends, emitters and players go on to the bit`() throws {
    for part in 0..<5 {
      var scene = try Scene()
      let bus = scene.world.mixer.makeBus("sfx")
      let unit = try EffectUnit(.echo(Effect.Echo()), in: scene.offline.context)
      let emitter = Emitter(playing: Self.noise, in: scene.world, on: bus)
      let player = try SoundPlayer(playing: Self.noise, in: scene.world, on: bus)
      switch part {
      case 0: bus.fade(to: .decibels(-20), Fade(.seconds(2)))
      case 1: bus.send(to: unit, gain: .decibels(-3), Fade(.seconds(2)))
      case 2: emitter.fade(to: .decibels(-20), Fade(.seconds(2)))
      case 3: player.fade(to: 0.1, Fade(.seconds(2)))
      default:
        scene.world.mixer.apply(MixSnapshot(lines: ["sfx": .init(low: -9, high: -18, pitch: 1.2)]), Fade(.seconds(2)))
      }
      scene.offline.render(frameCount: 10_007)
      let recording = scene.world.record()
      #expect(recording.isComplete == (part != 1))
      emitter.play()
      player.play()
      let mix = try scene.mixes(recording, .seconds(1))
      #expect(mix.own == mix.replayed, "part \(part)")
    }
  }

  @Test func `Sounds of another rate are converted in a replay as they were in the world`() throws {
    let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 44_100)))
    var mixes: [[Float]] = []
    for (before, within) in [(true, nil), (false, nil), (true, false)] as [(Bool, Bool?)] {
      var scene = try Scene()
      scene.world.convertsSampleRates = before
      let recording = scene.world.record()
      if let within { scene.world.convertsSampleRates = within }
      let emitter = Emitter(playing: noise, in: scene.world)
      emitter.play()
      let mix = try scene.mixes(recording, .milliseconds(300))
      #expect(mix.own == mix.replayed, "\(before) \(String(describing: within))")
      mixes.append(mix.own)
    }
    #expect(mixes[0] != mixes[1] && mixes[1] == mixes[2])
  }

  @Test func `A recording at another rate of the output keeps the times of converted sounds`() throws {
    let tone = Sound(TestSignal.sine(frequency: 441, duration: .seconds(2), format: .mono(sampleRate: 22_050)))
    for repeats in [0, .forever] as [Repeats] {
      var offline = try OfflineRenderer(format: .stereo(sampleRate: 44_100))
      let world = AudioWorld(in: offline.context)
      let emitter = Emitter(playing: tone, in: world)
      emitter.repeats = repeats
      emitter.play()
      offline.render(.milliseconds(1_500))
      let recording = world.record()
      offline.render(.seconds(2))
      recording.stop()
      var other = try Scene()
      recording.replay(in: other.world)
      other.offline.render(.milliseconds(250))
      let copy = try #require(other.world.snapshot().emitters.first)
      #expect(abs(copy.place - 1.75) < 0.02, "\(copy.place)")
      other.offline.render(.milliseconds(500))
      let later = other.world.snapshot().emitters.first
      #expect(later?.state == (repeats == .forever ? .playing : .idle))
      if repeats == .forever { #expect(abs((later?.place ?? 0) - 0.25) < 0.02, "\(String(describing: later?.place))") }
    }
  }

  @Test func `A bus that gives way to other audio stays silent in a replay`() throws {
    var scene = try Scene()
    let music = scene.world.mixer.makeBus("music")
    music.mutesWithOtherAudio = true
    scene.world.inspector.setOtherAudio(true)
    scene.offline.render(.milliseconds(300))
    let recording = scene.world.record()
    let emitter = Emitter(playing: Self.noise, in: scene.world, on: music)
    emitter.play()
    var mix = Array(scene.offline.render(.milliseconds(300)).samples)
    scene.world.inspector.setOtherAudio(false)
    mix += scene.offline.render(.milliseconds(700)).samples
    recording.stop()
    #expect(mix.contains { $0 != 0 })
    #expect(try scene.replay(recording, mix.count / 2) == mix)
  }

  @Test func `Levels that decibels round are replayed to the bit`() throws {
    for step in 1...40 {
      let level = Gain.decibels(Decibels(Float(step) * -0.4))
      var scene = try Scene()
      let unit = try EffectUnit(.echo(Effect.Echo()), in: scene.offline.context)
      let bus = scene.world.mixer.makeBus("sfx")
      let emitter = Emitter(playing: Self.noise, in: scene.world, on: bus)
      bus.gain = level
      emitter.gain = level
      emitter.send(to: unit, gain: level)
      bus.send(to: unit, gain: level)
      let recording = scene.world.record()
      emitter.play()
      let mix = try scene.mixes(recording, .milliseconds(50))
      #expect(mix.own == mix.replayed, "\(level)")
    }
  }

  @Test func `A recording is not complete after a first play, also of a sound without a voice`() throws {
    var scene = try Scene()
    let far = Emitter(playing: Self.noise, in: scene.world)
    #expect(scene.world.record().isComplete)
    far.position = [1e6, 0, 0]
    far.play()
    scene.offline.render(.milliseconds(100))
    #expect(!scene.world.record().isComplete)
    // Another emitter in a slot that was used: the order of the slots is not the order of the beginnings.
    let other = try Scene()
    do { _ = Emitter(playing: Self.noise, in: other.world) }
    let second = Emitter(playing: Self.noise, in: other.world)
    #expect(!other.world.record().isComplete)
    withExtendedLifetime(second) {}
  }

  @Test func `A sound of another variation goes on with its own, and one without a voice where it was`() throws {
    var scene = try Scene()
    var varied = Sound(
      anyOfSamples: (1...6).map { TestSignal.noise(seed: $0, duration: .seconds(2), format: Self.mono) }
    )
    varied.levelVariation = -12...0
    let near = Emitter(playing: varied, in: scene.world)
    let far = Emitter(playing: Self.noise, in: scene.world)
    (near.position, far.position) = ([0, 0, -2], [1e6, 0, 0])
    for emitter in [near, far] { emitter.repeats = .forever }
    near.play()
    far.play()
    scene.offline.render(.milliseconds(700))
    let recording = scene.world.record()
    #expect(!recording.isComplete)
    scene.offline.render(.milliseconds(30))
    far.position = [0, 0, -1]
    let mix = Array(scene.offline.render(.milliseconds(400)).samples)
    recording.stop()
    let replayed = Array(try scene.replay(recording, 1_440 + mix.count / 2).dropFirst(2 * 1_440))
    // The voices have begun with the replay: the first 100 ms may differ.
    #expect(largestDifference(mix.dropFirst(9_600), replayed.dropFirst(9_600)) < 0.001)
  }

  @Test func `The repetitions of a sound in its second lap stay those that the game has set`() throws {
    var scene = try Scene()
    let short = Sound(TestSignal.noise(duration: .milliseconds(100), format: Self.mono))
    let bell = Emitter(playing: short, in: scene.world)
    bell.repeats = .times(3)
    bell.play()
    scene.offline.render(.milliseconds(150))
    let recording = scene.world.record()
    scene.offline.render(.milliseconds(400))
    bell.play()
    scene.offline.render(.milliseconds(200))
    recording.stop()
    var other = try Scene()
    recording.replay(in: other.world)
    other.offline.render(.milliseconds(300))
    #expect(other.world.snapshot().emitters.first?.state == .idle)
    other.offline.render(.milliseconds(250))
    let emitter = try #require(other.world.snapshot().emitters.first)
    #expect(emitter.repeats == 3 && abs(emitter.place - 0.05) < 0.001, "\(emitter.place)")
  }

  @Test func `A follower in a lower slot than its leader follows it in a replay`() throws {
    var scene = try Scene()
    var first: Emitter? = Emitter(playing: Self.noise, in: scene.world)
    let leader = Emitter(playing: Self.noise, in: scene.world)
    first = nil
    let follower = leader.playOnce(Self.noise)
    #expect(first == nil && follower.inspector.slot < leader.inspector.slot)
    scene.offline.render(.milliseconds(50))
    let recording = scene.world.record()
    leader.position = [3, 0, 0]
    scene.offline.render(.milliseconds(100))
    recording.stop()
    var other = try Scene()
    recording.replay(in: other.world)
    other.offline.render(.milliseconds(90))
    #expect(other.world.snapshot().emitters.map(\.position) == [[3, 0, 0], [3, 0, 0]])
  }

  @Test func `Effects are mixed in the order in which they were made`() throws {
    var scene = try Scene()
    let units = try [Reverb(efx: .cave), Reverb(efx: .hangar)].map {
      try EffectUnit(.reverb($0), in: scene.offline.context)
    }
    let recording = scene.world.record()
    let emitter = Emitter(playing: Self.noise, in: scene.world)
    for unit in units.reversed() { emitter.send(to: unit, gain: .decibels(-3)) }
    emitter.play()
    let mix = try scene.mixes(recording, .milliseconds(500))
    #expect(mix.own == mix.replayed)
  }

  @Test func `A recording with an effect that was mixed before is not complete`() throws {
    var scene = try Scene()
    let old = try EffectUnit(.echo(Effect.Echo()), in: scene.offline.context)
    scene.offline.render(frameCount: 1)
    let recording = scene.world.record()
    let emitter = Emitter(playing: Self.noise, in: scene.world)
    emitter.send(to: try EffectUnit(.echo(Effect.Echo()), in: scene.offline.context), gain: .decibels(-3))
    #expect(recording.isComplete)
    emitter.send(to: old, gain: .decibels(-3))
    #expect(!recording.isComplete)
    let other = try Scene()
    other.world.zones = [ReverbZone(.sphere(center: .zero, radius: 5), Reverb(.smallRoom))]
    #expect(other.world.record().isComplete)
    var third = other
    third.offline.render(frameCount: 1)
    #expect(!third.world.record().isComplete)
  }

  @Test func `The time line of a replay need not have the ticks of the recording`() throws {
    var scene = try Scene()
    scene.offline.render(frameCount: 4_800)
    let recording = scene.world.record()
    let emitter = Emitter(playing: Self.noise, in: scene.world)
    (emitter.velocity, emitter.derivesVelocity) = ([9, 0, 0], true)
    emitter.play()
    var mix: [Float] = []
    for step in 0..<20 {
      emitter.position = [Float(step) - 10, 0, -1]
      mix += scene.offline.render(frameCount: 700).samples
    }
    recording.stop()
    #expect(recording.isComplete)
    #expect(try scene.replay(recording, mix.count / 2) == mix)
  }
}
