import GameAudio
import Spatial3DTesting
import TestSupport

/// A random game on an offline world: it calls everything that a recording holds, between pieces of the mix.
struct RandomScene: ~Copyable {
  static let format = PCMFormat.stereo(sampleRate: 48_000)
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  var offline: OfflineRenderer
  let world: AudioWorld
  var random: SplitMix64
  /// The numbers for the strip of the main bus.
  private var stripRandom: SplitMix64
  let sounds: [Sound]
  let bank: SoundBank
  var emitters: [Emitter] = []
  var players: [SoundPlayer] = []
  var buses: [Bus] = []
  private let units: [EffectUnit]
  let hasZones: Bool
  /// Whether the game casts rays in each of its frames.
  private let castsRays: Bool

  init(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    stripRandom = SplitMix64(seed: ~seed)
    let offline = try OfflineRenderer(format: Self.format)
    let hasZones = Bool.random(using: &random)
    var units = [try EffectUnit(.reverb(Reverb(efx: .cave)), in: offline.context)]
    // OpenAL Soft 1.25.2 mixes more than four effects in an order that differs from run to run; zones have three.
    if !hasZones { units.append(try EffectUnit(.reverb(Reverb(efx: .hangar)), gain: 0.7, in: offline.context)) }
    var varied = Sound(anyOfSamples: [Self.noise(1, 0.4), Self.noise(2, 0.7)])
    (varied.pitchVariation, varied.levelVariation) = (-2...2, -6...0)
    var limited = Sound(TestSignal.sine(frequency: 500, duration: .milliseconds(900), format: Self.mono))
    limited.limit = PlaybackLimit(2, whenReached: .stealOldest)
    var crowd = Sound(Self.noise(3, 0.2))
    crowd.loudnessOfMany = .compensated
    world = AudioWorld(in: offline.context, voiceLimit: Int.random(in: 2...6, using: &random))
    sounds = [varied, limited, crowd, Sound(Self.noise(4, 2))]
    (self.units, self.hasZones) = (units, hasZones)
    bank = SoundBank(in: world)
    bank.define("noise", Sound(Self.noise(5, 0.6)), loading: .onDemand)
    castsRays = Bool.random(using: &random)
    self.random = random
    self.offline = offline
  }

  private static func noise(_ seed: UInt64, _ seconds: Double) -> PCMBuffer<Float> {
    TestSignal.noise(seed: seed, duration: .seconds(seconds), format: mono)
  }

  /// Plays the game for a number of frames of its own; returns the mix.
  mutating func play(frames: Int) throws -> [Float] {
    var mix: [Float] = []
    // A reverb that no call names is not in a replay, and up to OpenAL Soft 1.19 the end of its crossfade ends a piece.
    let rooms = world.mixer.makeBus("rooms")
    for unit in units { rooms.send(to: unit, gain: .decibels(-20)) }
    for _ in 0..<frames {
      let count = try call()
      mix += offline.render(frameCount: count).samples
    }
    return mix
  }

  /// Makes the calls of a frame of the game; returns the number of frames to mix behind them.
  mutating func call() throws -> Int {
    for _ in 0..<Int.random(in: 1...4, using: &random) { try act() }
    if Bool.random(using: &random) { actOnSpace() }
    if Bool.random(using: &random) { try actOnMany() }
    if Bool.random(using: &random) { read() }
    if castsRays { castRays() }
    // Some pieces end at a tick, most do not.
    return Bool.random(using: &random) ? 512 : Int.random(in: 1...3_000, using: &random)
  }

