import Spatial3DTesting
import Testing

@testable import GameAudio

/// The frames of heads, and the choice of a listener.
@Suite struct ListenerChoiceTests {
  @Test func `A place keeps its distance and its sides around another head`() {
    var random = RandomSequence(seed: 21)
    func vector(_ range: ClosedRange<Float>) -> SIMD3<Float> { .random(in: range, using: &random) }
    for _ in 0..<3_000 {
      let heads = (0..<2).map { _ in
        Listener(position: vector(-90...90), orientation: Orientation(forward: vector(-1...1), up: vector(-1...1)))
      }
      let place = heads[0].position + vector(-20...20)
      let moved = HeadFrame(heads[0]).position(place, around: HeadFrame(heads[1]))
      let (way, other) = (place - heads[0].position, moved - heads[1].position)
      #expect(abs(way.length - other.length) < 1e-3)
      for (first, second) in [
        (heads[0].orientation.right, heads[1].orientation.right), (heads[0].orientation.up, heads[1].orientation.up),
        (heads[0].orientation.forward, heads[1].orientation.forward),
      ] {
        #expect(abs((way * first).sum() - (other * second).sum()) < 1e-3)
      }
    }
  }

  @Test func `The loudest listener owns an emitter, and another one from 1.5 dB on`() {
    var random = RandomSequence(seed: 22)
    for _ in 0..<3_000 {
      var scores = InlineArray<4, Float>(repeating: 0)
      for index in 0..<4 { scores[index] = .random(in: 0...1, using: &random) }
      let count = Int.random(in: 1...4, using: &random)
      let current = Int.random(in: 0...3, using: &random)
      let owner = ListenerChoice.listener(scores, count: count, current: ListenerIndex(current)).position
      #expect(owner < count)
      for index in 0..<count { #expect(scores[index] <= scores[owner] * ListenerChoice.hysteresis) }
      if current < count, owner != current { #expect(scores[owner] > scores[current] * ListenerChoice.hysteresis) }
      #expect(ListenerChoice.listener(scores, count: count, current: ListenerIndex(owner)).position == owner)
    }
  }
}

/// A split screen in a mix.
@Suite struct SplitScreenTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let heads = [
    Listener(position: [3, 0, 1], orientation: Orientation(forward: [0, 0, -1], up: [0, 1, 0])),
    Listener(position: [400, 5, 0], orientation: Orientation(forward: [1, 0, 0.4], up: [0, 1, 0]), gain: 0.5),
    Listener(position: [0, 0, 900], orientation: Orientation(forward: [0, 1, 0], up: [1, 0, 0]), gain: 2),
  ]

  private static func tone(_ frequency: Double) -> Sound {
    Sound(TestSignal.sine(frequency: frequency, duration: .seconds(1), format: mono, amplitude: 0.1))
  }

  /// The levels of three tones, one near each listener, in each channel.
  private static func levels(_ listeners: [Listener], velocity: SIMD3<Float> = .zero) throws -> [[Decibels]] {
    var offline = try OfflineRenderer(format: stereo)
    let world = AudioWorld(in: offline.context)
    world.listeners = listeners
    let emitters = heads.indices.map { index in
      let emitter = Emitter(playing: tone(500 + 300 * Double(index)), in: world)
      emitter.position = heads[index].position + [2, 0.5, -1]
      emitter.direction = [0, 0, 1]
      emitter.cone = Cone(innerAngle: 60, outerAngle: 200, outerGain: 0.2)
      emitter.repeats = .forever
      emitter.play()
      return emitter
    }
    offline.render(.milliseconds(200))
    let mix = offline.render(.seconds(1))
    withExtendedLifetime(emitters) {}
    return heads.indices.map { index in
      (0..<2).map { channel in
        let samples = stride(from: channel, to: mix.samples.count, by: 2).map { mix.samples[$0] }
        let part = try? PCMBuffer(samples: samples, format: mono)
        return part?.level(at: 500 + 300 * Double(index)) ?? .silence
      }
    }
  }

  @Test func `Each listener has the levels of a world in which it is alone`() throws {
    let together = try Self.levels(Self.heads)
    for index in Self.heads.indices {
      #expect((together[index].max() ?? .silence) > -50)
      let alone = try Self.levels([Self.heads[index]])
      for channel in 0..<2 {
        let difference = together[index][channel] - alone[index][channel]
        #expect(abs(difference.rawValue) < 0.2, "listener \(index), channel \(channel): \(difference)")
      }
    }
  }

  @Test func `The Doppler effect is that of the emitter's own listener`() throws {
    func frequency(_ listeners: [Listener]) throws -> Double {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      world.listeners = listeners
      let emitter = Emitter(playing: Self.tone(1_000), in: world)
      (emitter.position, emitter.velocity, emitter.repeats) = ([300, 0, 0], [0, 0, 10], .forever)
      emitter.play()
      offline.render(.milliseconds(100))
      return Double(emitter.inspector.shift)
    }
    let moving = Listener(
      position: [300, 0, 40],
      velocity: [0, 0, -30],
      orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0])
    )
    let first = Listener(velocity: [50, 0, 0])
    let alone = try frequency([moving])
    #expect(alone > 1.08)
    #expect(abs(try frequency([first, moving]) - alone) < 1e-4)
  }

  @Test func `An emitter that moves from one listener to the other makes no click`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.listeners = [
      Listener(), Listener(position: [40, 0, 0], orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0])),
    ]
    let emitter = Emitter(playing: Self.tone(440), in: world)
    emitter.repeats = .forever
    emitter.play()
    var owners: Set<Int> = []
    var mix = PCMBuffer<Float>(format: Self.stereo)
    for frame in 0..<120 {
      emitter.position = [2 + Float(frame) * 0.3, 0, -2]
      mix = try PCMBuffer(samples: mix.samples + offline.render(frameCount: 1_024).samples, format: Self.stereo)
      owners.insert(emitter.inspector.owner)
    }
    #expect(owners == [0, 1])
    #expect(mix.clicks(highestFrequency: 440).isEmpty)
  }

  @Test func `A snapshot leaves out a listener that was removed`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.listeners = [Listener(), Listener(position: [40, 0, 0])]
    let emitter = Emitter(playing: Self.tone(440), in: world)
    (emitter.position, emitter.repeats) = ([41, 0, 0], .forever)
    emitter.play()
    offline.render(frameCount: 1_024)
    #expect(world.snapshot().emitters[0].listener == 1)
    world.listeners.removeLast()
    #expect(world.snapshot().emitters[0].listener == nil)
  }

  @Test func `No more than four listeners count, and an empty list and broken parts change nothing`() throws {
    let offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.listeners = (0..<6).map { Listener(position: [Float($0), 0, 0]) }
    #expect(world.listeners.map(\.position.x) == [0, 1, 2, 3])
    world.listeners = []
    #expect(world.listeners.count == 4)
    world.listeners = [Listener(position: [9, 0, 0]), Listener(position: [.nan, 0, 0], gain: Gain(.infinity))]
    #expect(world.listeners.map(\.position.x) == [9, 1] && world.listeners.map(\.gain) == [1, 1])
    #expect(world.listener.position.x == 9)
  }
}
