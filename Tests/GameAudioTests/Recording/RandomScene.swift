import Spatial3DTesting
import TestSupport

@testable import GameAudio

/// A random game on an offline world: it calls everything that a recording holds, between pieces of the mix.
struct RandomScene: ~Copyable {
  static let format = PCMFormat.stereo(sampleRate: 48_000)
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  var offline: OfflineRenderer
  let world: AudioWorld
  var random: SplitMix64
  private let sounds: [Sound]
  private var emitters: [Emitter] = []
  private var players: [SoundPlayer] = []
  private var buses: [Bus] = []
  private let unit: EffectUnit
  /// Whether the game casts rays in each of its frames.
  private let castsRays: Bool

  init(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let offline = try OfflineRenderer(format: Self.format)
    let unit = try EffectUnit(.reverb(Reverb(efx: .cave)), in: offline.context)
    var varied = Sound(anyOfSamples: [Self.noise(1, 0.4), Self.noise(2, 0.7)])
    (varied.pitchVariation, varied.gainVariation) = (-2...2, -6...0)
    var limited = Sound(TestSignal.sine(frequency: 500, duration: .milliseconds(900), format: Self.mono))
    limited.limit = PlaybackLimit(2, whenReached: .stealOldest)
    var crowd = Sound(Self.noise(3, 0.2))
    crowd.loudnessOfMany = .compensated
    world = AudioWorld(in: offline.context, voices: Int.random(in: 2...6, using: &random))
    sounds = [varied, limited, crowd, Sound(Self.noise(4, 2))]
    self.unit = unit
    castsRays = Bool.random(using: &random)
    self.random = random
    self.offline = offline
    // Half of the games have a level before their recording begins, and a listener that has moved since.
    guard Bool.random(using: &self.random) else { return }
    for _ in 0..<6 { actOnSpace() }
    world.listener.position = place()
  }

  private static func noise(_ seed: UInt64, _ seconds: Double) -> PCMBuffer<Float> {
    TestSignal.noise(seed: seed, duration: .seconds(seconds), format: mono)
  }

  /// Plays the game for a number of frames of its own; returns the mix.
  mutating func play(frames: Int) throws -> [Float] {
    var mix: [Float] = []
    for _ in 0..<frames {
      for _ in 0..<Int.random(in: 1...4, using: &random) { try act() }
      if Bool.random(using: &random) { actOnSpace() }
      if castsRays { castRays() }
      // Some pieces end at a tick, most do not.
      let count = Bool.random(using: &random) ? 512 : Int.random(in: 1...3_000, using: &random)
      mix += offline.render(frameCount: count).samples
    }
    return mix
  }

  mutating func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }

  mutating func place() -> SIMD3<Float> { [number(-20...20), number(-2...2), number(-20...20)] }

  private mutating func fade() -> Fade {
    Fade(
      .milliseconds(Int.random(in: 0...300, using: &random)),
      Fade.Curve.allCases.randomElement(using: &random) ?? .linear
    )
  }

  private mutating func act() throws {
    // Each call changes the scene, so that each end of a piece is one of the recording.
    world.listener.gain = number(0.5...1)
    switch Int.random(in: 0..<24, using: &random) {
    case 0...2: make()
    case 3: world.playOnce(sounds[Int.random(in: 0..<4, using: &random)], at: place(), gain: Decibels(number(-10...0)))
    case 4: players.append(try SoundPlayer(playing: sounds[3], in: world, on: buses.randomElement(using: &random)))
    case 5:
      let parent = buses.randomElement(using: &random)
      buses.append(
        world.mixer.bus("bus \(buses.count)", in: parent, kind: Bool.random(using: &random) ? .spatial : .direct)
      )
    case 6: if !emitters.isEmpty { emitters.remove(at: Int.random(in: emitters.indices, using: &random)) }
    case 7: world.listener.position = place()
    case 8:
      let places = emitters.map { _ in place() }
      world.update { world.move(emitters, to: places.span) }
    case 9: if let bus = buses.randomElement(using: &random) { try act(on: bus) }
    case 10...13: if let player = players.randomElement(using: &random) { act(on: player) }
    case 14: world.mixer.main.fade(to: Decibels(number(-6...0)), fade())
    default: if let emitter = emitters.randomElement(using: &random) { act(on: emitter) }
    }
  }

  private mutating func make() {
    let sound = sounds[Int.random(in: 0..<4, using: &random)]
    let emitter = Emitter(playing: sound, in: world, on: buses.randomElement(using: &random))
    emitter.position = place()
    emitter.repeats = Bool.random(using: &random) ? .forever : .times(2)
    if Bool.random(using: &random) { emitter.playbackTime = .milliseconds(150) }
    emitter.play()
    emitters.append(emitter)
  }

  private mutating func act(on emitter: Emitter) {
    switch Int.random(in: 0..<18, using: &random) {
    case 0: emitter.position = place()
    case 1: emitter.velocity = place()
    case 2: emitter.derivesVelocity = true
    case 3: emitter.gain = Decibels(number(-20...3))
    case 4: emitter.pitch = number(0.5...2)
    case 5: emitter.priority = Priority(Int.random(in: 0...100, using: &random))
    case 6: emitter.virtualBehavior = VirtualBehavior.allCases.randomElement(using: &random) ?? .stop
    case 7: (emitter.direction, emitter.cone) = (place(), Cone(innerAngle: 60, outerAngle: 200, outerGain: 0.2))
    case 8: emitter.occlusion = Decibels(number(-20...0))
    case 9: emitter.obstruction = Decibels(number(-20...0))
    case 10: emitter.send(to: unit, gain: Decibels(number(-20...0)), fade())
    case 11: emitter.stop(fade())
    case 12: emitter.pause(fade())
    case 13: emitter.fade(to: Decibels(number(-20...0)), fade())
    case 14: emitter.playbackTime = .milliseconds(Int.random(in: 0...400, using: &random))
    case 15: emitter.play(at: world.context.clock + .milliseconds(Int.random(in: 0...400, using: &random)))
    case 16: emitter.playOnce(sounds[2], gain: -3)
    default: emitter.play()
    }
  }

  private mutating func act(on bus: Bus) throws {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: bus.gain = Decibels(number(-12...3))
    case 1: bus.pitch = number(0.8...1.25)
    case 2: bus.filter = ToneFilter(low: Decibels(number(-12...0)), high: Decibels(number(-24...0)))
    case 3: bus.isMuted.toggle()
    case 4: bus.isSoloed.toggle()
    case 5: if bus.isPaused { bus.resume(fade()) } else { bus.pause(fade()) }
    case 6: bus.send(to: unit, gain: Decibels(number(-12...0)), fade())
    case 7: bus.limit = PlaybackLimit(3, whenReached: .stealQuietest)
    default: bus.duck(under: world.mixer.bus("speech"), Ducking(by: -9))
    }
  }

  private mutating func act(on player: SoundPlayer) {
    switch Int.random(in: 0..<11, using: &random) {
    case 0...2: player.play()
    case 3: player.pause()
    case 4: player.stop()
    case 5: player.pan = number(-1...1)
    case 6: player.rate = number(0.5...2)
    case 7: player.volume = number(0...1)
    case 8: player.currentTime = .milliseconds(Int.random(in: 0...1_500, using: &random))
    case 9: player.schedule(sounds[0], .afterWhatIsQueued)
    default: player.fade(to: number(0...1), fade())
    }
  }
}
