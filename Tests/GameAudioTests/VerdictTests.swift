import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The reasons for which an emitter is not heard, their order, their decibels, and the ranks.
@Suite struct VerdictTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// A sine of full scale, whose level is −3.01 dB in each window.
  private static func emitter(in world: AudioWorld, on bus: Bus? = nil, at distance: Float = 1) -> Emitter {
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(1), format: mono, amplitude: 1)
    var sound = Sound(tone)
    sound.silentBeyond = 500
    let emitter = Emitter(playing: sound, in: world, on: bus)
    (emitter.repeats, emitter.position) = (.forever, [0, 0, -distance])
    return emitter
  }

  /// The decibels that an emitter lacks for a voice, by the reason.
  private static func lack(_ emitter: Emitter) -> (name: String, level: Float) {
    switch emitter.world.explain(emitter).verdict {
    case .silent(.tooQuiet(let level)): ("too quiet", level.rawValue)
    case .silent(.outranked(let level)): ("outranked", level.rawValue)
    case let other: ("\(other)", .nan)
    }
  }

  @Test func `A sound below the threshold lacks the rest, and 3 dB more to return`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Self.emitter(in: world)
    emitter.gain = .decibels(-100)
    emitter.play()
    offline.render(.milliseconds(50))
    #expect(Self.lack(emitter).name == "too quiet" && abs(Self.lack(emitter).level - 23.01) < 0.01)
    emitter.gain = .unity
    offline.render(.milliseconds(50))
    #expect(world.explain(emitter).verdict == .hasVoice)
    emitter.gain = .decibels(-90)
    offline.render(.milliseconds(200))
    #expect(Self.lack(emitter).name == "too quiet" && abs(Self.lack(emitter).level - 16.01) < 0.01)
    emitter.position = [0, 0, -501]
    #expect(world.explain(emitter).verdict == .silent(.beyondReach))
    emitter.stop()
    #expect(world.explain(emitter).verdict == .silent(.notPlaying))
  }

  @Test func `An outranked sound lacks the distance to the weakest voice, with priorities and what a voice keeps`()
    throws
  {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let emitters = [1, 2, 8].map { Self.emitter(in: world, at: $0) }
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(300))
    // 8 m against 2 m, and 1.5 dB that a voice keeps.
    #expect(Self.lack(emitters[2]).name == "outranked" && abs(Self.lack(emitters[2]).level - 13.541) < 0.01)
    emitters[2].priority = 60
    #expect(abs(Self.lack(emitters[2]).level - 7.541) < 0.01)
    emitters[0].priority = 30
    #expect(abs(Self.lack(emitters[2]).level - 1.562) < 0.01)
    emitters[2].priority = 70
    // It gets its voice in the next choice.
    #expect(Self.lack(emitters[2]).name == "outranked" && Self.lack(emitters[2]).level == 0)
    offline.render(.milliseconds(50))
    #expect(world.explain(emitters[2]).verdict == .hasVoice)
    #expect(Self.lack(emitters[0]).name == "outranked")
  }

  @Test func `A pause comes before a mute, that before a solo, and the innermost bus is named`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let outer = world.mixer.makeBus("outer")
    let (inner, other) = (world.mixer.makeBus("inner", in: outer), world.mixer.makeBus("other"))
    let emitter = Self.emitter(in: world, on: inner)
    var verdict: Explanation.Verdict { world.explain(emitter).verdict }
    #expect(verdict == .silent(.notPlaying))
    emitter.play(at: .seconds(9))
    #expect(verdict == .silent(.waiting))
    emitter.play()
    emitter.stop(.none)
    emitter.play()
    offline.render(.milliseconds(100))
    #expect(verdict == .hasVoice)
    other.isSoloed = true
    #expect(verdict == .silent(.soloedElsewhere))
    outer.gain = .silence
    // It would be silent without the solo, too.
    #expect(verdict != .silent(.soloedElsewhere))
    outer.gain = .unity
    outer.isMuted = true
    #expect(verdict == .silent(.muted(by: "the bus outer")))
    inner.isMuted = true
    #expect(verdict == .silent(.muted(by: "the bus inner")))
    outer.pause(.none)
    offline.render(.milliseconds(50))
    #expect(verdict == .silent(.paused(by: "the bus outer")))
    inner.pause(.none)
    offline.render(.milliseconds(50))
    #expect(verdict == .silent(.paused(by: "the bus inner")))
    emitter.pause(.none)
    #expect(verdict == .silent(.paused(by: "the emitter")))
    let reasons = ["b", "a"].map { SuspensionReason($0) }
    for reason in reasons { offline.context.suspend(.mute, for: reason) }
    #expect(verdict == .silent(.suspended(reasons[1])))
    emitter.stop(.none)
    #expect(verdict == .silent(.notPlaying))
    #expect(AudioWorld(in: offline.context).explain(emitter) == .ofStranger)
  }

  @Test func `The ranks are those of the scores, and of the plays among equal ones`() throws {
    var random = SplitMix64(seed: 91)
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 64)
    let emitters = (0..<8).map { _ in Self.emitter(in: world) }
    func ranks() -> [Int?] { emitters.map { world.explain($0).rank } }
    #expect(ranks() == Array(repeating: nil, count: 8))
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(50))
    #expect(ranks() == [1, 2, 3, 4, 5, 6, 7, 8])
    for _ in 0..<20 {
      let gains = (0..<8).shuffled(using: &random)
      for (emitter, gain) in zip(emitters, gains) { emitter.gain = .decibels(Decibels(-Float(gain))) }
      #expect(ranks() == gains.map { $0 + 1 })
    }
    for (index, emitter) in emitters.enumerated() { (emitter.gain, emitter.priority) = (.unity, Priority(50 + index)) }
    #expect(ranks() == [8, 7, 6, 5, 4, 3, 2, 1])
    emitters[7].pause(.none)
    emitters[6].stop(.none)
    #expect(ranks() == [6, 5, 4, 3, 2, 1, nil, nil])
  }

  @Test func `What has no effect is named`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let flat = world.mixer.makeBus("flat", kind: .direct)
    let quad = PCMFormat(sampleRate: 48_000, layout: .quad)
    func ignored(isPlaced: Bool, on bus: Bus?, _ change: (Emitter) -> Void) -> [String] {
      let sound = Sound(TestSignal.silence(duration: .seconds(1), format: Self.mono))
      let emitter = Emitter(sound, isPlaced: isPlaced, isOnce: false, in: world, on: bus ?? world.mixer.main)
      change(emitter)
      return world.explain(emitter).ignored
    }
    #expect(ignored(isPlaced: true, on: nil) { ($0.position, $0.direction) = ([1, 0, 0], [1, 0, 0]) } == [])
    #expect(ignored(isPlaced: true, on: nil) { $0.cone = Cone(innerAngle: 9) } == ["cone without a direction"])
    #expect(
      ignored(isPlaced: true, on: nil) { ($0.cone, $0.direction) = (Cone(innerAngle: 9), [1, 0, 0]) } == []
    )
    #expect(ignored(isPlaced: true, on: flat) { _ in } == [])
    #expect(ignored(isPlaced: true, on: flat) { $0.position = [1, 0, 0] } == ["position on the direct bus flat"])
    #expect(ignored(isPlaced: true, on: flat) { $0.direction = [1, 0, 0] } == ["direction on the direct bus flat"])
    #expect(ignored(isPlaced: false, on: nil) { _ in } == [])
    #expect(
      ignored(isPlaced: false, on: nil) { $0.position = [1, 0, 0] } == ["position of an emitter without a place"]
    )
    #expect(
      ignored(isPlaced: false, on: nil) { $0.direction = [1, 0, 0] } == ["direction of an emitter without a place"]
    )
    let player = try SoundPlayer(playing: Sound(TestSignal.silence(duration: .seconds(1), format: quad)), in: world)
    #expect(world.explain(player).ignored == [])
    player.pan = 0.1
    #expect(world.explain(player).ignored == ["pan of a sound with 4 channels"])
    let stereo = try SoundPlayer(
      playing: Sound(TestSignal.silence(duration: .seconds(1), format: .stereo(sampleRate: 48_000))),
      in: world
    )
    stereo.pan = 0.1
    #expect(world.explain(stereo).ignored == [])
  }
}
