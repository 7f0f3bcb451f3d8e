import GameAudio
import Testing

/// The sentence of each number that is clamped where no property returns it: once, with the range and the value in
/// force.
@Suite struct ClampSentenceTests {
  private typealias Case = (sentence: String, call: (ClampScene) throws -> Void)

  private static let backwards = Fade(.seconds(-1))
  private static let noFade = "set to -1.0 seconds, outside of its range 0.0 seconds and up: 0.0 seconds is used."
  private static let noTime = noFade
  private static let name = "(A sound in memory)"

  /// Plays a sound once, with a change.
  private static func play(_ scene: ClampScene, _ change: (inout Sound) -> Void) {
    var sound = ClampScene.tone
    change(&sound)
    scene.world.playOnce(sound)
  }

  private static var numbers: [Case] {
    let repeats = "was set to -2, outside of its range 0"
    return [
      (
        "The streamLimit of a world was set to -1, outside of its range 0 and up: 0 is used.",
        { $0.world.streamLimit = -1 }
      ),
      (
        "The limit of castRays was set to -3, outside of its range 0 to 1048576: 0 is used.",
        { $0.world.castRays(limit: -3) { _ in .clear } }
      ),
      (
        "The occlusion of an answer to castRays was set to -120.0 dB, outside of its range -100.0 dB to 0.0 dB:",
        { scene in
          scene.emitter.play()
          scene.world.castRays { _ in .wall(-120) }
        }
      ),
      (
        "The send gain of emitter 1 \(name) was set to 2.0 (6.0 dB), outside of its range 0.0 (-inf dB) to 1.0 (0.0 dB):",
        { $0.emitter.send(to: $0.unit, gain: 2) }
      ),
      (
        "The send gain of the bus music was set to 2.0 (6.0 dB), outside of its range 0.0 (-inf dB) to 1.0 (0.0 dB):",
        { $0.bus.send(to: $0.unit, gain: 2) }
      ),
      ("The repeats of emitter 1 \(name) \(repeats) to 2147483647: 0 is used.", { $0.emitter.repeats = .times(-2) }),
      ("The repeats of a player \(name) \(repeats) and up: 0 is used.", { $0.player.repeats = .times(-2) }),
      (
        "The repeats of a player \(name) \(repeats) and up: 0 is used.",
        { $0.player.schedule(ClampScene.tone, repeats: .times(-2)) }
      ),
      ("The playbackTime of emitter 1 \(name) was \(noTime)", { $0.emitter.playbackTime = .seconds(-1) }),
      ("The playbackTime of a player \(name) was \(noTime)", { $0.player.playbackTime = .seconds(-1) }),
      (
        "The playbackTime of a player \(name) was set to 5.0 seconds, outside of its range 0.0 seconds to 1.0 seconds:",
        { $0.player.playbackTime = .seconds(5) }
      ),
      (
        "The playbackTime of emitter 1 \(name) was set to 5.0 seconds, outside of its range 0.0 seconds to 0.99997",
        { scene in
          scene.emitter.playbackTime = .seconds(5)
          scene.emitter.play()
        }
      ),
      (
        "The budget of a sound bank was set to -1, outside of its range 0 and up: 0 is used.",
        { $0.bank.budget = -1 }
      ),
      (
        "The budget of a sound bank was set to -1, outside of its range 0 and up: 0 is used.",
        { _ = SoundBank(in: $0.world, budget: -1) }
      ),
      (
        "The position of a beat clock was set to -1.0, outside of its range 0.0 to 100000000.0: 0.0 is used.",
        { BeatClock(120, in: $0.world).start(fromBeat: -1) }
      ),
      (
        "The position of a beat clock was set to nan, which is not usable: 0 is used.",
        { BeatClock(120, in: $0.world).start(fromBeat: .nan) }
      ),
      (
        "The interval of a recording was set to -1.0 seconds, outside of its range 0.0 seconds to ",
        { $0.world.record(snapshotsEach: .seconds(-1)).stop() }
      ),
      (
        "The rewind of a session link was \(noTime)",
        { scene in
          let session = AudioSession(SimulatedSession(), playsInBackground: false)
          scene.world.follow(session, resuming: .players(rewind: .seconds(-1))).cancel()
        }
      ),
    ]
  }

