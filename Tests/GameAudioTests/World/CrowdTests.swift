import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The loudness of copies that begin together, compared with a list of all beginnings.
@Suite struct CrowdTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// The beginnings of two sounds: each lowers the beginnings of its sound in the 50 ms before it.
  private struct Model {
    struct Beginning {
      let frame: Int
      let emitter: Int
      let sound: Int
    }

    var beginnings: [Beginning] = []
    var planned: [Beginning] = []
    var isLarger = false
    var crowds: [Int: Float] = [:]

    private func crowd(of sound: Int) -> Float { 1 / Float(beginnings.count { $0.sound == sound }).squareRoot() }

    private mutating func forget(before frame: Int) { beginnings.removeAll { $0.frame < frame } }

    private mutating func join(_ beginning: Beginning, at now: Int) {
      forget(before: now - 2_400)
      beginnings.append(beginning)
      crowds[beginning.emitter] = crowd(of: beginning.sound)
      isLarger = true
    }

    mutating func play(_ beginning: Beginning, now: Int) {
      crowds[beginning.emitter] = 1
      if beginning.frame > now + 512 { planned.append(beginning) } else { join(beginning, at: now) }
    }

    mutating func tick(at now: Int) {
      let due = planned.filter { $0.frame <= now + 512 }
      planned.removeAll { $0.frame <= now + 512 }
      for one in due { join(one, at: now) }
      if isLarger {
        for one in beginnings { crowds[one.emitter] = min(crowds[one.emitter] ?? 1, crowd(of: one.sound)) }
        isLarger = false
      }
      forget(before: now - 2_400)
    }
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func `Each copy is as loud as the beginnings of the 50 ms around it leave`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    var model = Model()
    let sounds = (0..<2).map { _ in
      var sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: Self.mono))
      sound.loudnessOfMany = .compensated
      return sound
    }
    var emitters: [Emitter] = []
    var frame = 0
    var lowest: Float = 1
    for _ in 0..<120 {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let kind = Int.random(in: 0...1, using: &random)
        let emitter = Emitter(playing: sounds[kind], in: world)
        emitters.append(emitter)
        let delay = Int.random(in: 0..<3, using: &random) == 0 ? Int.random(in: 0...5_000, using: &random) : 0
        if delay > 0 {
          emitter.play(at: Self.mono.duration(ofFrames: frame + delay))
        } else {
          emitter.play()
        }
        model.play(Model.Beginning(frame: frame + delay, emitter: emitters.count - 1, sound: kind), now: frame)
      }
      let frames = Int.random(in: 1...1_500, using: &random)
      offline.render(frameCount: frames)
      for tick in stride(from: (frame + 511) / 512 * 512, to: frame + frames, by: 512) {
        model.tick(at: tick)
      }
      frame += frames
      let copyGains = world.inspector.copyGains
      for (emitter, crowd) in model.crowds {
        // Each emitter has the slot of its number.
        #expect(abs(copyGains[emitter] - crowd) < 1e-6, "emitter \(emitter) at \(frame)")
        lowest = min(lowest, crowd)
      }
      #expect(world.inspector.beginningCount == model.beginnings.count)
    }
    #expect(lowest < 0.5)
  }

  @Test func `A copy that is stopped before its start counts for nobody`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: Self.mono))
    sound.loudnessOfMany = .compensated
    let emitters = (0..<3).map { _ in Emitter(playing: sound, in: world) }
    let start = offline.context.clock + Self.mono.duration(ofFrames: 4_800)
    for emitter in emitters { emitter.play(at: start) }
    emitters[0].stop(.none)
    emitters[1].play(at: start + .seconds(1))
    offline.render(frameCount: 9_600)
    #expect(world.inspector.copyGains == [1, 1, 1])
    #expect(world.inspector.plannedBeginningCount == 1)
    // A sound whose copies add up has no list.
    let added = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: Self.mono))
    let others = (0..<3).map { _ in Emitter(playing: added, in: world) }
    for emitter in others { emitter.play() }
    #expect(world.inspector.beginningCount == 0 && world.inspector.copyGains.allSatisfy { $0 == 1 })
  }
}
