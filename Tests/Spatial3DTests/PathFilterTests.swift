import Glibc
import Testing

@testable import Spatial3D

/// The arithmetic of occlusion, obstruction and sends, over the whole range and without a device.
@Suite struct PathFilterTests {
  private let levels = stride(from: Float(-100), through: 0, by: 0.25).map { Decibels($0) }

  /// The level of the filter at 5 kHz, in decibels; both of its gains apply there.
  private func level(_ filter: PathFilter) -> Float { 20 * log10(filter.gain) + 20 * log10(filter.highGain) }

  @Test func `Occlusion and obstruction are exact at 5 kHz over the whole range, on both paths`() {
    for level in levels {
      #expect(abs(self.level(.direct(occlusion: level, obstruction: 0)) - level.rawValue) < 0.001)
      #expect(abs(self.level(.direct(occlusion: 0, obstruction: level)) - level.rawValue) < 0.001)
      #expect(abs(self.level(.send(occlusion: level)) - level.rawValue) < 0.001)
      #expect(abs(self.level(.send(occlusion: 0, lowPass: level)) - level.rawValue) < 0.001)
    }
    for occlusion in levels where occlusion.rawValue.truncatingRemainder(dividingBy: 5) == 0 {
      for obstruction in levels {
        let both = PathFilter.direct(occlusion: occlusion, obstruction: obstruction)
        #expect(abs(self.level(both) - (occlusion + obstruction).rawValue) < 0.001)
      }
    }
  }

  @Test func `Filters stay in the library's range, and are none at 0 dB`() {
    for occlusion in levels {
      for obstruction in [Decibels(0), -13, -60, -100] {
        let filter = PathFilter.direct(occlusion: occlusion, obstruction: obstruction)
        #expect((0...1).contains(filter.gain))
        #expect((0.00099...1).contains(filter.highGain))
      }
    }
    #expect(PathFilter.direct(occlusion: 0, obstruction: 0) == PathFilter())
    #expect(PathFilter.send(occlusion: 0) == PathFilter())
  }

  @Test func `A tone adds to every path at 250 Hz and at 5 kHz, down to 60 dB less than low frequencies`() {
    let tones = stride(from: Float(-60), through: 0, by: 7.5).map { Decibels($0) }
    for occlusion in [Decibels(0), -10, -40, -100] {
      for low in tones {
        for high in tones {
          let tone = ToneFilter(low: low, high: high)
          for filter in [
            PathFilter.direct(occlusion: occlusion, obstruction: 0, tone: tone),
            .send(occlusion: occlusion, tone: tone),
          ] {
            #expect(abs(self.level(filter) - (occlusion + high).rawValue) < 0.001)
            #expect(abs(20 * log10(filter.lowGain) - low.rawValue) < 0.001)
            #expect((0...1).contains(filter.gain) && (0.00099...1).contains(filter.highGain))
            let rest = 0.75 * occlusion.rawValue + high.rawValue
            if rest >= -60 { #expect(abs(20 * log10(filter.gain) - 0.25 * occlusion.rawValue) < 0.001) }
          }
        }
      }
    }
  }

  @Test func `More muffling is never louder, at low frequencies as at 5 kHz`() {
    for (lower, higher) in zip(levels, levels.dropFirst()) {
      for (a, b) in [
        (PathFilter.direct(occlusion: lower, obstruction: 0), PathFilter.direct(occlusion: higher, obstruction: 0)),
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
