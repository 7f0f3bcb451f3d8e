import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Duckers in a mix: a condition by level, and a condition that holds again.
@Suite struct DuckingMixTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func tone(_ frequency: Double, _ amplitude: Float, _ length: Duration = .seconds(3)) -> Sound {
    Sound(TestSignal.sine(frequency: frequency, duration: length, format: mono, amplitude: amplitude))
  }

  @Test func `A condition by level ducks under loud sounds alone, and ends 6 dB lower`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (music, effects) = (world.mixer.makeBus("music"), world.mixer.makeBus("effects"))
    let times = (
      attack: Duration.milliseconds(50), hold: Duration.milliseconds(50), release: Duration.milliseconds(100)
    )
    music.duck(
      under: effects,
      Ducking(by: -12, when: .level(above: -30), attack: times.attack, hold: times.hold, release: times.release)
    )
    world.playOnce(Self.tone(440, 0.2), on: music)
    effects.gain = .decibels(-40)
    // A sine of half of full scale is at -9 dB.
    world.playOnce(Self.tone(1_000, 0.5), on: effects)
    let alone = offline.render(frameCount: 14_400).frames(4_800..<14_400).level(at: 440)
    // Below and above the threshold, within the hysteresis, and below that.
    for (level, change) in [(Decibels(-23), Float(0)), (-19, -12), (-25, -12), (-29, 0), (-23, 0)] {
      effects.gain = .decibels(level)
      let mix = offline.render(frameCount: 19_200)
      let rendered = mix.frames(12_000..<19_200).level(at: 440)
      #expect(abs((rendered - alone).rawValue - change) < 0.1, "\(rendered - alone) at \(level)")
      #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
    }
  }

  @Test func `A sound that begins in a release lowers the music again from the level in force`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    music.duck(
      under: speech,
      Ducking(by: -24, attack: .milliseconds(200), hold: .zero, release: .milliseconds(800))
    )
    world.playOnce(Self.tone(440, 0.4), on: music)
    let alone = offline.render(frameCount: 9_600).frames(4_800..<9_600).level(at: 440)
    var samples: [Float] = []
    /// The changes of the music's level, in pieces of 50 ms.
    func changes(_ count: Int) -> [Float] {
      (0..<count).map { _ in
        let part = offline.render(frameCount: 2_400)
        samples += part.samples
        return (part.level(at: 440) - alone).rawValue
      }
    }
    world.playOnce(Self.tone(1_000, 0.1, .milliseconds(300)), on: speech)
    let first = changes(14)
    // After 300 ms of the word, and 400 ms of the release.
    #expect(abs(first[5] + 24) < 0.3 && first[13] > -14 && first[13] < -11, "\(first)")
    world.playOnce(Self.tone(1_000, 0.1, .milliseconds(300)), on: speech)
    let second = changes(24)
    #expect(second[0] < first[13] && second[0] > first[13] - 8 && abs(second[4] + 24) < 0.3, "\(second)")
    #expect(abs(second[23]) < 0.3)
    // The release moves on alone.
    #expect(zip(second[7...], second[8...]).allSatisfy { $1 > $0 - 0.1 })
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
  }
}
