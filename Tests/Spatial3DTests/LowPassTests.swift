import Glibc
import Testing

@testable import Spatial3D

/// The arithmetic of occlusion, obstruction and sends, over the whole range and without a device.
@Suite struct LowPassTests {
  private let levels = stride(from: Float(-100), through: 0, by: 0.25).map { Decibels($0) }

  /// The level of the filter at 5 kHz, in decibels; both of its gains apply there.
  private func level(_ lowPass: LowPass) -> Float { 20 * log10(lowPass.gain) + 20 * log10(lowPass.highGain) }

  @Test func `Occlusion and obstruction are exact at 5 kHz over the whole range, on both paths`() {
    for level in levels {
      #expect(abs(self.level(.direct(occlusion: level, obstruction: 0)) - level.rawValue) < 0.001)
      #expect(abs(self.level(.direct(occlusion: 0, obstruction: level)) - level.rawValue) < 0.001)
      #expect(abs(self.level(.send(occlusion: level)) - level.rawValue) < 0.001)
      #expect(abs(self.level(.send(occlusion: 0, lowPass: level)) - level.rawValue) < 0.001)
    }
    for occlusion in levels where occlusion.rawValue.truncatingRemainder(dividingBy: 5) == 0 {
      for obstruction in levels {
        let both = LowPass.direct(occlusion: occlusion, obstruction: obstruction)
        #expect(abs(self.level(both) - (occlusion + obstruction).rawValue) < 0.001)
      }
    }
  }

  @Test func `Filters stay in the library's range, and are none at 0 dB`() {
    for occlusion in levels {
      for obstruction in [Decibels(0), -13, -60, -100] {
        let lowPass = LowPass.direct(occlusion: occlusion, obstruction: obstruction)
        #expect((0...1).contains(lowPass.gain))
        #expect((0.00099...1).contains(lowPass.highGain))
      }
    }
    #expect(LowPass.direct(occlusion: 0, obstruction: 0) == LowPass())
    #expect(LowPass.send(occlusion: 0) == LowPass())
  }

  @Test func `More muffling is never louder, at low frequencies as at 5 kHz`() {
    for (lower, higher) in zip(levels, levels.dropFirst()) {
      for (a, b) in [
        (LowPass.direct(occlusion: lower, obstruction: 0), LowPass.direct(occlusion: higher, obstruction: 0)),
        (.direct(occlusion: 0, obstruction: lower), .direct(occlusion: 0, obstruction: higher)),
        (.send(occlusion: lower), .send(occlusion: higher)),
      ] {
        #expect(a.gain <= b.gain && a.highGain <= b.highGain && a != b)
      }
    }
  }

  @Test func `Dry and wet have the same power together at every send level`() {
    #expect(DryWetLaw.dry(0) == 1 && DryWetLaw.wet(0) == 0)
    #expect(DryWetLaw.dry(1) == 0 && DryWetLaw.wet(1) == 1)
    for level in stride(from: Float(0), through: 1, by: 0.001) {
      let (dry, wet) = (DryWetLaw.dry(level), DryWetLaw.wet(level))
      #expect(abs(dry * dry + wet * wet - 1) < 1e-6)
    }
  }
}