  /// The numbers of values that a bus takes.
  private static var busValues: [Case] {
    func duck(_ part: String, _ sentence: String, _ ducking: Ducking) -> Case {
      ("The ducking.\(part) of the bus music was \(sentence)", { $0.bus.duck(under: $0.speech, ducking) })
    }
    let backwards = Duration.seconds(-1)
    return [
      (
        "The limit.count of the bus music was set to 0, outside of its range 1 and up: 1 is used.",
        { $0.bus.limit = PlaybackLimit(0) }
      ),
      (
        "The limit.spacing of the bus music was \(noTime)",
        { $0.bus.limit = PlaybackLimit(1, spacing: .seconds(-1)) }
      ),
      duck(
        "depth",
        "set to -100.0 dB, outside of its range -96.0 dB to 0.0 dB: -96.0 dB is used.",
        Ducking(by: -100)
      ),
      duck("depth", "set to nan dB, which is not usable: 0 dB is used.", Ducking(by: Decibels(.nan))),
      duck(
        "trigger",
        "set to nan dB, which is not usable: silence is used.",
        Ducking(by: -6, when: .level(above: Decibels(.nan)))
      ),
      duck("attack", noTime, Ducking(by: -6, attack: backwards)),
      duck("hold", noTime, Ducking(by: -6, hold: backwards)),
      duck("release", noTime, Ducking(by: -6, release: backwards)),
    ]
  }

  /// The numbers of a sound, which the world that plays it takes.
  private static var soundSettings: [Case] {
    func sound(_ property: String, _ sentence: String, _ change: @escaping (inout Sound) -> Void) -> Case {
      ("The \(property) of a sound \(name) was set to \(sentence) is used.", { play($0, change) })
    }
    return [
      sound("pitchVariation.lowerBound", "-50.0, outside of its range -48.0 to 48.0: -48.0") {
        $0.pitchVariation = -50...0
      },
      sound("pitchVariation.upperBound", "inf, outside of its range -48.0 to 48.0: 48.0") {
        $0.pitchVariation = 0 ... .infinity
      },
      sound("levelVariation.lowerBound", "-99.0 dB, outside of its range -96.0 dB to 24.0 dB: -96.0 dB") {
        $0.levelVariation = -99...0
      },
      sound("levelVariation.upperBound", "30.0 dB, outside of its range -96.0 dB to 24.0 dB: 24.0 dB") {
        $0.levelVariation = 0...30
      },
      sound("attenuation.referenceDistance", "-1.0, outside of its range 0.0 to 1e+09: 0.0") {
        $0.attenuation.referenceDistance = -1
      },
      sound("attenuation.rolloffFactor", "2e+09, outside of its range 0.0 to 1e+09: 1e+09") {
        $0.attenuation.rolloffFactor = 2e9
      },
      sound("attenuation.maximumDistance", "-1.0, outside of its range 0.0 to inf: 0.0") {
        $0.attenuation.maximumDistance = -1
      },
      sound("attenuation.referenceDistance", "nan, which is not usable: 1.0") {
        $0.attenuation.referenceDistance = .nan
      },
      sound("attenuation.rolloffFactor", "nan, which is not usable: 1.0") { $0.attenuation.rolloffFactor = .nan },
      sound("attenuation.maximumDistance", "nan, which is not usable: no limit") {
        $0.attenuation.maximumDistance = .nan
      },
      sound("limit.count", "-4, outside of its range 1 and up: 1") { $0.limit = PlaybackLimit(-4) },
      sound("choice.avoidingLast", "-1, outside of its range 0 to 0: 0") { $0.choice = .random(avoidingLast: -1) },
      sound("choice.weighted[0]", "-1.0, outside of its range 0.0 and up: 0.0") { $0.choice = .weighted([-1]) },
      sound("choice.weighted[0]", "nan, which is not usable: 0") { $0.choice = .weighted([.nan]) },
      sound("choice.weighted.count", "2, outside of its range 0 to 1: 1") { $0.choice = .weighted([1, 2]) },
      (
        "The silentBeyond of a sound \(name) was set to -3.0, which is not usable: it has no effect.",
        { play($0) { $0.silentBeyond = -3 } }
      ),
      (
        "The levelVariation of a sound \(name) was set to ",
        { play($0) { $0.levelVariation = Decibels(.nan)...3 } }
      ),
    ]
  }

