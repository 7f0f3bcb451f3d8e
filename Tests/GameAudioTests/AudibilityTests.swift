import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The loudness of emitters, its bounds, and the voices that follow from it.
@Suite struct AudibilityTests {
  /// Gives an emitter random settings.
  private func scatter(_ emitter: Emitter, using random: inout SplitMix64) {
    func coordinate() -> Float { .random(in: -60...60, using: &random) }
    emitter.position = [coordinate(), coordinate(), coordinate()]
    emitter.gain = .decibels(Decibels(.random(in: -40...6, using: &random)))
    emitter.priority = Priority(Int.random(in: 0..<100, using: &random))
    if Bool.random(using: &random) {
      emitter.direction = [coordinate(), coordinate(), coordinate() + 0.5]
      emitter.cone = Cone(innerAngle: 60, outerAngle: 200, outerGain: Gain(.random(in: 0...1, using: &random)))
    }
    emitter.occlusion = Bool.random(using: &random) ? 0 : Decibels(.random(in: -80...0, using: &random))
    emitter.obstruction = Bool.random(using: &random) ? 0 : Decibels(.random(in: -80...0, using: &random))
  }

  /// Sounds with all laws of distance, some of them with silences.
  private func sounds(using random: inout SplitMix64) -> [Sound] {
    DistanceModel.allCases.map { model in
      var tone = TestSignal.sine(frequency: 300, duration: .seconds(2), format: .mono(sampleRate: 8_000))
      if Bool.random(using: &random) {
        tone = TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 8_000))
      }
      var sound = Sound(tone).withRandomLaw(model, using: &random)
      if Int.random(in: 0..<3, using: &random) == 0 {
        sound.rolloffCurve = RolloffCurve(
          (0..<4).map { _ in
            .init(.random(in: 0...70, using: &random), Decibels(.random(in: -70...3, using: &random)))
          }
        )
      }
      sound.levelVariation = -9...3
      return sound
    }
  }

  @Test func `In 1,000 random scenes the emitters with a voice are the first of a full sort`() throws {
    var random = SplitMix64(seed: 203)
    var offline = try OfflineRenderer(format: .mono(sampleRate: 11_025))
    for round in 0..<25 {
      let world = AudioWorld(in: offline.context, voiceLimit: Int.random(in: 1...12, using: &random))
      let sounds = sounds(using: &random)
      // Three worlds have more candidates than one choice scores exactly at first.
      let emitters = (0..<(round.isMultiple(of: 12) ? 700 : 60)).map { _ in
        Emitter(playing: sounds.randomElement(using: &random) ?? sounds[0], in: world)
      }
      for emitter in emitters { emitter.repeats = .forever }
      for scene in 0..<40 {
        for emitter in emitters { scatter(emitter, using: &random) }
        world.listener.gain = Gain(.random(in: 0.05...2, using: &random))
        if scene == 0 { for emitter in emitters { emitter.play() } }
        // Emitters keep a new voice for 100 ms, and a choice displaces eight.
        offline.render(frameCount: 5_120)
        let state = world.inspector.state
        #expect(state.chosenSlots == state.slotsOfFullSort, "world \(round), scene \(scene)")
      }
    }
  }

  @Test func `No score exceeds its bound`() throws {
    var random = SplitMix64(seed: 204)
    var offline = try OfflineRenderer(format: .mono(sampleRate: 11_025))
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let sounds = sounds(using: &random)
    let emitters = (0..<200).map { _ in Emitter(playing: sounds.randomElement(using: &random) ?? sounds[0], in: world) }
    for emitter in emitters { emitter.play() }
    for _ in 0..<50 {
      for emitter in emitters { scatter(emitter, using: &random) }
      // Very near emitters too: the unclamped laws exceed 1 there.
      for emitter in emitters.prefix(40) { emitter.position = [.random(in: -2...2, using: &random), 0, 0] }
      world.listener.position = [.random(in: -3...3, using: &random), 0, 0]
      offline.render(frameCount: 512)
      let state = world.inspector.state
      var bounds: [Float] = []
      state.playback.scene.emitters.columns.computeBounds(
        listener: state.playback.scene.space.listeners.first.position,
        buses: state.playback.scene.mixer.buses.bounds,
        into: &bounds
      )
      let slots = state.playback.scene.emitters.indices.filter {
        state.playback.scene.emitters[$0].voice == nil && state.playback.scene.emitters[$0].status == .playing
      }
      let ratios = slots.map { slot in
        state.playback.scene.audibility(of: slot).audible * state.playback.scene.emitters[slot].priority.factor
          / max(bounds[slot.position], 1e-30)
      }
      #expect(ratios.allSatisfy { $0 <= 1.0001 })
    }
  }

  @Test func `In 200 random dry scenes the explanation's level is that of the mix`() throws {
    var random = SplitMix64(seed: 205)
    for _ in 0..<200 {
      var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      let world = AudioWorld(in: offline.context, voiceLimit: 4)
      var sound = Sound(
        TestSignal.sine(
          frequency: 400,
          duration: .seconds(2),
          format: .mono(sampleRate: 48_000),
          amplitude: .random(in: 0.05...1, using: &random)
        )
      )
      sound.attenuation.rolloffFactor = .random(in: 0...1.5, using: &random)
      if Bool.random(using: &random) { sound.silentBeyond = 60 }
      let bus = world.mixer.makeBus("things")
      bus.gain = .decibels(Decibels(.random(in: -20...0, using: &random)))
      let emitter = Emitter(playing: sound, in: world, on: bus)
      emitter.position = [0, 0, .random(in: -50 ... -0.5, using: &random)]
      emitter.gain = .decibels(Decibels(.random(in: -20...0, using: &random)))
      emitter.direction = [0, 0, .random(in: -1...1, using: &random)]
      emitter.cone = Cone(innerAngle: 90, outerAngle: 270, outerGain: Gain(.random(in: 0.1...1, using: &random)))
      world.listener.gain = Gain(.random(in: 0.2...1, using: &random))
      emitter.play()
      offline.render(.milliseconds(200))
      let explanation = world.explain(emitter)
      let rendered = offline.render(.milliseconds(200)).level
      if explanation.verdict == .hasVoice {
        #expect(abs((explanation.level - rendered).rawValue) < 0.5, "\(explanation)")
      } else {
        #expect(rendered == .silence && explanation.level < -80, "\(explanation)")
      }
      let sum = explanation.factors.reduce(Decibels.zero) { $0 + $1.level }
      #expect(abs((sum - explanation.level).rawValue) < 0.001)
    }
  }

  @Test func `A sound has no voice in its silent part, and has one again before it is loud`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(1), format: .mono(sampleRate: 48_000)).samples
    let parts = tone + [Float](repeating: 0, count: 96_000) + tone
    let emitter = Emitter(playing: Sound(try PCMBuffer(samples: parts, format: .mono(sampleRate: 48_000))), in: world)
    emitter.play()
    var mix = offline.render(.milliseconds(500)).samples
    #expect(!emitter.isVirtual)
    mix += offline.render(.milliseconds(1_000)).samples
    #expect(emitter.isVirtual && emitter.isPlaying)
    mix += offline.render(.milliseconds(1_400)).samples
    #expect(!emitter.isVirtual)
    mix += offline.render(.milliseconds(2_000)).samples
    #expect(!emitter.isPlaying)
    let difference = zip(mix, parts).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 0.01)
  }
}

extension WorldState {
  fileprivate var chosenSlots: Set<EmitterSlot> { Set(playback.voices.all.filter(\.isTaken).compactMap(\.slot)) }

  /// The slots of the emitters that a sort of all scores puts first.
  fileprivate var slotsOfFullSort: Set<EmitterSlot> {
    let candidates: [VoiceChoice.Candidate] = playback.scene.emitters.indices.compactMap { slot in
      let record = playback.scene.emitters[slot]
      guard record.isUsed, record.status == .playing else { return nil }
      let audible = playback.scene.audibility(of: slot).audible
      let isReal = record.voice != nil
      let threshold = isReal || !record.hasSounded ? Audibility.threshold : Audibility.thresholdOfReturn
      guard audible >= threshold else { return nil }
      let score = audible * record.priority.factor * (isReal ? Audibility.hysteresis : 1)
      return VoiceChoice.Candidate(slot: slot, score: score, order: Int(record.order))
    }
    return Set(candidates.sorted { $0.comes(before: $1) }.prefix(playback.voices.limit).map(\.slot))
  }
}
