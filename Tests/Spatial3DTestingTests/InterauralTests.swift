import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct InterauralTests {
  @Test func `A delay is found to a hundredth of a frame, whole or not`() throws {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<60 {
      let tones = Signals.randomTones(8, upTo: 8_000, using: &generator)
      let delay = Double.random(in: -40...40, using: &generator)
      let left = Signals.tones(tones, frameCount: 2_048, delay: delay)
      let right = Signals.tones(tones, frameCount: 2_048)
      let found = try Signals.stereo(left, right).interauralDifference
      // The left ear is late by the delay: a positive one puts the sound on the right.
      let frames = found.time / .seconds(1) * 48_000
      // The samples that enter at one end of the buffer differ from those that leave at the other.
      #expect(abs(frames - delay) < 0.3, "\(frames) frames for \(delay)")
      #expect(found.coherence > 0.9)
    }
  }

  @Test func `The delay of a sound with silence around it is exact`() throws {
    var generator = SplitMix64(seed: 5)
    for _ in 0..<150 {
      let delay = Double.random(in: -47...47, using: &generator)
      let width = Double.random(in: 4...20, using: &generator)
      // A bell-shaped pulse, whose band fits within the rate.
      func bell(_ late: Double) -> [Float] {
        (0..<1_024).map { Float(0.5 * exp(-pow((Double($0) - 512 - late) / width, 2))) }
      }
      let found = try Signals.stereo(bell(delay), bell(0)).interauralDifference
      #expect(abs(found.time / .seconds(1) * 48_000 - delay) < 0.01, "\(found) for \(delay)")
      #expect(abs(found.coherence - 1) < 1e-4)
      #expect(abs(found.level.rawValue) < 1e-4)
    }
  }

  @Test(arguments: Array(-48...48))
  func `Noise that is late by whole frames is found so, at any loudness`(delay: Int) throws {
    let noise = TestSignal.noise(duration: .milliseconds(50), format: Signals.mono).samples
    let silence = [Float](repeating: 0, count: 100)
    let right = silence + noise + silence
    let left = right.indices.map { right.indices.contains($0 - delay) ? 0.25 * right[$0 - delay] : 0 }
    let found = try Signals.stereo(left, right).interauralDifference
    #expect(abs(found.time / .seconds(1) * 48_000 - Double(delay)) < 0.01)
    #expect(abs(found.level.rawValue - 12.041) < 0.001)
    #expect(found.coherence > 0.999)
  }

  @Test func `Independent noises have no coherence, and half-shared ones have a coherence of one half`() throws {
    let first = TestSignal.noise(seed: 1, duration: .seconds(1), format: Signals.mono).samples
    let second = TestSignal.noise(seed: 2, duration: .seconds(1), format: Signals.mono).samples
    #expect(try Signals.stereo(first, second).interauralDifference.coherence < 0.05)
    // Two signals that share half of their power have a coherence of one half.
    let third = TestSignal.noise(seed: 3, duration: .seconds(1), format: Signals.mono).samples
    let left = zip(first, second).map { $0 + $1 }
    let right = zip(first, third).map { $0 + $1 }
    #expect(abs(try Signals.stereo(left, right).interauralDifference.coherence - 0.5) < 0.03)
  }

  @Test func `An inverted channel is fully coherent, even at fractional delays`() throws {
    var generator = SplitMix64(seed: 6)
    for _ in 0..<30 {
      let delay = Double.random(in: -47...47, using: &generator)
      func bell(_ late: Double) -> [Float] {
        (0..<1_024).map { Float(0.5 * exp(-pow((Double($0) - 512 - late) / 4, 2))) }
      }
      let found = try Signals.stereo(bell(delay), bell(0).map { -$0 }).interauralDifference
      #expect(abs(found.coherence - 1) < 1e-4, "\(found) for \(delay)")
      // The inverted pulses correlate positively at no delay.
      #expect(found.time == .zero)
    }
    let noise = TestSignal.noise(duration: .milliseconds(500), format: Signals.mono).samples
    #expect(try Signals.stereo(noise, noise.map { -$0 }).interauralDifference.coherence > 0.999)
  }

  @Test func `The interaural time of a tone is the shortest of its possible delays`() throws {
    // The range holds eight periods of 0.25 ms.
    let left = Signals.tones([.init(frequency: 4_000, amplitude: 0.5)], frameCount: 4_800, delay: 2)
    let right = Signals.tones([.init(frequency: 4_000, amplitude: 0.5)], frameCount: 4_800)
    let found = try Signals.stereo(left, right).interauralDifference
    #expect(abs(found.time / .seconds(1) * 48_000 - 2) < 0.05, "\(found)")
  }

  @Test func `A silent channel has no interaural delay, and a mono mix has no interaural difference`() throws {
    let noise = TestSignal.noise(duration: .milliseconds(10), format: Signals.mono)
    let silence = [Float](repeating: 0, count: noise.frameCount)
    let right = try Signals.stereo(silence, noise.samples).interauralDifference
    #expect(right.time == .zero && right.coherence == 0 && right.level.rawValue == .infinity)
    let left = try Signals.stereo(noise.samples, silence).interauralDifference
    #expect(left.level == .silence)
    let nothing = try Signals.stereo(silence, silence).interauralDifference
    #expect(nothing.time == .zero && nothing.coherence == 0 && nothing.level == 0)
    let none = PCMBuffer<Float>(format: Signals.stereo).interauralDifference
    #expect(none.time == .zero && none.coherence == 0 && none.level == 0)
    #expect(noise.interauralDifference.coherence == 1)
    let notNumbers = try Signals.stereo([.nan, 1], [1, 1]).interauralDifference
    #expect(notNumbers.coherence == 0)
  }

  @Test func `A difference reads as a sentence`() throws {
    let noise =
      TestSignal.noise(duration: .milliseconds(50), format: Signals.mono).samples + [Float](repeating: 0, count: 48)
    let late = noise.indices.map { $0 < 24 ? 0 : noise[$0 - 24] / 2 }
    #expect(
      try Signals.stereo(late, noise).interauralDifference.description
        == "right 6.0 dB louder, right 500 µs earlier, coherence 1.00"
    )
    #expect(
      try Signals.stereo(noise, late).interauralDifference.description
        == "left 6.0 dB louder, left 500 µs earlier, coherence 1.00"
    )
    let equal = try Signals.stereo(noise, noise).interauralDifference
    #expect(equal.description == "as loud, at once, coherence 1.00")
  }
}
