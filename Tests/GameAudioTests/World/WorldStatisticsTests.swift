import Spatial3DTesting
import Testing

@testable import GameAudio

/// The numbers, the ranks and the verdicts of a world: which emitters have a voice, and what the others lack.
@Suite struct WorldStatisticsTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  /// A full-scale sine, so that the level of an emitter is its gain less 3 dB.
  private static let tone = Sound(
    TestSignal.sine(frequency: 400, duration: .seconds(1), format: mono, amplitude: 1)
  )

  private static func emitters(
    _ levels: [Decibels],
    in world: AudioWorld,
    _ sound: Sound = tone,
    on bus: Bus? = nil
  ) -> [Emitter] {
    levels.map { level in
      let emitter = Emitter(playing: sound, in: world, on: bus)
      (emitter.repeats, emitter.gain) = (.forever, .decibels(level))
      emitter.play()
      return emitter
    }
  }

  private static func lacking(_ emitter: Emitter) -> Float? {
    switch emitter.world.explain(emitter).verdict {
    case .silent(.outranked(let level)), .silent(.tooQuiet(let level)): level.rawValue
    default: nil
    }
  }

  @Test func `The text of the statistics names those that wait or are paused, and the level of the others`() {
    var statistics = VoiceStatistics()
    #expect(statistics.description == "0 real, 0 virtual (0 inaudible)")
    (statistics.real, statistics.waiting, statistics.paused) = (3, 2, 1)
    #expect(statistics.description == "3 real, 0 virtual (0 inaudible), 2 waiting, 1 paused")
    (statistics.virtual, statistics.inaudible, statistics.virtualLevel) = (5, 4, -38.24)
    (statistics.waiting, statistics.paused) = (0, 0)
    #expect(statistics.description == "3 real, 5 virtual (4 inaudible), -38.2 dB left out")
  }

  @Test func `The statistics count each emitter once, and sum up the power of those without a voice`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    #expect(world.voiceStatistics() == VoiceStatistics())
    let real = Self.emitters([0, -1, -2, -3], in: world)
    offline.render(.milliseconds(200))
    real[0].occlusion = -6
    real[1].obstruction = -6
    real[2].stop(Fade(.seconds(9)))
    real[3].pause(Fade(.seconds(9)))
    let virtual = Self.emitters([-20, -23, -26, .silence], in: world)
    let idle = Emitter(playing: Self.tone, in: world)
    let paused = Self.emitters([0, 0, 0], in: world)
    for emitter in paused { emitter.pause(.none) }
    let limited = world.mixer.makeBus("limited")
    limited.limit = PlaybackLimit(1, whenReached: .virtualize)
    // The first one is too quiet for a voice, and keeps the others from one.
    let held = Self.emitters([-100, 0, 0], in: world, on: limited)
    let later = Emitter(playing: Self.tone, in: world)
    later.play(at: .seconds(9))
    offline.render(.milliseconds(100))
    let numbers = world.voiceStatistics()
    #expect([numbers.real, numbers.filtered, numbers.virtual, numbers.inaudible] == [4, 2, 5, 2])
    #expect([numbers.waiting, numbers.paused, numbers.promoted, numbers.stolen] == [3, 3, 4, 0])
    let power = ([-20, -23, -26] as [Float]).reduce(Float(0)) { $0 + Decibels($1).factor * Decibels($1).factor } / 2
    #expect(abs(numbers.virtualLevel.rawValue - Decibels(factor: power.squareRoot()).rawValue) < 0.02)
    real[2].stop(.none)
    offline.render(.milliseconds(300))
    #expect(
      [world.voiceStatistics().real, world.voiceStatistics().virtual, world.voiceStatistics().promoted] == [4, 4, 5]
    )
    withExtendedLifetime((virtual, idle, held)) {}
  }

  @Test func `A louder emitter takes the voice of another one, which is counted as stolen`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let emitters = Self.emitters([-6, -20], in: world)
    offline.render(.milliseconds(200))
    for (step, level) in [(1, 0), (2, -30)] as [(Int, Decibels)] {
      emitters[1].gain = .decibels(level)
      offline.render(.milliseconds(200))
      #expect(world.voiceStatistics().stolen == step && world.voiceStatistics().promoted == step + 1)
    }
    // A voice that is lost to silence is not stolen.
    emitters[0].gain = .silence
    emitters[1].gain = .silence
    offline.render(.milliseconds(200))
    #expect(world.voiceStatistics().stolen == 2 && world.voiceStatistics().real == 0)
  }

  @Test func `The rank is that of the score, with 1.5 dB for a voice, and the older one of two equals comes first`()
    throws
  {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let emitters = Self.emitters([0, 0, -3, -3, -6], in: world)
    offline.render(.milliseconds(200))
    func ranks() -> [Int?] { emitters.map { world.explain($0).rank } }
    #expect(ranks() == [1, 2, 3, 4, 5])
    emitters[2].gain = .decibels(1)
    #expect(ranks() == [1, 2, 3, 4, 5])
    emitters[2].gain = .decibels(2)
    #expect(ranks() == [2, 3, 1, 4, 5])
    emitters[2].gain = .decibels(-3)
    emitters[4].priority = 56
    #expect(ranks() == [1, 2, 4, 5, 3])
    emitters[1].pause(.none)
    #expect(ranks() == [1, nil, 3, 4, 2])
    emitters[0].stop(.none)
    #expect(ranks() == [nil, nil, 2, 3, 1])
  }

  @Test func `What an emitter lacks is the difference to the weakest voice, with its 1.5 dB`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let emitters = Self.emitters([0, -2, -12], in: world)
    offline.render(.milliseconds(200))
    let hysteresis = Decibels(factor: 1.1885).rawValue
    for (priorities, lacking) in [
      ([50, 50, 50], 10), ([50, 60, 50], 12), ([40, 60, 50], 6), ([50, 50, 60], 4), ([50, 50, 70], 0),
    ] as [([Priority], Float)] {
      for (emitter, priority) in zip(emitters, priorities) { emitter.priority = priority }
      let expected = lacking > 0 ? lacking + hysteresis : max(-2 + hysteresis, 0)
      #expect(abs((Self.lacking(emitters[2]) ?? -1) - expected) < 0.01, "\(priorities)")
      let own = world.snapshot().emitters[2].silence
      #expect(own?.kindInWords == "outranked" && abs((own?.lacking?.rawValue ?? -1) - expected) < 0.01)
    }
  }

  @Test func `What an emitter is too quiet by is the difference to -80 dB, or to -77 dB after a voice`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    var sound = Self.tone
    sound.silentBeyond = 100
    let (new, old, far) = (
      Self.emitters([-90], in: world)[0], Self.emitters([0], in: world)[0], Self.emitters([0], in: world, sound)[0]
    )
    far.position = [0, 0, -101]
    offline.render(.milliseconds(200))
    #expect(abs((Self.lacking(new) ?? 0) - 13.01) < 0.03)
    old.gain = .decibels(-90)
    offline.render(.milliseconds(200))
    let back = Decibels(factor: 1.4125).rawValue
    #expect(abs((Self.lacking(old) ?? 0) - 13.01 - back) < 0.03)
    #expect(world.explain(far).verdict == .silent(.beyondReach))
    #expect(world.snapshot().emitters.map { $0.silence?.kindInWords } == ["tooQuiet", "tooQuiet", "beyondReach"])
    far.position = [0, 0, -1]
    #expect(world.explain(far).verdict == .silent(.outranked(by: 0)))
    offline.render(.milliseconds(100))
    #expect(world.explain(far).verdict == .hasVoice)
  }

  @Test func `A stream that finds no place lacks the level of the weakest stream, whatever else plays`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 3)
    world.streamLimit = 1
    let samples = TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono, amplitude: 1)
    let stream = Sound(streaming: "tone") { SampleReader(samples) }
    let streams = Self.emitters([-6, -12], in: world, stream)
    let quiet = Self.emitters([-30], in: world)
    offline.render(.milliseconds(200))
    #expect(streams.map(\.isVirtual) == [false, true] && !quiet[0].isVirtual)
    let hysteresis = Decibels(factor: 1.1885).rawValue
    #expect(abs((Self.lacking(streams[1]) ?? 0) - 6 - hysteresis) < 0.01)
    world.streamLimit = 2
    #expect(world.explain(streams[1]).verdict == .silent(.outranked(by: 0)))
    offline.render(.milliseconds(200))
    #expect(!streams[1].isVirtual)
    world.streamLimit = -3
    #expect(world.streamLimit == 0)
    offline.render(.milliseconds(200))
    #expect(streams.allSatisfy(\.isVirtual) && abs((Self.lacking(streams[0]) ?? -1)) < 0.01)
  }

  @Test func `A suspension silences all that plays, and names the first of its reasons`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitters = Self.emitters([0], in: world) + [Emitter(playing: Self.tone, in: world)]
    offline.render(.milliseconds(100))
    offline.context.suspend(.mute, for: .userPause)
    #expect(world.explain(emitters[0]).verdict == .silent(.suspended(.userPause)))
    #expect(world.explain(emitters[1]).verdict == .silent(.notPlaying))
    let idle = world.explain(emitters[1])
    #expect(idle.level == .silence && idle.rank == nil && idle.factors.isEmpty && idle.sends.isEmpty)
    #expect(world.snapshot().emitters.map(\.silence) == [.suspended(.userPause), .notPlaying])
    offline.context.resume(from: .userPause)
    #expect(world.explain(emitters[0]).verdict == .hasVoice)
    let other = AudioWorld(in: offline.context)
    #expect(other.explain(emitters[0]) == .ofStranger)
  }

  @Test func `Values that have no effect are named`() throws {
    let stereo = PCMFormat.stereo(sampleRate: 48_000)
    let offline = try OfflineRenderer(format: stereo)
    let world = AudioWorld(in: offline.context)
    let flat = world.mixer.makeBus("flat", kind: .direct)
    let (placed, direct) = (Emitter(playing: Self.tone, in: world), Emitter(playing: Self.tone, in: world, on: flat))
    let unplaced = world.playOnce(Self.tone)
    func ignored() -> [[String]] { [placed, direct, unplaced].map { world.explain($0).ignored } }
    #expect(ignored() == [[], [], []])
    for emitter in [placed, direct, unplaced] { emitter.position = [1, 0, 0] }
    let places = ["position on the direct bus flat", "position of an emitter without a place"]
    #expect(ignored() == [[], [places[0]], [places[1]]])
    for emitter in [placed, direct, unplaced] { emitter.cone = Cone(innerAngle: 90, outerAngle: 120) }
    #expect(ignored() == [["cone without a direction"], [places[0]], [places[1]]])
    for emitter in [placed, direct, unplaced] { (emitter.direction, emitter.position) = ([0, 0, 1], .zero) }
    let directions = ["direction on the direct bus flat", "direction of an emitter without a place"]
    #expect(ignored() == [[], [directions[0]], [directions[1]]])
    direct.bus = world.mixer.main
    #expect(ignored() == [[], [], [directions[1]]])
  }
}
