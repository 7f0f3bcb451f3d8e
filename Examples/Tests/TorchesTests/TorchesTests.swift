import GameAudio
import Testing

@testable import torches

@Suite struct TorchesTests {
  @Test func `The flame is a loop without a seam that does not clip`() throws {
    let samples = try Flame.pcm().samples
    #expect(samples.count == 3 * Flame.format.sampleRate)
    #expect(samples.allSatisfy { abs($0) < 1 })
    let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
    let seam = abs(samples[0] - samples[samples.count - 1])
    #expect(seam <= steps.max() ?? 0)
  }

  @Test func `10,000 torches hang inside the dungeon, and the walk stays inside too`() {
    let half = Dungeon.length / 2
    #expect(Dungeon.places.count == 10_000)
    #expect(Set(Dungeon.places).count == 10_000)
    #expect(Dungeon.places.allSatisfy { abs($0.x) < half && abs($0.z) < half })
    for second in 0...Dungeon.seconds {
      let place = Dungeon.listener(at: Double(second)).position
      #expect(abs(place.x) < half && abs(place.z) < half)
    }
  }

  @Test func `The torches with a voice are those around the listener`() throws {
    let measurement = try Measurement(voices: 16, recordingTo: nil)
    let listener = measurement.seconds[Dungeon.seconds / 2].place
    func distance(_ place: SIMD3<Float>) -> Float { ((place - listener) * (place - listener)).sum().squareRoot() }
    let real = zip(Dungeon.places, measurement.hasVoice).filter(\.1).map { distance($0.0) }
    #expect(real.count == 16)
    // The loudness of a flame changes: a torch may win against a nearer one.
    #expect(real.max() ?? .infinity < 12)
    #expect(measurement.seconds.allSatisfy { $0.voices.real == 16 && $0.voices.virtual == 9_984 })
    #expect(measurement.seconds.reduce(0) { $0 + $1.changes } > 50)
    #expect(measurement.seconds.allSatisfy { $0.level < -3 && $0.level > -60 })
  }
}
