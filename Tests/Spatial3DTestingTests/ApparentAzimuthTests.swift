import Foundation
import Spatial3DTesting
import Testing

@Suite struct ApparentAzimuthTests {
  private let noise = TestSignal.noise(duration: .milliseconds(100), format: Signals.mono).samples

  @Test(arguments: Array(stride(from: -60, through: 60, by: 0.5)))
  func `The pan law, turned round, gives the angle back`(azimuth: Double) throws {
    let angle = 1.5 * azimuth * .pi / 180
    let centre = 0.5 + 0.095_662 * cos(angle)
    let (left, right) = (centre - 0.5 * sin(angle), centre + 0.5 * sin(angle))
    let mix = try Signals.stereo(noise.map { $0 * Float(max(left, 0)) }, noise.map { $0 * Float(max(right, 0)) })
    #expect(abs(Double(try mix.apparentAzimuth(by: .levelDifference)) - azimuth) < 0.01)
  }

  @Test(arguments: Array(stride(from: -90, through: 90, by: 5)), [0.0875, 0.07])
  func `Woodworth's formula, turned round, gives the angle back`(azimuth: Double, radius: Double) throws {
    let angle = azimuth * .pi / 180
    let delay = radius / 343.3 * (angle + sin(angle)) * 48_000
    func bell(_ late: Double) -> [Float] {
      (0..<1_024).map { Float(0.5 * exp(-pow((Double($0) - 512 - late) / 5, 2))) }
    }
    let mix = try Signals.stereo(bell(delay), bell(0))
    let found = try mix.apparentAzimuth(by: .timeDifference(headRadius: radius))
    #expect(abs(Double(found) - azimuth) < 0.1, "\(found)")
  }

  @Test func `More than a head can delay is all the way to the side`() throws {
    let late = [Float](repeating: 0, count: 48) + noise
    let mix = try Signals.stereo(late, noise + [Float](repeating: 0, count: 48))
    #expect(abs(try mix.apparentAzimuth(by: .timeDifference()) - 90) < 0.001)
  }

  @Test func `What is silent comes from nowhere, and what one ear hears alone has no delay`() throws {
    let silence = [Float](repeating: 0, count: noise.count)
    for cue in [AzimuthCue.levelDifference, .timeDifference()] {
      let error = #expect(throws: MeasurementError.self) {
        try Signals.stereo(silence, silence).apparentAzimuth(by: cue)
      }
      #expect(error?.code == .silent)
    }
    #expect(throws: MeasurementError.self) {
      try Signals.stereo(silence, noise).apparentAzimuth(by: .timeDifference())
    }
    #expect(abs(try Signals.stereo(silence, noise).apparentAzimuth(by: .levelDifference) - 60) < 0.001)
    #expect(abs(try Signals.stereo(noise, silence).apparentAzimuth(by: .levelDifference) + 60) < 0.001)
  }

  @Test(arguments: [ChannelLayout.mono, .quad, .surround51])
  func `Only a stereo mix has two ears`(layout: ChannelLayout) {
    let mix = TestSignal.noise(duration: .milliseconds(10), format: PCMFormat(sampleRate: 48_000, layout: layout))
    let error = #expect(throws: MeasurementError.self) { try mix.apparentAzimuth(by: .levelDifference) }
    #expect(error?.code == .channels)
    #expect("\(error, default: "")".contains("\(layout)"))
  }

  /// Noise at an azimuth, mixed by a renderer with an HRTF setting.
  private func mix(at azimuth: Float, elevation: Float = 0, hrtf: OutputSettings.HRTF) throws -> PCMBuffer<Float> {
    var offline = try OfflineRenderer(format: Signals.stereo, settings: OutputSettings(hrtf: hrtf))
    let sound = TestSignal.noise(duration: .milliseconds(200), format: Signals.mono)
    let source = try SoundSource(playing: SoundBuffer(sound, in: offline.context), in: offline.context)
    source.position = SIMD3(PolarPosition(azimuth: azimuth, elevation: elevation, distance: 2))
    source.play()
    return offline.render(.milliseconds(200))
  }

  @Test(arguments: Array(stride(from: -60, through: 60, by: 6)))
  func `A panned source is heard where it is`(azimuth: Int) throws {
    let found = try mix(at: Float(azimuth), hrtf: .off).apparentAzimuth(by: .levelDifference)
    #expect(abs(found - Float(azimuth)) < 0.1, "\(found)")
  }

  @Test(arguments: [65, 75, 90])
  func `A panned source further to the side is heard at 60 degrees`(azimuth: Int) throws {
    #expect(abs(try mix(at: Float(azimuth), hrtf: .off).apparentAzimuth(by: .levelDifference) - 60) < 0.1)
    #expect(abs(try mix(at: Float(-azimuth), hrtf: .off).apparentAzimuth(by: .levelDifference) + 60) < 0.1)
  }

  @Test(arguments: Array(stride(from: -90, through: 90, by: 5)))
  func `A source in a mix for headphones is heard where it is`(azimuth: Int) throws {
    let found = try mix(at: Float(azimuth), hrtf: .on).apparentAzimuth(by: .timeDifference())
    #expect(abs(found - Float(azimuth)) < (abs(azimuth) <= 75 ? 4 : 10.01), "\(found)")
  }

  @Test(arguments: [30, 60])
  func `A source behind is heard at its mirror image ahead`(azimuth: Int) throws {
    let found = try mix(at: Float(180 - azimuth), hrtf: .on).apparentAzimuth(by: .timeDifference())
    #expect(abs(found - Float(azimuth)) < 5, "\(found)")
  }
}