  mutating func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }

  mutating func place() -> SIMD3<Float> { [number(-20...20), number(-2...2), number(-20...20)] }

  mutating func anyBus() -> Bus? { buses.randomElement(using: &random) }

  /// A moment of the next 400 ms, mostly between two frames.
  mutating func moment() -> Duration {
    world.context.clock + .microseconds(Int.random(in: 0...400_000, using: &random))
  }

  mutating func fade() -> Fade {
    Fade(
      .milliseconds(Int.random(in: 0...300, using: &random)),
      Fade.Curve.allCases.randomElement(using: &random) ?? .linear
    )
  }

  private mutating func act() throws {
    // Each call changes the scene, so that each end of a piece is one of the recording.
    world.listener.gain = Gain(number(0.5...1))
    switch Int.random(in: 0..<24, using: &random) {
    case 0...2: make()
    case 3:
      world.playOnce(
        sounds[Int.random(in: 0..<4, using: &random)],
        at: place(),
        gain: .decibels(Decibels(number(-10...0)))
      )
    case 4: players.append(try SoundPlayer(playing: sounds[3], in: world, on: anyBus()))
    case 5:
      let parent = buses.randomElement(using: &random)
      buses.append(
        world.mixer.makeBus("bus \(buses.count)", in: parent, kind: Bool.random(using: &random) ? .spatial : .direct)
      )
      buses[buses.count - 1].gain = .decibels(Decibels(number(-6...0)))
    case 6: if !emitters.isEmpty { emitters.remove(at: Int.random(in: emitters.indices, using: &random)) }
    case 7: world.listener.position = place()
    case 8:
      let places = emitters.map { _ in place() }
      world.update { world.move(emitters, to: places.span) }
      if let emitter = emitters.first { moveTwice(emitter, place()) }
    case 9: if let bus = buses.randomElement(using: &random) { act(on: bus) }
    case 10...13: if let player = players.randomElement(using: &random) { act(on: player) }
    case 14: world.mixer.main.fade(to: .decibels(Decibels(number(-6...0))), fade())
    default: if let emitter = emitters.randomElement(using: &random) { act(on: emitter) }
    }
  }

  private mutating func make() {
    let sound = sounds[Int.random(in: 0..<4, using: &random)]
    let emitter = Emitter(playing: sound, in: world, on: anyBus())
    emitter.position = place()
    emitter.repeats = Bool.random(using: &random) ? .forever : .times(2)
    if Bool.random(using: &random) { emitter.playbackTime = .milliseconds(150) }
    emitter.play()
    emitters.append(emitter)
  }

  private mutating func act(on emitter: Emitter) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: emitter.stop(fade())
    case 1: emitter.pause(fade())
    case 2: emitter.play(at: moment())
    case 3: emitter.playOnce(sounds[2], gain: .decibels(-3))
    case 4...5: emitter.play()
    default: set(emitter)
    }
  }

  /// Changes a setting of an emitter, also of an emitter that does not play.
  mutating func set(_ emitter: Emitter) {
    switch Int.random(in: 0..<17, using: &random) {
    case 0: emitter.position = place()
    case 1: emitter.velocity = place()
    case 2: emitter.derivesVelocity = true
    case 3: emitter.gain = .decibels(Decibels(number(-20...3)))
    case 4: emitter.pitch = number(0.5...2)
    case 5: emitter.priority = Priority(Int.random(in: 0...100, using: &random))
    case 6: emitter.virtualBehavior = VirtualBehavior.allCases.randomElement(using: &random) ?? .stop
    case 7: (emitter.direction, emitter.cone) = (place(), Cone(innerAngle: 60, outerAngle: 200, outerGain: 0.2))
    case 8: emitter.occlusion = Decibels(number(-20...0))
    case 9: emitter.obstruction = Decibels(number(-20...0))
    case 10...11: emitter.send(to: anyUnit(), gain: sendGain(), fade())
    case 12: emitter.fade(to: .decibels(Decibels(number(-20...0))), fade())
    case 13: emitter.playbackTime = .milliseconds(Int.random(in: 0...400, using: &random))
    case 14: emitter.radius = number(0...2)
    case 15: emitter.repeats = Repeats.times(Int.random(in: 0...3, using: &random))
    default: if let bus = anyBus() { emitter.bus = bus }
    }
  }

  private mutating func anyUnit() -> EffectUnit { units[Int.random(in: units.indices, using: &random)] }

  /// A level of a send; `nil` ends it.
  private mutating func sendGain() -> Gain? {
    Int.random(in: 0..<4, using: &random) == 0 ? nil : .decibels(Decibels(number(-20...0)))
  }

  mutating func act(on bus: Bus) {
    if Int.random(in: 0..<4, using: &stripRandom) == 0 { changeStrip(beside: bus) }
    switch Int.random(in: 0..<11, using: &random) {
    case 0: bus.gain = .decibels(Decibels(number(-12...3)))
    case 1: bus.pitch = number(0.8...1.25)
    case 2: bus.filter = ToneFilter(low: Decibels(number(-12...0)), high: Decibels(number(-24...0)))
    case 3: bus.isMuted.toggle()
    case 4: bus.isSoloed.toggle()
    case 5: if bus.isPaused { bus.resume(fade()) } else { bus.pause(fade()) }
    case 6: bus.send(to: anyUnit(), gain: sendGain(), fade())
    case 7: bus.limit = PlaybackLimit(3, whenReached: .stealQuietest)
    case 8: bus.mutesWithOtherAudio = Bool.random(using: &random)
    case 9: bus.fade(to: .decibels(Decibels(number(-12...3))), fade())
    default: bus.duck(under: world.mixer.makeBus("speech"), Bool.random(using: &random) ? Ducking(by: -9) : nil)
    }
  }

  /// Changes the inserts of a bus, or the inserts of the main bus, its gain and the limiter.
  private mutating func changeStrip(beside bus: Bus) {
    let all: [Insert] = [
      .compressor(threshold: Decibels(Float.random(in: -40...0, using: &stripRandom))), .delay(.milliseconds(20)),
      .lowPass(Float.random(in: 500...5_000, using: &stripRandom)), .chorus(),
    ]
    let count = Int.random(in: 0...3, using: &stripRandom)
    let inserts = Array(all.shuffled(using: &stripRandom).prefix(count))
    let fade = Fade(.milliseconds(Int.random(in: 0...40, using: &stripRandom)))
    if Bool.random(using: &stripRandom) { return bus.setInserts(inserts, fade) }
    world.mixer.main.setInserts(inserts, fade)
    let ceiling = Decibels(Float.random(in: -12...0, using: &stripRandom))
    world.mixer.limiter = count > 0 ? Insert.Limiter(ceiling: ceiling) : nil
    if count > 1 { world.mixer.main.fade(to: .decibels(ceiling), fade) }
  }

  private mutating func act(on player: SoundPlayer) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0...1: player.play()
    case 2: player.play(at: moment())
    case 3: player.pause()
    case 4: player.stop()
    case 5: player.inspector.prepareToPlay()
    case 6:
      let places: [SoundPlayer.SchedulePosition] = [.afterQueue, .now, .atLoopEnd, .at(moment())]
      player.schedule(
        sounds[Int.random(in: 0..<4, using: &random)],
        places.randomElement(using: &random) ?? .now,
        repeats: Repeats.times(Int.random(in: 0...1, using: &random))
      )
    default: set(player)
    }
  }

  /// Changes a setting of a player, also of a player that does not play.
  mutating func set(_ player: SoundPlayer) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: player.pan = number(-1...1)
    case 1: player.pitch = number(0.5...2)
    case 2: player.volume = Gain(number(0...1))
    case 3: player.playbackTime = .milliseconds(Int.random(in: 0...1_500, using: &random))
    case 4: player.fade(to: Gain(number(0...1)), fade())
    case 5: player.repeats = Bool.random(using: &random) ? .forever : .times(1)
    case 6: player.loopRange = Bool.random(using: &random) ? 5_000..<40_000 : nil
    case 7: player.priority = Priority(Int.random(in: 50...100, using: &random))
    default: if let bus = anyBus() { player.bus = bus }
    }
  }
}