  /// The calls that take a fade.
  private static var fades: [Case] {
    func fade(of owner: String, _ call: @escaping (ClampScene) throws -> Void) -> Case {
      ("The fade.duration of \(owner) was \(noFade)", call)
    }
    let (emitter, player) = ("emitter 1 \(name)", "a player \(name)")
    return [
      fade(of: emitter) { $0.emitter.stop(backwards) },
      fade(of: emitter) { $0.emitter.pause(backwards) },
      fade(of: emitter) { $0.emitter.fade(to: 0.5, backwards) },
      fade(of: emitter) { $0.emitter.send(to: $0.unit, gain: 0.5, backwards) },
      fade(of: player) { $0.player.fade(to: 0.5, backwards) },
      fade(of: player) { $0.player.crossfade(to: $0.other, backwards) },
      fade(of: "the bus music") { $0.bus.fade(to: 0.5, backwards) },
      fade(of: "the bus music") { $0.bus.pause(backwards) },
      fade(of: "the bus music") { $0.bus.resume(backwards) },
      fade(of: "the bus music") { $0.bus.send(to: $0.unit, gain: 0.5, backwards) },
      fade(of: "a mixer") { $0.world.mixer.apply(MixSnapshot(), backwards) },
      fade(of: "a sound bank") { $0.bank.stop("tone", backwards) },
    ]
  }

  private static var all: [Case] { numbers + busValues + soundSettings + fades }

  @Test(arguments: 0..<all.count) func `A number out of its range is reported once, in one sentence`(index: Int) throws
  {
    let (sentence, call) = Self.all[index]
    let scene = try ClampScene()
    for _ in 0..<2 { try call(scene) }
    #expect(scene.sentences.count == 1 && scene.sentences[0].hasPrefix(sentence), "\(sentence) \(scene.sentences)")
    let isUnusable = scene.sentences.first?.contains("which is not usable") == true
    #expect(scene.codes == [isUnusable ? .valueNotUsable : .valueClamped])
    #expect(scene.sentences.first?.hasSuffix("is used. This is reported once.") == true || isUnusable)
  }

  @Test func `The settings of a sound at their ends are not reported`() throws {
    let scene = try ClampScene()
    var sound = Sound(anyOfSamples: Array(repeating: ClampScene.samples, count: 3))
    sound.pitchVariation = -48...48
    sound.levelVariation = -96...24
    sound.attenuation = DistanceAttenuation(referenceDistance: 0, maximumDistance: .infinity, rolloffFactor: 1e9)
    sound.silentBeyond = 0.1
    sound.limit = PlaybackLimit(1, spacing: .zero)
    for choice in [.random(avoidingLast: 0), .random(avoidingLast: 2), .sequence, .weighted([0, 1, 2])]
      as [Sound.Choice]
    {
      sound.choice = choice
      _ = Emitter(playing: sound, in: scene.world)
    }
    scene.world.playOnce(ClampScene.tone)
    #expect(scene.sentences.isEmpty)
    sound.choice = .random(avoidingLast: 3)
    _ = Emitter(playing: sound, in: scene.world)
    #expect(scene.sentences.first?.contains("choice.avoidingLast") == true)
    #expect(scene.sentences.first?.contains("was set to 3, outside of its range 0 to 2: 2 is used.") == true)
  }

  @Test func `A portal keeps its numbers in their ranges, and each is reported once for each portal`() throws {
    let scene = try ClampScene()
    scene.world.zones = [ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: "hall")]
    let door = Portal(between: "hall", and: nil, at: [3, 0, 0], radius: -1, openness: 2)
    for _ in 0..<2 { scene.world.portals = [door, door] }
    #expect(scene.world.portals.map(\.radius) == [0, 0] && scene.world.portals.map(\.openness) == [1, 1])
    scene.world.portals[1].openness = -0.5
    #expect(scene.world.portals.map(\.openness) == [1, 0])
    let expected = (0..<2).flatMap { index in
      [
        "The radius of portal \(index) (hall–outdoors) was set to -1.0, outside of its range 0.0 and up: 0.0 is used.",
        "The openness of portal \(index) (hall–outdoors) was set to 2.0, outside of its range 0.0 to 1.0: 1.0 is used.",
      ]
    }
    #expect(scene.sentences == expected.map { "\($0) This is reported once." })
    #expect(scene.codes.allSatisfy { $0 == .valueClamped })
  }

  @Test func `A limit and a number of repetitions read as the nearest value`() throws {
    let scene = try ClampScene()
    scene.bus.limit = PlaybackLimit(0, whenReached: .refuse, spacing: .seconds(-1))
    #expect(scene.bus.limit == PlaybackLimit(1, whenReached: .refuse, spacing: .zero))
    scene.emitter.repeats = .times(-1)
    scene.player.repeats = .times(-1)
    #expect(scene.emitter.repeats == .times(0) && scene.player.repeats == .times(0))
    scene.emitter.repeats = .times(.max)
    #expect(scene.emitter.repeats == .times(Int(Int32.max)))
    scene.bank.budget = -5
    scene.world.streamLimit = -5
    #expect(scene.bank.budget == 0 && scene.world.streamLimit == 0)
    scene.bank.budget = nil
    #expect(scene.codes.allSatisfy { $0 == .valueClamped })
  }
}
