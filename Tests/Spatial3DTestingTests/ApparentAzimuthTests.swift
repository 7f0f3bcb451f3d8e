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

  @Test func `A delay beyond the width of a head is an azimuth of 90 degrees`() throws {
    let late = [Float](repeating: 0, count: 48) + noise
    let mix = try Signals.stereo(late, noise + [Float](repeating: 0, count: 48))
    #expect(abs(try mix.apparentAzimuth(by: .timeDifference()) - 90) < 0.001)
  }

  @Test func `A silent mix has no azimuth, and a mix with one silent channel has no time difference`() throws {
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
  func `The azimuth of a mix that is not stereo throws an error`(layout: ChannelLayout) {
    let mix = TestSignal.noise(duration: .milliseconds(10), format: PCMFormat(sampleRate: 48_000, layout: layout))
    let error = #expect(throws: MeasurementError.self) { try mix.apparentAzimuth(by: .levelDifference) }
    #expect(error?.code == .channels && error?.code.description == "channels")
    #expect("\(error, default: "")".contains("\(layout)"))
    #expect(error?.description == error?.message)
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
  func `The measured azimuth of a panned source is its own`(azimuth: Int) throws {
    let found = try mix(at: Float(azimuth), hrtf: .off).apparentAzimuth(by: .levelDifference)
    #expect(abs(found - Float(azimuth)) < 0.1, "\(found)")
  }

  @Test(arguments: [65, 75, 90])
  func `The measured azimuth of a panned source beyond 60 degrees is 60`(azimuth: Int) throws {
    #expect(abs(try mix(at: Float(azimuth), hrtf: .off).apparentAzimuth(by: .levelDifference) - 60) < 0.1)
    #expect(abs(try mix(at: Float(-azimuth), hrtf: .off).apparentAzimuth(by: .levelDifference) + 60) < 0.1)
  }

  @Test(arguments: Array(stride(from: -90, through: 90, by: 5)))
  func `The measured azimuth of a source in an HRTF mix is its own`(azimuth: Int) throws {
    let found = try mix(at: Float(azimuth), hrtf: .on).apparentAzimuth(by: .timeDifference())
    #expect(abs(found - Float(azimuth)) < (abs(azimuth) <= 75 ? 4 : 10.01), "\(found)")
  }

  @Test(arguments: [30, 60])
  func `The measured azimuth of a source behind the listener is its mirror image in front`(azimuth: Int) throws {
    let found = try mix(at: Float(180 - azimuth), hrtf: .on).apparentAzimuth(by: .timeDifference())
    #expect(abs(found - Float(azimuth)) < 5, "\(found)")
  }
}
