import Spatial3DTesting
import Testing

@testable import GameAudio

/// The factors of an explanation: each cause has one, with its values and its level.
@Suite struct ExplanationFactorTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func emitter(in world: AudioWorld, on bus: Bus? = nil) -> Emitter {
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(1), format: mono, amplitude: 1)
    let emitter = Emitter(playing: Sound(tone), in: world, on: bus)
    emitter.repeats = .forever
    return emitter
  }

  /// The factors of an emitter that are not 0 dB, in tenths of a decibel.
  private static func factors(_ emitter: Emitter) -> [String: Float] {
    let factors = emitter.world.explain(emitter).factors.filter { abs($0.level.rawValue) > 0.01 }
    let pairs = factors.map { ("\($0.kind)", ($0.level.rawValue * 10).rounded() / 10) }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test func `An emitter without any change has the level of its sound alone`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Self.emitter(in: world)
    emitter.play()
    offline.render(.milliseconds(100))
    #expect(Self.factors(emitter) == ["the sound itself": -3])
  }

  /// A change of a world, by the words of its factor.
  enum Cause: String, CaseIterable, Sendable {
    case gain
    case bus = "bus music"
    case main = "bus main"
    case listener
    case distance = "attenuation at 4.0 m"
    case cone
    case occlusion
    case obstruction
    case wall = "occlusion by rays"
    case obstacle = "obstruction by rays"
    case filter = "filters of the buses"

    var level: Float {
      switch self {
      case .gain, .listener: -6
      case .bus: -5
      case .main: -4
      case .distance: -12
      case .cone: -20
      case .occlusion: -3.8
      case .obstruction: -1.9
      case .wall: -6.7
      case .obstacle: -3.2
      case .filter: -2.5
      }
    }

    var kind: Explanation.Factor.Kind {
      switch self {
      case .gain: .gain
      case .bus: .bus("music")
      case .main: .bus(.main)
      case .listener: .listener(index: nil)
      case .distance: .attenuation(distance: 4, through: nil)
      case .cone: .cone
      case .occlusion: .occlusion
      case .obstruction: .obstruction
      case .wall: .occlusionByRays
      case .obstacle: .obstructionByRays
      case .filter: .filters
      }
    }

    func apply(_ world: AudioWorld, _ emitter: Emitter, _ bus: Bus) {
      switch self {
      case .gain: emitter.gain = .decibels(-6)
      case .bus: bus.gain = .decibels(-5)
      case .main: world.mixer.main.gain = .decibels(-4)
      case .listener: world.listener.gain = .decibels(-6)
      case .distance: emitter.position = [0, 0, -4]
      case .cone:
        (emitter.position, emitter.direction) = ([0, 0, -1], [0, 0, -1])
        emitter.cone = Cone(innerAngle: 60, outerAngle: 120, outerGain: 0.1)
      case .occlusion: emitter.occlusion = -10
      case .obstruction: emitter.obstruction = -20
      case .wall: world.castRays { _ in .wall(-20) }
      case .obstacle: world.castRays { _ in .obstacle(-40) }
      case .filter: bus.filter = ToneFilter(low: -10)
      }
    }
  }

  @Test(arguments: Cause.allCases)
  func `Each cause has a factor of its own`(cause: Cause) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("music")
    let emitter = Self.emitter(in: world, on: bus)
    emitter.play()
    cause.apply(world, emitter, bus)
    offline.render(.milliseconds(100))
    #expect(Self.factors(emitter) == ["the sound itself": -3, cause.rawValue: cause.level])
    let kinds = world.explain(emitter).factors.filter { abs($0.level.rawValue) > 0.01 }.map(\.kind)
    #expect(kinds == [cause.kind, .sound])
  }

  @Test func `A mute, a solo, a pause, a ducker and a fade are factors`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    let (emitter, voice) = (Self.emitter(in: world, on: music), Self.emitter(in: world, on: speech))
    emitter.play()
    voice.play()
    offline.render(.milliseconds(100))
    #expect(Self.factors(emitter) == ["the sound itself": -3])
    music.isMuted = true
    #expect(Self.factors(emitter).keys.sorted() == ["mute of music", "the sound itself"])
    music.isMuted = false
    speech.isSoloed = true
    #expect(Self.factors(emitter).keys.sorted() == ["solo of another bus", "the sound itself"])
    speech.isSoloed = false
    music.duck(under: speech, Ducking(by: -12, attack: .milliseconds(50)))
    offline.render(.milliseconds(200))
    #expect(Self.factors(emitter) == ["the sound itself": -3, "music ducks under speech": -12])
    #expect(world.explain(emitter).factors.contains { $0.kind == .ducking("music", under: ["speech"]) })
    music.duck(under: speech, nil)
    offline.render(.seconds(3))
    music.pause(Fade(.seconds(2), .decibels))
    offline.render(.milliseconds(500))
    let paused = Self.factors(emitter)
    #expect(paused.keys.sorted() == ["pause of music", "the sound itself"] && (paused["pause of music"] ?? 0) < -10)
    music.resume(.none)
    offline.render(.milliseconds(500))
    #expect(Self.factors(emitter) == ["the sound itself": -3])
    emitter.stop(Fade(.seconds(2), .decibels))
    offline.render(.milliseconds(500))
    #expect(Self.factors(emitter).keys.sorted() == ["fade", "the sound itself"])
  }

  @Test func `The texts of the kinds have their numbers and names`() {
    let portal = Portal(between: "hall", and: nil, at: .zero)
    let texts: [(Explanation.Factor.Kind, String)] = [
      (.variation, "variation"), (.copies, "copies that began together"), (.fade, "fade"),
      (.ducking("music", under: ["speech", "alarm"]), "music ducks under speech, alarm"),
      (.mute("music"), "mute of music"), (.pause("music"), "pause of music"), (.solo, "solo of another bus"),
      (.otherAudio("music"), "music gives way to other audio"),
      (.listener(index: 0), "listener 1"), (.listener(index: nil), "listener"),
      (.attenuation(distance: 16.16, through: nil), "attenuation at 16.2 m"),
      (.attenuation(distance: 2, through: portal), "attenuation at 2.0 m through portal hall–outdoors"),
      (.reach, "end of its reach"), (.portal(portal), "portal hall–outdoors"), (.wall, "wall between the rooms"),
      (.zone(name: "hall", index: 2), "zone hall"), (.zone(name: "", index: 2), "zone 2"),
      (.removedZone, "zone that was removed"),
    ]
    for (kind, text) in texts { #expect(kind.description == text) }
    #expect(Explanation.Factor(kind: .gain, level: -6.02).description == "gain -6.0 dB")
    #expect(Explanation.Factor(kind: .reach, level: .silence).description == "end of its reach silence")
  }
}
