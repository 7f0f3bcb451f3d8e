import AudioSupport
import PCM
import SignalProcessing
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Inserts, the fader and the last stages of the main bus, in offline mixes.
@Suite struct StripMixTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(3), format: .mono(sampleRate: 48_000)))

  /// The mix of a scene of moving and unmoving sounds, after some settings.
  private static func mix(
    lengths: [Int] = [512],
    frames: Int = 48_000,
    _ prepare: (AudioWorld) -> Void = { _ in }
  ) throws -> [Float] {
    var offline = try OfflineRenderer(format: stereo)
    let world = AudioWorld(in: offline.context)
    let inner = world.mixer.makeBus("inner")
    inner.gain = 0.5
    prepare(world)
    world.playOnce(noise, at: [1, 0, -1], on: inner)
    world.playOnce(noise, gain: 0.25)
    var (samples, index) = ([Float](), 0)
    while samples.count < 2 * frames {
      samples += offline.render(frameCount: lengths[index % lengths.count]).samples
      index += 1
    }
    return Array(samples.prefix(2 * frames))
  }

  /// A mix that has passed a chain of its own.
  private static func processed(_ mix: [Float], by inserts: [Insert]) -> [Float] {
    var chain = ProcessorChain(inserts.compactMap { $0.step() }, format: stereo)
    var result = mix
    var span = result.mutableSpan
    chain.process(&span, at: 0)
    return result
  }

  private static let inserts: [Insert] = [
    .highPass(90), .compressor(threshold: -30, ratio: 4), .delay(.milliseconds(100)), .chorus(), .distortion(mix: 0.2),
  ]

  @Test func `A world without settings returns the mix of the library`() throws {
    let plain = try Self.mix()
    let empty = try Self.mix { world in
      world.mixer.main.inserts = []
      world.mixer.limiter = nil
      _ = world.mixer.main.meter()
    }
    #expect(empty == plain && plain.contains { $0 != 0 })
  }

  @Test func `The main bus has its inserts from the first frame on, to the bit`() throws {
    let plain = try Self.mix()
    let mix = try Self.mix { $0.mixer.main.inserts = Self.inserts }
    #expect(mix == Self.processed(plain, by: Self.inserts))
  }

  @Test func `The limiter comes behind the inserts and the loudness target`() throws {
    let plain = try Self.mix()
    let mix = try Self.mix { world in
      world.mixer.main.inserts = [.width(0.5)]
      world.mixer.limiter = Insert.Limiter(ceiling: -20)
      world.mixer.loudnessTarget = Insert.Leveler(target: -20)
    }
    #expect(mix == Self.processed(plain, by: [.width(0.5), .leveler(target: -20), .limiter(ceiling: -20)]))
    #expect(mix.allSatisfy { abs($0) <= Decibels(-20).factor + 1e-6 })
    #expect(plain.contains { abs($0) > Decibels(-14).factor })
  }

  @Test(arguments: [[512], [441, 37, 1_024], [128], [48_000], [1]])
  func `A cut into pieces changes no bit of what the strip does`(lengths: [Int]) throws {
    let frames = lengths == [1] ? 4_000 : 48_000
    // The library itself ramps gains over its mixes: the first sounds of the scene have no ramp.
    let plain = try Self.mix(lengths: lengths, frames: frames)
    let mix = try Self.mix(lengths: lengths, frames: frames) { world in
      world.mixer.main.inserts = Self.inserts
      world.mixer.limiter = Insert.Limiter()
    }
    #expect(mix == Self.processed(plain, by: Self.inserts + [.limiter()]))
  }

  @Test func `The gain of the main bus comes behind its inserts`() throws {
    let inserts: [Insert] = [.compressor(threshold: -40, ratio: 8)]
    let loud = try Self.mix { $0.mixer.main.inserts = inserts }
    let soft = try Self.mix { world in
      world.mixer.main.inserts = inserts
      world.mixer.main.gain = 0.125
    }
    #expect(zip(loud, soft).allSatisfy { $0 * 0.125 == $1 })
    // A bus inside it has its gain before them.
    let quiet = try Self.mix { world in
      world.mixer.main.inserts = inserts
      world.mixer["inner"]?.gain = 0.0625
    }
    #expect(!zip(loud, quiet).contains { $0 != 0 && $0 * 0.125 == $1 })
  }

  @Test func `A mute, a duck and a fade of the main bus glide behind the inserts without a click`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.main.inserts = [.delay(.milliseconds(20), feedback: 0, mix: 0.5)]
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(8), format: .mono(sampleRate: 48_000))
    world.playOnce(Sound(tone), gain: 0.5)
    offline.render(.milliseconds(500))
    var mix = PCMBuffer<Float>(format: Self.stereo)
    let before = offline.render(.milliseconds(500)).level(at: 400)
    world.mixer.main.isMuted = true
    mix = offline.render(.milliseconds(500))
    #expect(mix.clicks(highestFrequency: 500).isEmpty && mix.samples.suffix(2_000).allSatisfy { $0 == 0 })
    world.mixer.main.isMuted = false
    world.mixer.main.gain = .decibels(-6)
    mix = offline.render(.seconds(1))
    #expect(mix.clicks(highestFrequency: 500).isEmpty)
    let level = mix.frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 400)
    #expect(abs((level - before).rawValue + 6) < 0.01)
    world.mixer.main.fade(to: .unity, Fade(.milliseconds(300)))
    mix = offline.render(.seconds(1))
    #expect(mix.clicks(highestFrequency: 500).isEmpty)
    #expect(abs((mix.frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 400) - before).rawValue) < 0.01)
  }

  @Test func `The gain of a silent main bus reaches its fader, although nothing plays`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.main.inserts = [.delay(.milliseconds(500), feedback: 0, mix: 1)]
    world.playOnce(Sound(TestSignal.noise(duration: .milliseconds(50), format: .mono(sampleRate: 48_000))))
    offline.render(.milliseconds(300))
    // Nothing plays any more, and the repeat is still to come.
    world.mixer.main.gain = 0
    let mix = offline.render(.seconds(1))
    #expect(mix.samples.allSatisfy { $0 == 0 })
    #expect(!world.inspector.wantsTicks)
  }

  @Test func `The tail of a delay rings out behind a pause`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.main.inserts = [.delay(.milliseconds(500), feedback: 0, mix: 1)]
    world.playOnce(Self.noise)
    offline.render(.milliseconds(400))
    world.mixer.main.pause()
    let mix = offline.render(.seconds(2))
    #expect(mix.frames(in: .milliseconds(100)..<(.milliseconds(400))).samples.contains { abs($0) > 0.1 })
    #expect(mix.frames(in: .seconds(1)..<(.seconds(2))).samples.allSatisfy { $0 == 0 })
  }

  @Test func `A list in the midst of sound crosses over without a click, and glides for equal kinds`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let tone = TestSignal.sine(frequency: 300, duration: .seconds(8), format: .mono(sampleRate: 48_000))
    world.playOnce(Sound(tone), gain: 0.5)
    let before = offline.render(.seconds(1)).frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 300)
    world.mixer.main.inserts = [.equalizer([.init(.bell, 300, level: 6, q: 1)])]
    var mix = offline.render(.seconds(1))
    #expect(mix.clicks(highestFrequency: 400).isEmpty)
    #expect(abs((mix.frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 300) - before).rawValue - 6) < 0.05)
    world.mixer.main.setInserts([.equalizer([.init(.bell, 300, level: -6, q: 1)])], Fade(.milliseconds(400)))
    mix = offline.render(.seconds(1))
    #expect(mix.clicks(highestFrequency: 400).isEmpty)
    // The glide is straight in decibels: it passes 0 dB at half of its time.
    let middle = mix.frames(in: .milliseconds(190)..<(.milliseconds(210))).level(at: 300) - before
    #expect(abs(middle.rawValue) < 0.5)
    #expect(abs((mix.frames(in: .milliseconds(600)..<(.seconds(1))).level(at: 300) - before).rawValue + 6) < 0.05)
    world.mixer.main.inserts = []
    mix = offline.render(.seconds(1))
    #expect(mix.clicks(highestFrequency: 400).isEmpty)
    #expect(abs((mix.frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 300) - before).rawValue) < 0.01)
  }

  @Test func `The first settings in the midst of sound move the gain to the fader without a step`() throws {
    for gain in [Gain(0.1), Gain(2)] {
      var offline = try OfflineRenderer(format: Self.stereo)
      let world = AudioWorld(in: offline.context)
      let tone = TestSignal.sine(frequency: 300, duration: .seconds(8), format: .mono(sampleRate: 48_000))
      world.mixer.main.gain = gain
      world.playOnce(Sound(tone), gain: 0.3)
      let before = offline.render(.seconds(1)).frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 300)
      world.mixer.main.inserts = [.width(1)]
      let mix = offline.render(.seconds(2))
      #expect(mix.clicks(highestFrequency: 400).isEmpty)
      for part in stride(from: 0, to: 2_000, by: 20) {
        let level = mix.frames(in: .milliseconds(part)..<(.milliseconds(part + 20))).level(at: 300)
        #expect(abs((level - before).rawValue) < 0.35, "\(part) ms")
      }
      #expect(abs((mix.frames(in: .seconds(1)..<(.seconds(2))).level(at: 300) - before).rawValue) < 0.01)
      // The fader has the gain: behind a compressor.
      world.mixer.main.inserts = [.compressor(threshold: -80, ratio: 1_000, attack: .milliseconds(1))]
      offline.render(.seconds(1))
      world.mixer.main.gain = 1
      let loud = offline.render(.seconds(1)).frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 300)
      world.mixer.main.gain = gain
      let again = offline.render(.seconds(1)).frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 300)
      #expect(abs((again - loud).rawValue - gain.decibels.rawValue) < 0.01)
    }
  }

  @Test func `A sound that begins between two ticks has the gain of the main bus from its first frame on`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.main.inserts = [.width(1)]
    offline.render(frameCount: 100)
    world.mixer.main.gain = 0.01
    world.playOnce(Self.noise)
    #expect(offline.render(frameCount: 600).samples.allSatisfy { abs($0) < 0.011 })
  }

  @Test func `The loudness target does not work against the gain of the main bus`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.loudnessTarget = Insert.Leveler(target: -20)
    let tone = TestSignal.sine(frequency: 997, duration: .seconds(30), format: .mono(sampleRate: 48_000))
    world.playOnce(Sound(tone), gain: 0.2)
    offline.render(.seconds(10))
    let before = offline.render(.seconds(1)).level(at: 997)
    world.mixer.main.gain = .decibels(-6)
    offline.render(.seconds(8))
    #expect(abs((offline.render(.seconds(1)).level(at: 997) - before).rawValue + 6) < 0.05)
  }

  @Test func `Values of a silent strip glide, and keep the memory of the processors`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let made = Collected<Int>()
    let custom = Insert.processor("made") { _ in
      made.append(1)
      return ClosureProcessor { _, _ in }
    }
    world.mixer.main.inserts = [custom, .compressor(threshold: -20)]
    world.playOnce(Self.noise)
    offline.render(.seconds(4))
    for threshold in -40..<0 {
      world.mixer.main.inserts = [custom, .compressor(threshold: Decibels(Float(threshold)))]
      offline.render(frameCount: 512)
    }
    #expect(made.all.count == 1)
  }

  @Test func `A strip stands still while its renderer is suspended, and goes on to the bit`() throws {
    let whole = try Self.mix { $0.mixer.main.inserts = Self.inserts }
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let inner = world.mixer.makeBus("inner")
    inner.gain = 0.5
    world.mixer.main.inserts = Self.inserts
    world.playOnce(Self.noise, at: [1, 0, -1], on: inner)
    world.playOnce(Self.noise, gain: 0.25)
    var mix = offline.render(frameCount: 20 * 512).samples
    offline.context.suspend()
    #expect(offline.render(.milliseconds(300)).samples.allSatisfy { $0 == 0 })
    offline.context.resume()
    mix += offline.render(frameCount: 20 * 512).samples
    #expect(mix == Array(whole.prefix(2 * 40 * 512)))
  }
}
