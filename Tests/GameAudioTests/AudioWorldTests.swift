import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// A world, its listener, and the time of its ticks.
@Suite struct AudioWorldTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(2), format: mono))

  @Test func `An update is heard together`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitters = (0..<2).map { _ in Emitter(playing: Self.noise, in: world) }
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(100))
    func positions() -> [SIMD3<Float>] { world.inspector.sources.map(\.position) }
    world.update {
      emitters[0].position = [0, 0, -1e6]
      world.listener.position = [0, 0, -1e6]
      // Ticks in the middle of an update apply none of it.
      offline.render(frameCount: 1_024)
      #expect(world.inspector.sources.allSatisfy { $0.position == .zero } && offline.context.listener.position == .zero)
      emitters[1].position = [0, 0, -1e6]
    }
    offline.render(frameCount: 1_024)
    #expect(offline.context.listener.position == [0, 0, -1e6])
    #expect(world.inspector.sources.filter { $0.state == .playing }.allSatisfy { $0.position == [0, 0, -1e6] })
  }

  @Test func `An update that does not end delays the mixer by four ticks at most`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.play()
    world.update {
      world.listener.position = [5, 0, 0]
      offline.render(frameCount: 512 * 6)
      #expect(offline.context.listener.position == [5, 0, 0])
    }
  }

  @Test func `Emitters are moved together, and values that are no numbers are left out`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let (world, other) = (AudioWorld(in: offline.context), AudioWorld(in: offline.context))
    let emitters = [world, world, other, world].map { Emitter(playing: Self.noise, in: $0) }
    let places: [SIMD3<Float>] = [[1, 2, 3], [.nan, 0, 0], [4, 5, 6]]
    world.move(emitters, to: places.span)
    #expect(emitters.map(\.position) == [[1, 2, 3], .zero, .zero, .zero])
    emitters[0].position = [.infinity, 0, 0]
    emitters[0].velocity = [0, .nan, 0]
    emitters[0].gain = .decibels(Decibels(.nan))
    emitters[0].pitch = .nan
    emitters[0].direction = [.nan, 0, 0]
    emitters[0].radius = .infinity
    emitters[0].occlusion = Decibels(.nan)
    emitters[0].cone = Cone(innerAngle: .nan)
    #expect(emitters[0].position == [1, 2, 3] && emitters[0].velocity == .zero && emitters[0].gain == .unity)
    #expect(emitters[0].pitch == 1 && emitters[0].direction == .zero && emitters[0].radius == 0)
    #expect(emitters[0].occlusion == 0 && emitters[0].cone == Cone())
    emitters[0].gain = .decibels(99)
    emitters[0].pitch = 1e9
    emitters[0].occlusion = 5
    #expect(emitters[0].gain == .decibels(24) && emitters[0].pitch == 100 && emitters[0].occlusion == 0)
  }

  @Test func `Every legal value renders a finite mix`() throws {
    var random = SplitMix64(seed: 207)
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 8)
    var sounds = [Self.noise, Self.noise]
    sounds[1].attenuation = DistanceAttenuation(referenceDistance: 0, maximumDistance: 0, rolloffFactor: 1e9)
    sounds[1].silentBeyond = 1e-30
    let emitters = (0..<16).map { Emitter(playing: sounds[$0 % 2], in: world) }
    let extremes: [Float] = [0, -0.0, 1e-38, 1, 1e9, -1e9, .greatestFiniteMagnitude, -.greatestFiniteMagnitude]
    func extreme() -> Float { extremes.randomElement(using: &random) ?? 0 }
    for _ in 0..<60 {
      for emitter in emitters {
        emitter.position = [extreme(), extreme(), extreme()]
        emitter.velocity = [extreme(), extreme(), extreme()]
        emitter.direction = [extreme(), extreme(), extreme()]
        emitter.cone = Cone(innerAngle: extreme(), outerAngle: extreme(), outerGain: Gain(extreme()))
        emitter.gain = Gain(extreme())
        emitter.pitch = extreme()
        emitter.radius = extreme()
        emitter.occlusion = Decibels(extreme())
        emitter.repeats = .times(Int.random(in: 0...3, using: &random))
        if Bool.random(using: &random) { emitter.play() }
        emitter.fade(to: .decibels(Decibels(extreme())), Fade(.milliseconds(Int.random(in: 0...50, using: &random))))
      }
      world.listener.position = [extreme(), extreme(), extreme()]
      world.listener.gain = Gain(extreme())
      let isFinite = offline.render(frameCount: 700).samples.allSatisfy(\.isFinite)
      #expect(isFinite)
      #expect(!world.explain(emitters[0]).description.isEmpty)
    }
  }

  @Test func `A start at a moment is exact to the frame`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let step = Sound(try PCMBuffer(samples: [Float](repeating: 0.5, count: 4_800), format: Self.mono))
    let emitter = Emitter(playing: step, in: world)
    emitter.position = [0, 0, -1]
    offline.render(frameCount: 100)
    emitter.play(at: Self.mono.duration(ofFrames: 24_321))
    #expect(world.voiceStatistics().waiting == 1)
    let mix = offline.render(frameCount: 48_000).samples
    #expect(mix.firstIndex { $0 != 0 } == 24_221)
    // OpenAL Soft 1.25 holds the last sample until the end of its mix.
    #expect((0..<512).contains((mix.lastIndex { $0 != 0 } ?? 0) - (24_221 + 4_799)))
    #expect(!emitter.isPlaying)
  }

  @Test(arguments: [1, 511, 512, 700, 1_024, 1_500, 9_599, 9_601])
  func `A start that is near is exact to the frame`(frames: Int) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let emitter = Emitter(playing: Self.noise, in: AudioWorld(in: offline.context))
    emitter.position = [0, 0, -1]
    offline.render(frameCount: 100)
    emitter.play(at: Self.mono.duration(ofFrames: 100 + frames))
    #expect(offline.render(frameCount: 12_000).samples.firstIndex { $0 != 0 } == frames)
  }

  @Test func `A start in a million years waits, and can be stopped`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.play(at: .seconds(1e13))
    offline.render(.milliseconds(100))
    #expect(world.voiceStatistics().waiting == 1 && emitter.playbackTime == .zero)
    emitter.stop()
    #expect(!emitter.isPlaying)
  }

  @Test func `A law that is no number is the default one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Self.noise
    sound.attenuation = DistanceAttenuation(referenceDistance: .nan, maximumDistance: .nan, rolloffFactor: .nan)
    sound.silentBeyond = .nan
    let emitters = (0..<3).map { _ in Emitter(playing: sound, in: world) }
    for emitter in emitters {
      emitter.position = [0, 0, -10]
      emitter.play()
    }
    offline.render(.milliseconds(100))
    #expect(emitters.allSatisfy { !$0.isVirtual })
    #expect(abs(world.inspector.sources[0].attenuation.gain(at: 10).rawValue - 0.1) < 1e-6)
    #expect(world.inspector.soundCount == 1)
  }

  @Test func `A paused world ticks no more`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.play()
    offline.render(.milliseconds(100))
    emitter.pause()
    offline.render(.milliseconds(100))
    let ticks = world.inspector.tickCount
    offline.render(.seconds(1))
    #expect(world.inspector.tickCount == ticks)
    emitter.play()
    #expect(!offline.render(.milliseconds(100)).isSilent())
  }

  @Test func `A world goes on over a change of the rate`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitters = (0..<2).map { _ in Emitter(playing: Self.noise, in: world) }
    emitters[1].position = [0, 0, -1e7]
    for emitter in emitters { emitter.play() }
    offline.render(frameCount: 24_064)
    // The output counts half as many frames from here on.
    var physics = offline.context.physics
    (physics.frame, physics.sampleRate) = (physics.frame / 2, 24_000)
    var state = world.inspector.state
    for seconds in [0, 0.5, 1] {
      var later = physics
      later.frame += Int(seconds * 24_000)
      state.adopt(later)
      for slot in emitters.map(\.inspector.slot) {
        let place = state.playback.scene.emitters[slot].clock.place(at: state.playback.now)
        #expect(abs(place - 24_064 - seconds * 48_000) < 2)
        #expect(abs(state.playback.scene.emitters.end(of: slot) - 48_000) < 2)
      }
    }
  }

  @Test func `A fade ends at its level, and the level is halfway at its middle`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(
      playing: Sound(TestSignal.sine(frequency: 500, duration: .seconds(3), format: Self.mono)),
      in: world
    )
    emitter.position = [0, 0, -1]
    emitter.play()
    offline.render(.seconds(1))
    emitter.fade(to: .decibels(-20), Fade(.seconds(1)))
    let mix = offline.render(.seconds(1))
    let middle = mix.frames(23_500..<24_500).level(at: 500) - mix.frames(0..<500).level(at: 500)
    #expect(abs(middle.rawValue + 10) < 0.5)
    #expect(mix.clicks(highestFrequency: 500).isEmpty)
    offline.render(.milliseconds(20))
    #expect(abs(emitter.gain.decibels.rawValue + 20) < 0.001)
  }

  @Test func `A derived velocity is that of the movement, and a teleport leaves it`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    (emitter.derivesVelocity, emitter.repeats) = (true, .forever)
    emitter.play()
    var x: Float = 0
    for frame in 0..<120 {
      x += 12 / 60
      if frame == 90 { x += 1_000 }
      emitter.position = [x, 0, 0]
      offline.render(frameCount: 800)
      if frame > 60 { #expect(abs(emitter.velocity.x - 12) < 2, "frame \(frame)") }
    }
  }

  @Test func `A sound that follows an emitter is heard from its place`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let monster = Emitter(playing: Self.noise, in: world)
    monster.position = [-5, 0, 0]
    let step = monster.playOnce(Self.noise)
    offline.render(.milliseconds(200))
    monster.position = [5, 0, 0]
    offline.render(.milliseconds(100))
    let mix = offline.render(.milliseconds(200))
    #expect(step.position == [5, 0, 0])
    #expect(mix.level(ofChannel: 1) - mix.level(ofChannel: 0) > 6)
  }

  @Test func `Stereo plays unplaced, and is mixed down for a place`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let diagnostics = Collected<Diagnostic>()
    offline.context.onDiagnostic = { diagnostics.append($0) }
    let world = AudioWorld(in: offline.context)
    let left = Array([[Float(0.5), 0]].joined())
    let samples = Array(repeatElement(left, count: 48_000).joined())
    let stereo = Sound(try PCMBuffer(samples: samples, format: .stereo(sampleRate: 48_000)))
    world.playOnce(stereo)
    let unplaced = offline.render(.milliseconds(500))
    #expect(unplaced.level(ofChannel: 0) > -7 && unplaced.frames(4_800..<20_000).level(ofChannel: 1) < -60)
    #expect(diagnostics.all.isEmpty)
    offline.render(.seconds(1))
    world.playOnce(stereo, at: [3, 0, 0])
    let placed = offline.render(.milliseconds(500)).frames(4_800..<20_000)
    #expect(placed.level(ofChannel: 1) > placed.level(ofChannel: 0))
    #expect(diagnostics.all.map(\.code) == [.soundMixedDown])
  }

  @Test(arguments: [Bus.Kind.spatial, .direct])
  func `A voice that changes between placed and stereo sounds reports nothing`(kind: Bus.Kind) throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let bus = world.mixer.makeBus("lines", kind: kind)
    let step = Sound(TestSignal.noise(duration: .milliseconds(50), format: .mono(sampleRate: 48_000)))
    let line = Sound(TestSignal.noise(duration: .milliseconds(50), format: .stereo(sampleRate: 48_000)))
    for _ in 0..<8 {
      world.playOnce(step, at: [3, 0, 0])
      offline.render(.milliseconds(200))
      world.playOnce(line, on: bus)
      #expect(offline.render(.milliseconds(200)).level > -60)
    }
    #expect(reports.all.isEmpty, "\(reports.all)")
  }

  @Test func `Nothing ticks while nothing plays`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var ticks: Int { world.inspector.tickCount }
    offline.render(.seconds(1))
    #expect(ticks == 0)
    world.playOnce(Sound(TestSignal.noise(duration: .milliseconds(100), format: Self.mono)), at: .zero)
    offline.render(.seconds(1))
    let count = ticks
    #expect((9...16).contains(count))
    offline.render(.seconds(1))
    #expect(ticks == count)
  }

  @Test func `A context with few sources gives a world fewer voices, and says so`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let diagnostics = Collected<Diagnostic>()
    offline.context.onDiagnostic = { diagnostics.append($0) }
    let world = AudioWorld(in: offline.context, voiceLimit: 1_000)
    #expect(diagnostics.all.map(\.code) == [.fewerVoices])
    #expect(world.inspector.voiceLimit == 248)
  }
}
