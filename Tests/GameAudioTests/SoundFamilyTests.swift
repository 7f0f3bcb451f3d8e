import Foundation
import GameAudio
import Spatial3DTesting
import Testing

/// The ranges from which the plays of a sound are drawn.
@Suite struct SoundFamilyTests {
  private static func sound(_ pitch: ClosedRange<Float>, _ gain: ClosedRange<Decibels> = 0...0) -> Sound {
    var sound = Sound(TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000)))
    (sound.pitchVariation, sound.levelVariation) = (pitch, gain)
    return sound
  }

  /// The smallest and the largest of many draws of a sound, in semitones and in decibels; `nil` without a family.
  private static func ranges(_ sound: Sound) throws -> (pitch: [Float], gain: [Float])? {
    let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: sound, in: world)
    guard let draws = emitter.inspector.draws(3_000, seed: 5) else { return nil }
    let (pitches, gains) = (draws.map { 12 * log2($0.pitch) }, draws.map { Decibels(factor: $0.gain).rawValue })
    return ([pitches.min() ?? 0, pitches.max() ?? 0], [gains.min() ?? 0, gains.max() ?? 0])
  }

  @Test func `Each play is drawn from the whole of both ranges`() throws {
    let cases: [(ClosedRange<Float>, ClosedRange<Decibels>, [Float], [Float])] = [
      (-2...3, -6...0, [-2, 3], [-6, 0]), (0...0, -9...3, [0, 0], [-9, 3]), (-1...(-1), 0...0, [-1, -1], [0, 0]),
      (-90...90, -200...90, [-48, 48], [-96, 24]), (0...1, -3...(-3), [0, 1], [-3, -3]),
    ]
    for (pitch, gain, pitches, gains) in cases {
      let ranges = try #require(try Self.ranges(Self.sound(pitch, gain)))
      for (found, expected) in zip(ranges.pitch + ranges.gain, pitches + gains) {
        #expect(abs(found - expected) < 0.15, "\(pitch), \(gain): \(ranges)")
      }
    }
  }

  @Test func `A sound without a variation has no family`() throws {
    #expect(try Self.ranges(Self.sound(0...0)) == nil)
    #expect(try Self.ranges(Self.sound(0...0, -1...0)) != nil)
  }
}
