import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The number of streams that play at a time.
@Suite struct StreamLimitTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// A stream of ten seconds of one level.
  private struct Level: PCMReader, Sendable {
    var next = 0
    var format: PCMFormat { StreamLimitTests.mono }
    var frameCount: Int? { 480_000 }

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      buffer.removeAll(adopting: format)
      let count = min(maxFrames, 480_000 - next)
      buffer.append(frames: count) { span in for _ in 0..<count { span.append(0.1) } }
      next += count
      return count
    }

    mutating func seek(toFrame frame: Int) { next = frame }
  }

  private static let stream = Sound(streaming: "level") { Level() }

  private struct Scene: ~Copyable {
    var offline: OfflineRenderer
    let world: AudioWorld

    init(voices: Int = 64) throws {
      offline = try OfflineRenderer(format: StreamLimitTests.mono)
      world = AudioWorld(in: offline.context, voiceLimit: voices)
    }

    /// Plays emitters, each a metre farther away than the emitter before.
    func play(_ sound: Sound, _ count: Int, from distance: Int = 1) -> [Emitter] {
      (0..<count).map { index in
        let emitter = Emitter(playing: sound, in: world)
        emitter.position = [0, 0, -Float(distance + index)]
        emitter.play()
        return emitter
      }
    }
  }

  private func real(_ emitters: [Emitter]) -> [Int] { emitters.indices.filter { !emitters[$0].isVirtual } }

  @Test func `A stream that fades out at the limit displaces no sound in memory`() throws {
    var scene = try Scene(voices: 18)
    let streams = scene.play(StreamLimitTests.stream, 20)
    let memory = Sound(TestSignal.noise(duration: .seconds(10), format: StreamLimitTests.mono))
    let quiet = scene.play(memory, 2, from: 800)
    scene.offline.render(.milliseconds(200))
    #expect(real(quiet) == [0, 1])
    streams[0].stop(Fade(.seconds(3)))
    scene.offline.render(.milliseconds(300))
    #expect(real(quiet) == [0, 1])
  }

  @Test func `At most sixteen streams play, and the others compete for their places`() throws {
    var scene = try Scene()
    let emitters = scene.play(StreamLimitTests.stream, 40)
    scene.offline.render(.milliseconds(200))
    #expect(scene.world.streamLimit == 16)
    #expect(real(emitters) == Array(0..<16))
    guard case .silent(.outranked(let level)) = scene.world.explain(emitters[16]).verdict else {
      Issue.record("The seventeenth stream is not outranked.")
      return
    }
    #expect((0...3).contains(level.rawValue))
    emitters[30].gain = .decibels(24)
    scene.offline.render(.milliseconds(200))
    #expect(real(emitters) == Array(0..<15) + [30])
    emitters[3].stop()
    scene.offline.render(.milliseconds(200))
    #expect(real(emitters.filter(\.isPlaying)).count == 16)
    #expect(!emitters[15].isVirtual)
  }

  @Test func `A lower limit takes places away, and a higher one gives them`() throws {
    var scene = try Scene()
    let emitters = scene.play(StreamLimitTests.stream, 20)
    for (limit, expected) in [(3, 3), (0, 0), (-1, 0), (30, 20)] {
      scene.world.streamLimit = limit
      scene.offline.render(.milliseconds(300))
      #expect(real(emitters) == Array(0..<expected))
    }
  }

  @Test func `Quieter sounds in memory have the voices that louder streams must not use`() throws {
    var scene = try Scene(voices: 24)
    let streams = scene.play(StreamLimitTests.stream, 700)
    let sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(5), format: Self.mono))
    let others = scene.play(sound, 20, from: 800)
    scene.offline.render(.milliseconds(300))
    #expect(real(streams) == Array(0..<16))
    #expect(real(others) == Array(0..<8))
  }

  @Test func `A player has its place before emitters that stream`() throws {
    var scene = try Scene()
    let emitters = scene.play(StreamLimitTests.stream, 20)
    scene.offline.render(.milliseconds(200))
    let player = try SoundPlayer(
      playing: Sound(TestSignal.sine(frequency: 400, duration: .seconds(2), format: Self.mono)),
      in: scene.world
    )
    player.play()
    scene.offline.render(.milliseconds(200))
    #expect(player.inspector.voice != nil)
    #expect(real(emitters) == Array(0..<15))
    player.stop()
    scene.offline.render(.milliseconds(200))
    #expect(real(emitters) == Array(0..<16))
  }
}
