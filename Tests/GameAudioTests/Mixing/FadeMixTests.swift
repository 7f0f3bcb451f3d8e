import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Fades of each level in a mix: their sidebands, their course, and a freeze in their middle.
@Suite struct FadeMixTests {
  private static let tone = TestSignal.sine(
    frequency: 500,
    duration: .milliseconds(2_600),
    format: FadeScene.format,
    amplitude: 0.5
  )

  /// Whether the loaded library moves a gain over the whole of a mix, as 1.19 does, and not over its first 64 frames.
  private static let movesGainsSlowly: Bool = {
    do {
      var offline = try OfflineRenderer(format: FadeScene.format)
      let source = try SoundSource(in: offline.context)
      let level = try PCMBuffer(samples: [Float](repeating: 0.5, count: 4_096), format: FadeScene.format)
      source.buffer = try SoundBuffer(level, in: offline.context)
      source.play()
      offline.render(frameCount: 1_024)
      source.gain = 0
      return offline.render(frameCount: 512).samples[256] > 0.01
    } catch { return false }
  }()

  /// The least distance of the sidebands from the peak of the tone: 3 dB less than each version was measured with.
  private static func leastDistance(_ milliseconds: Int) -> Float {
    switch milliseconds {
    case 500: movesGainsSlowly ? 67.1 : 56.7
    case 100: movesGainsSlowly ? 61.5 : 46.3
    default: movesGainsSlowly ? 57.6 : 40.7
    }
  }

  /// The coefficients of a filter that passes 4 kHz and above; at 500 Hz it has less than -90 dB.
  private static let highPass: [Float] = (-64...64).map { tap in
    let (phase, cycles) = (2 * Double.pi * Double(tap + 64) / 128, 4_000.0 / 48_000)
    let window = 0.35875 - 0.48829 * cos(phase) + 0.14128 * cos(2 * phase) - 0.01168 * cos(3 * phase)
    let low = tap == 0 ? 2 * cycles : sin(2 * .pi * cycles * Double(tap)) / (.pi * Double(tap))
    return Float(((tap == 0 ? 1 : 0) - low) * window)
  }

  /// The distance of the highest sample above 4 kHz from the highest sample of the tone.
  private static func distance(of samples: [Float]) -> Float {
    var highest: Float = 0
    for start in 0...samples.count - highPass.count {
      var sum: Float = 0
      for tap in highPass.indices { sum += samples[start + tap] * highPass[tap] }
      highest = max(highest, abs(sum))
    }
    let peak = samples.reduce(0) { max($0, abs($1)) }
    return (Decibels(factor: peak) - Decibels(factor: highest)).rawValue
  }

  @Test(arguments: FadingLevel.allCases, [500, 100, 20])
  func `A fade has no sidebands`(target: FadingLevel, milliseconds: Int) throws {
    // The echoes of the tone are even by then.
    let scene = try FadeScene(target, Self.tone, after: target.isSend ? 48_128 : 9_728)
    var samples = scene.offline.render(frameCount: 512).samples
    scene.fade(to: .decibels(-60), Fade(.milliseconds(milliseconds)))
    // The first echo of the end is 100 ms late.
    let mix = scene.offline.render(.milliseconds(milliseconds + 150))
    samples += mix.samples
    #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
    let distance = Self.distance(of: samples)
    #expect(distance > Self.leastDistance(milliseconds), "\(distance)")
    #expect(abs(scene.level.rawValue + 60) < 1e-3)
    // Back, as a sound that begins.
    scene.fade(to: .unity, Fade(.milliseconds(milliseconds)))
    #expect(scene.offline.render(.milliseconds(milliseconds + 50)).clicks(highestFrequency: 1_000).isEmpty)
  }

  @Test(arguments: FadingLevel.allCases, [Fade.Curve.linear, .easeInOut, .equalPower])
  func `A fade of another curve has no sidebands`(target: FadingLevel, curve: Fade.Curve) throws {
    let scene = try FadeScene(target, Self.tone, after: target.isSend ? 48_128 : 9_728)
    var samples = scene.offline.render(frameCount: 512).samples
    scene.fade(to: .decibels(-60), Fade(.milliseconds(100), curve))
    let mix = scene.offline.render(.milliseconds(250))
    samples += mix.samples
    #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
    let distance = Self.distance(of: samples)
    let least: (slow: Float, fast: Float) = curve == .easeInOut ? (70, 47) : (76, 54)
    #expect(distance > (Self.movesGainsSlowly ? least.slow : least.fast), "\(distance)")
  }

  @Test(arguments: FadingLevel.allCases, Fade.Curve.allCases)
  func `A fade follows its curve in the mix`(target: FadingLevel, curve: Fade.Curve) throws {
    // A sound of one value: each sample is the gain in force.
    let level = try PCMBuffer(samples: [Float](repeating: 0.5, count: 48_000), format: FadeScene.format)
    let scene = try FadeScene(target, level, after: 1_024)
    let full = scene.offline.render(frameCount: 512).samples[511]
    let fade = Fade(FadeScene.format.duration(ofFrames: 20 * 512), curve)
    scene.fade(to: .decibels(-40), fade)
    for tick in 1...22 {
      let mix = scene.offline.render(frameCount: 512)
      let expected = fade.level(from: 0, to: -40, after: FadeScene.format.duration(ofFrames: tick * 512))
      let rendered = target.isSend ? scene.level : Decibels(factor: mix.samples[511] / full)
      #expect(abs((rendered - expected).rawValue) < 0.15, "tick \(tick): \(rendered), not \(expected)")
    }
  }

  @Test(arguments: FadingLevel.allCases)
  func `A fade stands still in a freeze, and goes on without a jump`(target: FadingLevel) throws {
    let scene = try FadeScene(target, Self.tone, after: 9_728)
    scene.fade(to: .decibels(-40), Fade(.milliseconds(400)))
    scene.offline.render(frameCount: 512 * 19)
    let before = scene.level
    #expect(before < -15 && before > -25)
    scene.offline.context.suspend(.freeze, for: .background)
    scene.offline.render(.milliseconds(500))
    #expect(scene.level == before)
    scene.offline.context.resume(from: .background)
    let mix = scene.offline.render(frameCount: 512)
    #expect(abs((scene.level - before).rawValue) < 2.2)
    #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
    scene.offline.render(frameCount: 512 * 15)
    #expect(scene.level > -39)
    scene.offline.render(frameCount: 512 * 4)
    #expect(abs(scene.level.rawValue + 40) < 1e-3)
  }

  @Test func `A ducker stands still in a freeze, and goes on without a jump`() throws {
    var offline = try OfflineRenderer(format: FadeScene.format)
    let world = AudioWorld(in: offline.context)
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    music.duck(under: speech, Ducking(by: -40, attack: .milliseconds(400)))
    let theme = Sound(TestSignal.sine(frequency: 440, duration: .seconds(2), format: FadeScene.format, amplitude: 0.2))
    world.playOnce(theme, on: music)
    offline.render(frameCount: 4_096)
    world.playOnce(Sound(Self.tone), on: speech)
    offline.render(frameCount: 512 * 19)
    func level() -> Float { world.inspector.duckedLevels[0] }
    let before = level()
    #expect(before < -15 && before > -25)
    offline.context.suspend(.freeze, for: .background)
    offline.render(.milliseconds(500))
    #expect(level() == before)
    offline.context.resume(from: .background)
    let mix = offline.render(frameCount: 512)
    #expect(abs(level() - before) < 2.2)
    #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
    offline.render(frameCount: 512 * 20)
    #expect(level() == -40)
  }
}
