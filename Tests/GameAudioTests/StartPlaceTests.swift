import GameAudio
import Spatial3DTesting
import Testing

/// Emitters and players that begin inside of their sounds, also at the first frames.
@Suite struct StartPlaceTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  @Test(arguments: [0, 1, 2, 700], [nil, 0, 1, 3_000])
  func `A sound begins at its frame, at once and at a moment`(frame: Int, delay: Int?) throws {
    let noise = TestSignal.noise(duration: .seconds(1), format: Self.mono)
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    offline.render(frameCount: 300)
    let emitter = Emitter(playing: Sound(noise), in: world)
    emitter.playbackTime = Self.mono.duration(ofFrames: frame)
    if let delay {
      emitter.play(at: offline.context.clock + Self.mono.duration(ofFrames: delay))
    } else {
      emitter.play()
    }
    let mix = offline.render(frameCount: 8_000)
    let begin = delay ?? 0
    #expect(mix.frames(0..<begin).samples.allSatisfy { $0 == 0 })
    // A beginning inside of a sound fades in.
    let expected = noise.frames(frame + 1_000..<frame + 4_000).samples
    #expect(largestDifference(mix.frames(begin + 1_000..<begin + 4_000).samples, expected) < 1e-4)
  }

  @Test(arguments: [0, 1, 2, 700])
  func `A player that is prepared begins at its frame`(frame: Int) async throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let noise = try PlayerFixture.noise(48_000, PlayerFixture.mono)
    let player = try SoundPlayer(playing: Sound(noise), in: fixture.world)
    player.pan = -1
    player.playbackTime = Self.mono.duration(ofFrames: frame)
    player.play()
    let mix = fixture.offline.render(frameCount: 4_000)
    let scale = mix.samples[2_000] / noise.samples[frame + 2_000]
    let expected = noise.frames(frame + 1_000..<frame + 4_000).samples.map { $0 * scale }
    #expect(scale > 0.1 && largestDifference(mix.frames(1_000..<4_000).samples, expected) < 1e-4)
  }
}
