import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The limits of sounds and buses.
@Suite struct PlaybackLimitTests {
  private typealias Player = PlaybackLimit.Player

  /// A case of the table: three players, a newcomer and the decision.
  struct Case: Sendable, CustomTestStringConvertible {
    let overflow: PlaybackLimit.Overflow
    let count: Int
    /// The loudness and the distance of the newcomer.
    let newcomer: (loudness: Float, distance: Float)
    let decision: PlaybackLimit.Decision

    var testDescription: String { "\(overflow) at \(count), a newcomer of \(newcomer)" }
  }

  /// The players, not in the order of their beginnings.
  private static let players = [
    Player(order: 7, loudness: 0.5, distance: 9),
    Player(order: 3, loudness: 0.2, distance: 4),
    Player(order: 5, loudness: 0.8, distance: 30),
  ]

  static let cases: [Case] = [
    Case(overflow: .refuse, count: 4, newcomer: (1, 1), decision: .admit),
    Case(overflow: .refuse, count: 3, newcomer: (1, 1), decision: .refuse),
    Case(overflow: .refuse, count: -1, newcomer: (1, 1), decision: .refuse),
    Case(overflow: .stealOldest, count: 3, newcomer: (0, 99), decision: .steal(1)),
    Case(overflow: .stealQuietest, count: 3, newcomer: (0.3, 99), decision: .steal(1)),
    Case(overflow: .stealQuietest, count: 3, newcomer: (0.1, 1), decision: .refuse),
    Case(overflow: .stealQuietest, count: 3, newcomer: (0.2, 1), decision: .refuse),
    Case(overflow: .stealFarthest, count: 3, newcomer: (0, 29), decision: .steal(2)),
    Case(overflow: .stealFarthest, count: 3, newcomer: (1, 31), decision: .refuse),
    Case(overflow: .stealFarthest, count: 3, newcomer: (1, 30), decision: .refuse),
    Case(overflow: .virtualize, count: 3, newcomer: (1, 1), decision: .admitVirtually),
    Case(overflow: .virtualize, count: 4, newcomer: (1, 1), decision: .admit),
  ]

  @Test(arguments: cases)
  func `Each overflow decides as its documentation says`(row: Case) {
    let limit = PlaybackLimit(row.count, whenReached: row.overflow)
    let newcomer = Player(order: 9, loudness: row.newcomer.loudness, distance: row.newcomer.distance)
    let decision = limit.decide(
      newcomer,
      playing: Self.players.count,
      among: { Self.players },
      framesSinceLast: nil,
      sampleRate: 48_000
    )
    #expect(decision == row.decision)
  }

  @Test(arguments: PlaybackLimit.Overflow.allCases)
  func `A newcomer that is too early is refused whatever the overflow`(overflow: PlaybackLimit.Overflow) {
    let limit = PlaybackLimit(99, whenReached: overflow, spacing: .milliseconds(40))
    let newcomer = Player(order: 9, loudness: 1, distance: 0)
    func decision(after frames: Int) -> PlaybackLimit.Decision {
      limit.decide(newcomer, playing: 0, among: { [] }, framesSinceLast: frames, sampleRate: 48_000)
    }
    #expect(decision(after: 0) == .refuse)
    #expect(decision(after: 1_919) == .refuse)
    #expect(decision(after: 1_920) == .admit)
  }

  /// A world with a sound of one second and a limit.
  private struct Scene: ~Copyable {
    var offline: OfflineRenderer
    let world: AudioWorld
    var sound: Sound

    init(_ limit: PlaybackLimit?) throws {
      offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
      world = AudioWorld(in: offline.context)
      sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: .mono(sampleRate: 48_000)))
      sound.limit = limit
    }

    /// Plays the sound at a distance, and collects the events.
    func play(at distance: Float, on bus: Bus? = nil) -> (Emitter, Collected<EmitterEvent>, NotificationToken) {
      let emitter = Emitter(playing: sound, in: world, on: bus)
      emitter.position = [0, 0, -distance]
      let events = Collected<EmitterEvent>()
      let token = emitter.observe { events.append($0) }
      emitter.play()
      return (emitter, events, token)
    }
  }

  @Test func `The quietest of a limited sound makes room, and the stolen one fades without a click`() throws {
    var scene = try Scene(PlaybackLimit(2))
    let near = scene.play(at: 1)
    let far = scene.play(at: 10)
    scene.offline.render(.milliseconds(200))
    let newcomer = scene.play(at: 2)
    let mix = scene.offline.render(.milliseconds(300))
    #expect(far.1.all == [.becameReal, .ended(.stolen)])
    #expect(near.0.isPlaying && newcomer.0.isPlaying && !far.0.isPlaying)
    #expect(mix.clicks(highestFrequency: 500).isEmpty)
    let quiet = scene.play(at: 50)
    scene.offline.render(frameCount: MixTime.tick + 1)
    #expect(quiet.1.all == [.ended(.refused)])
  }

  @Test func `A limit keeps a newcomer virtual until another one ends`() throws {
    var scene = try Scene(PlaybackLimit(1, whenReached: .virtualize))
    let first = scene.play(at: 1)
    let second = scene.play(at: 1)
    scene.offline.render(.milliseconds(100))
    #expect(first.0.isVirtual == false && second.0.isVirtual)
    #expect(scene.world.voiceStatistics().waiting == 1)
    first.0.stop()
    scene.offline.render(.milliseconds(100))
    #expect(second.0.isPlaying && !second.0.isVirtual)
    #expect(second.1.all == [.becameReal])
    #expect(abs(second.0.playbackTime / .milliseconds(200) - 1) < 0.001)
  }

  @Test func `A limit of a bus counts the buses inside it`() throws {
    var scene = try Scene(nil)
    let steps = scene.world.mixer.makeBus("steps")
    let inner = scene.world.mixer.makeBus("left foot", in: steps)
    steps.limit = PlaybackLimit(2, whenReached: .stealOldest)
    let first = scene.play(at: 1, on: inner)
    let second = scene.play(at: 1, on: steps)
    let other = scene.play(at: 1)
    scene.offline.render(.milliseconds(50))
    let third = scene.play(at: 1, on: inner)
    scene.offline.render(.milliseconds(50))
    #expect(first.1.all.last == .ended(.stolen))
    #expect(second.0.isPlaying && third.0.isPlaying && other.0.isPlaying)
  }

  @Test func `A paused emitter and one that fades out do not count`() throws {
    var scene = try Scene(PlaybackLimit(1, whenReached: .refuse))
    let first = scene.play(at: 1)
    scene.offline.render(.milliseconds(50))
    first.0.pause()
    scene.offline.render(.milliseconds(50))
    let second = scene.play(at: 1)
    #expect(second.0.isPlaying)
    second.0.stop(Fade(.seconds(1)))
    let third = scene.play(at: 1)
    #expect(third.0.isPlaying)
  }

  @Test(arguments: [1, 2, 4, 10])
  func `Copies that begin together keep the power of one`(count: Int) throws {
    var scene = try Scene(nil)
    scene.sound.loudnessOfMany = .compensated
    let copies = (0..<count).map { _ in scene.play(at: 1) }
    scene.offline.render(.milliseconds(50))
    for copy in copies {
      let factor = scene.world.explain(copy.0).factors.first { $0.kind == .copies }?.level ?? 0
      #expect(abs(factor.factor * factor.factor * Float(count) - 1) < 0.001)
    }
  }
}
