import TestSupport
import Testing

@testable import Spatial3D

/// The parametric equaliser behind a reverb: its calculation and its audible result.
@Suite struct ReverbEqualizerTests {
  /// Bands over the whole range, and the frequencies at which the test measures them.
  private static let bands: [ParametricEqualizer] = [60, 250, 1_000, 4_000, 12_000].flatMap { frequency in
    [0.5, 1, 2, 4].flatMap { bandwidth in
      [-12, 9].map { ParametricEqualizer(frequency: frequency, bandwidth: bandwidth, level: $0) }
    }
  }

  @Test(arguments: [
    ParametricEqualizer(frequency: 200, bandwidth: 1, level: 18), .init(frequency: 1_200, bandwidth: 0.7, level: -3),
    .init(frequency: 3_500, bandwidth: 0.05, level: 12), .init(frequency: 8_000, bandwidth: 1, level: -18),
  ])
  func `A band within the library's own is exact where effects can be chained`(band: ParametricEqualizer) throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let flat = try Rooms.response(in: &renderer, with: Reverb(.mediumRoom))
    let equalized = try Rooms.response(in: &renderer, with: Reverb(.mediumRoom, equalizer: band))
    let resolution = try #require(renderer.context.reverbResolution)
    guard renderer.context.capabilities.contains(.effectTarget) else {
      if case .exact = resolution.equalizer { Issue.record("\(resolution)") }
      return
    }
    #expect(resolution == ReverbResolution(level: 0, equalizer: .exact, room: RoomAcoustics(.mediumRoom)))
    let gain = difference(flat, equalized, at: Double(band.frequency))
    #expect(abs(gain - Double(band.level.rawValue)) < 0.5, "\(gain)")
  }

  @Test(arguments: [false, true])
  func `The error at any frequency is below the reported largest error`(isOld: Bool) throws {
    var renderer = try OfflineRenderer(format: Rooms.mono, disabling: isOld ? [.effectTarget] : [])
    let flat = try Rooms.response(in: &renderer, with: Reverb(.smallRoom))
    let narrow: [ParametricEqualizer] = [
      .init(frequency: 182.4, bandwidth: 0.065, level: 8), .init(frequency: 176, bandwidth: 0.15, level: -18),
      .init(frequency: 9_000, bandwidth: 0.1, level: 12),
    ]
    for band in Self.bands + narrow {
      let equalized = try Rooms.response(in: &renderer, with: Reverb(.smallRoom, equalizer: band))
      let resolution = try #require(renderer.context.reverbResolution)
      let allowed = resolution.equalizer.largestError
      let frequencies = [30.0, 60, 125, 200, 250, 500, 1_000, 2_000, 4_000, 8_000, 12_000, 16_000]
      let grid = FrequencyGrid(frequencies, rate: Double(Rooms.rate))
      let wanted = band.response(rate: Double(Rooms.rate)).levels(on: grid)
      for (frequency, level) in zip(frequencies, wanted) {
        let error = abs(difference(flat, equalized, at: frequency) - level)
        #expect(error < allowed + 0.5, "\(band), at \(frequency): \(error), said: \(allowed)")
      }
    }
  }

  /// The difference between two responses at a frequency, in decibels.
  private func difference(_ flat: [Float], _ equalized: [Float], at frequency: Double) -> Double {
    level(at: frequency, of: equalized, rate: Rooms.rate) - level(at: frequency, of: flat, rate: Rooms.rate)
  }

  @Test func `Bands in the library's range have a stated error below 2.5 dB`() {
    for frequency in stride(from: Float(250), through: 8_000, by: 250) {
      for bandwidth in [Float(0.05), 0.5, 1, 1.5, 2, 3, 4] {
        let fit = EqualizerDesign(of: .init(frequency: frequency, bandwidth: bandwidth, level: 12), rate: 48_000)
        if bandwidth <= 1 {
          #expect(fit.accuracy == .exact && fit.stages.count == 1)
        } else if case .approximate(let error) = fit.accuracy {
          #expect(error < 2.5 && fit.stages.count == 2, "\(frequency) \(bandwidth)")
        } else {
          Issue.record("\(frequency) \(bandwidth): \(fit.accuracy)")
        }
      }
    }
  }

  @Test func `A band without gain has no equalizer, and a band out of range is reported as clamped`() {
    #expect(EqualizerDesign(of: .init(), rate: 48_000) == EqualizerDesign(of: .init(frequency: 30), rate: 44_100))
    #expect(EqualizerDesign(of: .init(), rate: 48_000).stages.isEmpty)
    #expect(ShelfDesign(of: .init(), in: RoomAcoustics(), rate: 48_000).room == RoomAcoustics())
    for frequency in [Float(10), 100, 199, 8_001, 15_000, 20_000] {
      let band = ParametricEqualizer(frequency: frequency, bandwidth: 2, level: -6)
      guard case .clamped = EqualizerDesign(of: band, rate: 48_000).accuracy else {
        Issue.record("\(frequency)")
        continue
      }
      guard case .clamped = ShelfDesign(of: band, in: RoomAcoustics(.plate), rate: 48_000).accuracy else {
        Issue.record("\(frequency)")
        continue
      }
    }
  }

  @Test(arguments: [11_025.0, 22_050, 44_100, 96_000, 192_000])
  func `Every band has a fit within the library's ranges at any rate`(rate: Double) {
    for band in Self.bands {
      let fit = EqualizerDesign(of: band.clamped, rate: rate)
      #expect(fit.stages.allSatisfy { $0.clamped == $0 && Effect.equalizer($0).isFinite })
      let shelves = ShelfDesign(of: band, in: RoomAcoustics(.largeRoom2), rate: rate)
      #expect(shelves.room.isFinite && shelves.room.clamped == shelves.room && shelves.offset.isFinite)
    }
  }
}

extension Rooms {
  fileprivate static func response(in renderer: inout OfflineRenderer, with reverb: Reverb) throws -> [Float] {
    renderer.context.reverb = reverb
    let response = try response(in: &renderer, seconds: 0.6)
    _ = renderer.render(.seconds(1))
    return response
  }
}
