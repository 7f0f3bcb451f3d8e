import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The choice among the files of a sound, and the variations of pitch and level.
@Suite struct VariationTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// The numbers of draws of each of six variations.
  private func counts(of choice: Sound.Choice, draws: Int = 10_000, seed: UInt64 = 7) -> (counts: [Int], all: [Int]) {
    var (history, random) = (VariationHistory(), RandomSequence(seed: seed))
    let all = (0..<draws).map { _ in history.next(of: 6, by: choice, using: &random) }
    return ((0..<6).map { number in all.count { $0 == number } }, all)
  }

  @Test(arguments: [-3, 0, 1, 2, 3, 4, 5, 99])
  func `None of 10,000 choices repeats one of the last ones, and all are equally frequent`(avoided: Int) {
    let (counts, all) = counts(of: .random(avoidingLast: avoided))
    let distance = min(max(avoided, 0), 5)
    let repeated = all.indices.filter { all[max($0 - distance, 0)..<$0].contains(all[$0]) }
    #expect(repeated.isEmpty)
    // The 99.9 % quantile with five degrees of freedom.
    let expected = 10_000.0 / 6
    let chiSquare = counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    #expect(chiSquare < 20.5, "\(counts)")
  }

  @Test func `A sequence goes around`() {
    #expect(counts(of: .sequence, draws: 13).all == [0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0])
  }

  @Test func `Weights decide the frequencies, and unusable ones count as none`() {
    let counts = counts(of: .weighted([1, 3, 0, -2, .nan])).counts
    #expect(counts[2] == 0 && counts[3] == 0 && counts[4] == 0)
    // The last weight is missing and counts as 1.
    #expect(abs(counts[0] - 2_000) < 200 && abs(counts[1] - 6_000) < 200 && abs(counts[5] - 2_000) < 200)
    let even = self.counts(of: .weighted([0, 0, 0, 0, 0, -.infinity])).counts
    #expect(even.allSatisfy { abs($0 - 1_667) < 150 })
  }

  @Test func `Pitch and level are drawn evenly from their ranges`() {
    var random = RandomSequence(seed: 3)
    let draws = (0..<10_000).map { _ in random.number(in: -2...2) }
    #expect(draws.allSatisfy { (-2...2).contains($0) })
    let counts = (0..<8).map { part in draws.count { Int(min(($0 + 2) * 2, 7)) == part } }
    let chiSquare = counts.reduce(0) { $0 + (Double($1) - 1_250) * (Double($1) - 1_250) / 1_250 }
    #expect(chiSquare < 24.3, "\(counts)")
  }

  /// Three tones of 300, 600 and 1,200 Hz.
  private func tones(_ count: Int = 3) -> [PCMBuffer<Float>] {
    (0..<count).map { index in
      TestSignal.sine(frequency: Double(300 << index), duration: .milliseconds(100), format: Self.mono)
    }
  }

  /// The mix of 30 plays of a sound by different emitters.
  private func mix(_ sound: Sound, seed: UInt64?) throws -> [Float] {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    if let seed { world.seed = seed }
    return (0..<30).reduce(into: []) { mix, _ in
      world.playOnce(sound)
      mix += offline.render(.milliseconds(120)).samples
    }
  }

  @Test func `The same seed gives the same game, and another seed another one`() throws {
    var sound = Sound(anyOfSamples: tones())
    sound.pitchVariation = -1...1
    sound.levelVariation = -6...0
    #expect(try mix(sound, seed: nil) == mix(sound, seed: nil))
    #expect(try mix(sound, seed: 4) == mix(sound, seed: 4))
    #expect(try mix(sound, seed: 4) != mix(sound, seed: 5))
  }

  @Test func `A seed that is set again replays a world`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: Self.mono).context)
    var sound = Sound(anyOfSamples: tones())
    sound.pitchVariation = -12...12
    func game() -> [[Float]] {
      world.seed = 11
      return (0..<20).map { _ in
        let emitter = Emitter(playing: sound, in: world)
        emitter.play()
        return [Float(emitter.inspector.soundIndex), emitter.inspector.drawn.pitch]
      }
    }
    #expect(world.seed == 1)
    #expect(game() == game())
    #expect(world.seed == 11)
  }

  @Test func `Worlds that are not offline have seeds of their own`() throws {
    let context = try AudioContext(device: .silent)
    #expect(AudioWorld(in: context, voiceLimit: 1).seed != AudioWorld(in: context, voiceLimit: 1).seed)
  }

  @Test func `Plays choose in sequence whichever emitter plays, and copies share the history`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(anyOfSamples: tones())
    sound.choice = .sequence
    var copy = sound
    copy.silentBeyond = 90
    let emitters = [Emitter(playing: sound, in: world), Emitter(playing: copy, in: world)]
    for play in 0..<6 {
      emitters[play % 2].play()
      let mix = offline.render(.milliseconds(80))
      let levels = (0..<3).map { mix.level(at: Double(300 << $0)) }
      #expect(levels.firstIndex { $0 > -12 } == play % 3 && levels.count { $0 > -20 } == 1, "play \(play): \(levels)")
      offline.render(.milliseconds(60))
    }
  }

  @Test func `Refused plays take no turn of a sequence`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(anyOfSamples: tones())
    sound.choice = .sequence
    sound.limit = PlaybackLimit(1, whenReached: .refuse)
    for _ in 0..<3 { world.playOnce(sound) }
    offline.render(.milliseconds(150))
    world.playOnce(sound)
    #expect(offline.render(.milliseconds(80)).level(at: 600) > -12)
  }

  @Test func `The drawn level and pitch are in the mix and in the explanation`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono))
    sound.pitchVariation = 12...12
    sound.levelVariation = -12 ... -12
    let emitter = world.playOnce(sound)
    let level = offline.render(.milliseconds(400)).frames(4_800..<19_200).level(at: 800)
    // A sine of half the full scale.
    #expect(abs(level.rawValue + 9.03 + 12) < 0.1)
    let explanation = world.explain(emitter)
    #expect(explanation.factors.contains { $0.kind == .variation && abs($0.level.rawValue + 12) < 0.01 })
    // Twice the frequency: the second is over in half of one.
    offline.render(.milliseconds(150))
    #expect(!emitter.isPlaying)
  }

  @Test func `Infinite ends of ranges count as the largest ones`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: Self.mono).context)
    var sound = Sound(anyOfSamples: tones())
    sound.pitchVariation = -.infinity ... .infinity
    sound.levelVariation = .silence...Decibels(.infinity)
    let emitter = Emitter(playing: sound, in: world)
    for _ in 0..<200 {
      emitter.play()
      let (variation, bend) = emitter.inspector.drawn
      #expect((0.0624...16.01).contains(bend) && (1e-5...15.9).contains(variation))
    }
  }

  @Test func `An end of a range of levels that is no number counts as the other end`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: Self.mono).context)
    let none = Decibels(.nan)
    for (range, level) in [(none ... -12, -12), (-6...none, -6), (none...none, 0)] as [(ClosedRange<Decibels>, Float)] {
      var sound = Sound(tones()[0])
      sound.levelVariation = range
      let emitter = Emitter(playing: sound, in: world)
      emitter.play()
      #expect(abs(Decibels(factor: emitter.inspector.drawn.gain).rawValue - level) < 0.001)
    }
  }

  @Test func `A sound of no file is reported in words, and its emitters end`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let reports = Collected<String>()
    offline.context.onDiagnostic = { reports.append($0.message) }
    let world = AudioWorld(in: offline.context)
    for sound in [Sound(anyOf: []), Sound(anyOfSamples: [])] {
      let emitter = Emitter(playing: sound, in: world)
      let ends = Collected<EmitterEvent>()
      let token = emitter.observe { ends.append($0) }
      emitter.play()
      offline.render(.milliseconds(20))
      #expect(ends.all == [.ended(.failed)])
      withExtendedLifetime(token) {}
    }
    #expect(reports.all.count == 2 && reports.all.allSatisfy { $0.contains("empty") })
  }

  @Test func `A family leaves nothing behind in the world`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    for _ in 0..<200 {
      var sound = Sound(anyOfSamples: tones())
      sound.pitchVariation = -1...1
      world.playOnce(sound)
      offline.render(.milliseconds(20))
    }
    offline.render(.seconds(1))
    var sounds = world.inspector.state.playback.scene.sounds
    sounds.purge()
    #expect(sounds.entries.count { $0.loaded != nil } == 0)
    #expect(sounds.entries.count < 120)
  }
}
