import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The Doppler effect of emitters without a voice: their positions in the sound follow it.
@Suite struct VirtualDopplerTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func emitter(in world: AudioWorld, at x: Float, _ priority: Priority = .normal) -> Emitter {
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(1), format: mono, amplitude: 0.1)
    let emitter = Emitter(playing: Sound(tone), in: world)
    (emitter.position, emitter.repeats, emitter.priority) = ([x, 0, 0], .forever, priority)
    emitter.play()
    return emitter
  }

  private static func shift(_ emitter: Emitter) -> Float { emitter.inspector.shift }

  @Test(arguments: [1, 14, 15, 16, 31, 32, 70])
  func `Each emitter without a voice has its shift within a third of a second`(count: Int) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let loud = Self.emitter(in: world, at: 0.5, .mustBeHeard)
    let others = (0..<count).map { Self.emitter(in: world, at: 20 + Float($0)) }
    offline.render(.milliseconds(100))
    #expect(others.allSatisfy { $0.isVirtual } && !loud.isVirtual)
    for emitter in others { emitter.velocity = [-34.33, 0, 0] }
    offline.render(frameCount: 2 * 512 * 17)
    for (index, emitter) in others.enumerated() {
      #expect(abs(Self.shift(emitter) - 1.111) < 0.002, "emitter \(index): \(Self.shift(emitter))")
    }
    let before = others.map(\.playbackTime)
    offline.render(.milliseconds(90))
    for (emitter, time) in zip(others, before) {
      var moved = emitter.playbackTime - time
      if moved < .zero { moved += .seconds(1) }
      #expect(abs(moved / .milliseconds(100) - 1) < 0.01)
    }
    for emitter in others { emitter.velocity = .zero }
    offline.render(frameCount: 2 * 512 * 17)
    #expect(others.allSatisfy { Self.shift($0) == 1 } && Self.shift(loud) == 1)
  }

  @Test(arguments: 0..<4)
  func `A listener in motion shifts the emitters near it, whichever it is`(mover: Int) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    var listeners = (0..<4).map { Listener(position: [Float($0) * 500, 0, 0]) }
    world.listeners = listeners
    let others = (0..<4).map { Self.emitter(in: world, at: Float($0) * 500 + 10) }
    offline.render(.milliseconds(100))
    // Without a voice, each keeps the listener that it has had.
    world.mixer.main.gain = .silence
    offline.render(.milliseconds(100))
    #expect(others.allSatisfy { $0.isVirtual })
    listeners[mover].velocity = [34.33, 0, 0]
    world.listeners = listeners
    offline.render(.milliseconds(400))
    for (index, emitter) in others.enumerated() {
      let expected: Float = index == mover ? 1.1 : 1
      #expect(abs(Self.shift(emitter) - expected) < 0.002, "emitter \(index): \(Self.shift(emitter))")
    }
  }

  @Test func `The derived velocity of an emitter without a voice is that of its moves`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let loud = Self.emitter(in: world, at: 0.5, .mustBeHeard)
    let other = Self.emitter(in: world, at: 60)
    other.derivesVelocity = true
    for step in 0..<90 {
      other.position = [60 - 0.32 * Float(step), 0, 0]
      offline.render(frameCount: 512)
    }
    // 0.32 m in 10.7 ms.
    let velocity = other.velocity.x
    #expect(abs(velocity + 30) < 0.2, "\(velocity)")
    #expect(abs(Self.shift(other) - 343.3 / (343.3 - 30)) < 0.003, "\(Self.shift(other))")
    #expect(!loud.isVirtual && other.isVirtual)
  }
}
