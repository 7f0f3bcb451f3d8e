import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Worlds whose mixes are rendered in pieces of any length: the ticks and the ends of the pieces cut the mix anywhere.
@Suite struct ShortMixTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// A player, a placed and an unplaced emitter with a tone of 200 Hz each, on buses of both kinds.
  private final class Scene {
    var offline: OfflineRenderer
    let world: AudioWorld
    let buses: [Bus]
    let player: SoundPlayer
    let emitters: [Emitter]
    var random: SplitMix64
    var samples: [Float] = []

    init(seed: Int) throws {
      offline = try OfflineRenderer(format: ShortMixTests.mono)
      world = AudioWorld(in: offline.context)
      buses = [world.mixer.makeBus("music", kind: .direct), world.mixer.makeBus("voices")]
      random = SplitMix64(seed: UInt64(seed))
      let tone = Sound(
        TestSignal.sine(frequency: 200, duration: .seconds(4), format: ShortMixTests.mono, amplitude: 0.25)
      )
      player = try SoundPlayer(playing: tone, in: world, on: buses[0])
      emitters = [Emitter(playing: tone, in: world, on: buses[1]), Emitter(playing: tone, in: world, on: buses[1])]
      emitters[0].position = [0, 0, -2]
      player.play()
      for emitter in emitters { emitter.play() }
    }

    /// Renders frames in pieces of random lengths up to a limit.
    func render(_ frames: Int, upTo limit: Int) {
      var left = frames
      while left > 0 {
        let length = min(Int.random(in: 1...limit, using: &random), left)
        samples += offline.render(frameCount: length).samples
        left -= length
      }
    }

    /// Renders up to a few frames ahead of a tick, or behind it.
    func renderNearTick() {
      let offset = Int.random(in: -8...8, using: &random)
      let next = (samples.count / WorldInspector.tick + 2) * WorldInspector.tick + offset
      render(next - samples.count, upTo: 512)
    }

    func change() {
      let (emitter, bus) = (emitters.randomElement(using: &random) ?? emitters[0], buses.randomElement(using: &random))
      let fade = Fade(.milliseconds(Int.random(in: 10...60, using: &random)), .linear)
      switch Int.random(in: 0..<14, using: &random) {
      case 0: player.pause()
      case 1: player.play()
      case 2: player.stop()
      case 3: player.playbackTime = .milliseconds(Int.random(in: 1...1_000, using: &random))
      case 4: player.fade(to: Gain(.random(in: 0...1, using: &random)), fade)
      case 5: player.volume = Gain(.random(in: 0...1, using: &random))
      case 6: emitter.stop(fade)
      case 7: if !emitter.isPlaying || emitter.isPaused { emitter.play() }
      case 8: emitter.pause(fade)
      case 9: emitter.gain = Gain(.random(in: 0.1...1, using: &random))
      case 10: bus?.fade(to: Gain(.random(in: 0.1...1, using: &random)), fade)
      case 11: bus?.pause(fade)
      case 12: bus?.resume(fade)
      default: bus?.isMuted.toggle()
      }
    }
  }

  @Test(arguments: 1...24)
  func `Random changes do not click in pieces of any length`(seed: Int) throws {
    let scene = try Scene(seed: seed)
    scene.render(4_800, upTo: 1_024)
    let limit = [1, 3, 16, 64][seed % 4]
    for _ in 0..<16 {
      scene.renderNearTick()
      scene.change()
      scene.render(limit < 8 ? 24 : 128, upTo: limit)
      if Bool.random(using: &scene.random) { scene.render(2_000, upTo: 1_024) }
    }
    let clicks = try PCMBuffer(samples: scene.samples, format: Self.mono).clicks(highestFrequency: 1_000)
    #expect(clicks.isEmpty, "pieces of up to \(limit) frames")
  }

  @Test(arguments: ["pause", "stop", "seek", "fade", "end"], [1, 2, 4, 8, 16, 63])
  func `A change a few frames ahead of a tick does not click`(change: String, frames: Int) throws {
    let scene = try Scene(seed: 1)
    for emitter in scene.emitters { emitter.stop() }
    scene.render(20 * 512 - frames, upTo: 1_024)
    switch change {
    case "pause": scene.player.pause()
    case "stop": scene.player.stop()
    case "seek": scene.player.playbackTime = .milliseconds(701)
    default: scene.player.fade(to: 0, Fade(.milliseconds(20), .linear))
    }
    for _ in 0..<8 {
      // A piece ends behind a tick.
      if change == "end" { scene.render(2 * frames, upTo: 2 * frames) }
      scene.render(512 - (change == "end" ? 2 * frames : 0), upTo: 512)
    }
    let clicks = try PCMBuffer(samples: scene.samples, format: Self.mono).clicks(highestFrequency: 1_000)
    #expect(clicks.isEmpty)
  }

  @Test(arguments: [1, 2, 3, 5, 13, 31, 62, 63])
  func `A mute a few frames ahead of the end of a reverb's crossfade does not click`(frames: Int) throws {
    // OpenAL Soft 1.19 crossfades over the 128 frames after a reverb was made, and ends a mix with the crossfade.
    let scene = try Scene(seed: 1)
    scene.render(20 * 512 - 128 + frames, upTo: 1_024)
    let unit = try EffectUnit(.reverb(Reverb(.largeHall)), in: scene.offline.context)
    for bus in scene.buses { bus.isMuted = true }
    scene.samples += scene.offline.render(frameCount: 2_000).samples
    let clicks = try PCMBuffer(samples: scene.samples, format: Self.mono).clicks(highestFrequency: 1_000)
    #expect(clicks.isEmpty)
    withExtendedLifetime(unit) {}
  }

  @Test func `A pause is at the same frame in pieces of any length`() throws {
    let positions = try [1, 7, 64, 1_024].map { limit in
      let scene = try Scene(seed: 1)
      scene.render(5_000, upTo: limit)
      scene.player.pause()
      scene.render(3_000, upTo: limit)
      return scene.player.playbackTime
    }
    #expect(Set(positions).count == 1)
  }
}
