import Glibc
import Testing

@testable import Spatial3D

/// The fits of parametric bands, compared with numbers that a second implementation in NumPy computed.
@Suite struct EqualizerFitTests {
  /// A band at a rate, its largest error, and the numbers of two stages: the middles, widths and levels of two bands,
  /// and the cutoffs and levels of both shelves.
  struct Fit: Sendable {
    let rate: Double
    let band: ParametricEqualizer
    let error: Float
    let isReached: Bool
    let stages: [[Float]]

    init(
      _ rate: Double,
      _ band: ParametricEqualizer,
      error: Float,
      isReached: Bool,
      _ first: [Float],
      _ second: [Float]
    ) {
      (self.rate, self.band, self.error, self.isReached, stages) = (rate, band, error, isReached, [first, second])
    }
  }

  private static let fits: [Fit] = [
    Fit(
      48000,
      .init(frequency: 100, bandwidth: 1, level: 6),
      error: 1.4052,
      isReached: false,
      [200, 1, -1.7259, 1000, 1, -0.0409, 141.421, 12.8015, 4000, 0.0002],
      [500, 1, 0, 3000, 1, 0, 70.711, -13.9861, 4000, 0.0002]
    ),
    Fit(
      48000,
      .init(frequency: 1000, bandwidth: 3, level: -12),
      error: 0.7529,
      isReached: true,
      [482.968, 1, -1.6357, 1274.561, 1, -6.7549, 800, -5.2438, 4756.828, 16.3034],
      [784.584, 1, -5.913, 2070.53, 1, -4.6847, 210.224, 5.1169, 4000, -16.3421]
    ),
    Fit(
      48000,
      .init(frequency: 9000, bandwidth: 0.5, level: 12),
      error: 4.8429,
      isReached: false,
      [3000, 0.5, -0.7453, 8000, 0.5, 5.5435, 800, -0.0016, 11671.556, -8.8824],
      [500, 1, 0, 3000, 1, 0, 800, -0.0016, 6939.949, 8.5982]
    ),
    Fit(
      48000,
      .init(frequency: 3000, bandwidth: 2, level: 18),
      error: 1.8386,
      isReached: true,
      [1664.354, 1, 5.8003, 3651.011, 1, 9.083, 800, 0.2094, 6000, -2.3779],
      [2465.071, 1, 8.6271, 5407.503, 1, 3.4212, 800, 0.2094, 4000, 3.749]
    ),
    Fit(
      48000,
      .init(frequency: 60, bandwidth: 4, level: -6),
      error: 0.8773,
      isReached: false,
      [200, 1, 0.5505, 1000, 1, -0.2986, 240, -6.6523, 4000, 0],
      [500, 1, 0, 3000, 1, 0, 50, 1.9399, 4000, 0]
    ),
    Fit(
      48000,
      .init(frequency: 250, bandwidth: 1.5, level: 9),
      error: 0.2924,
      isReached: true,
      [203.063, 1, -2.2139, 1000, 1, 0.0468, 420.448, 7.5098, 4000, 0.003],
      [233.258, 1, 6.389, 3000, 1, 0, 148.651, -7.4764, 4000, 0.003]
    ),
    Fit(
      48000,
      .init(frequency: 12000, bandwidth: 2, level: -18),
      error: 4.3137,
      isReached: false,
      [3000, 1, -0.0547, 8000, 1, 3.1209, 800, -0.0434, 16000, 11.4712],
      [500, 1, 0, 3000, 1, 0, 800, -0.0434, 4242.641, -18]
    ),
    Fit(
      48000,
      .init(frequency: 190, bandwidth: 0.3125, level: 18),
      error: 5.5932,
      isReached: false,
      [200, 0.3125, 15.2859, 1000, 0.3125, -0.0827, 223.515, 4.6924, 4000, -0.0009],
      [500, 1, 0, 3000, 1, 0, 161.51, -4.6822, 4000, -0.0009]
    ),
    Fit(
      48000,
      .init(frequency: 2500, bandwidth: 4, level: 12),
      error: 1.2126,
      isReached: true,
      [947.323, 1, 4.8814, 3454.782, 1, 8.0584, 800, 5.1868, 16000, -3.8712],
      [1809.087, 1, 8.9271, 6597.54, 1, 3.7225, 312.5, -5.1311, 4000, 3.602]
    ),
    Fit(
      48000,
      .init(frequency: 5000, bandwidth: 1.25, level: -3),
      error: 0.1307,
      isReached: true,
      [3000, 1, -0.2938, 5297.315, 1, -3.0929, 800, -0.001, 7711.054, 1.6374],
      [500, 1, 0, 5946.036, 1, 0.9967, 800, -0.001, 4000, -1.6452]
    ),
    Fit(
      22050,
      .init(frequency: 9000, bandwidth: 0.5, level: 12),
      error: 2.067,
      isReached: false,
      [3000, 0.5, 0.6969, 8000, 0.5, 4.4104, 800, 0.0032, 10702.864, -0.0663],
      [500, 1, 0, 3000, 1, 0, 800, 0.0032, 7568.068, 9.2996]
    ),
    Fit(
      22050,
      .init(frequency: 3000, bandwidth: 2, level: 18),
      error: 1.9553,
      isReached: true,
      [1664.354, 1, 6.2212, 3651.011, 1, 9.9959, 800, 0.2321, 6000, -0.2409],
      [2465.071, 1, 8.0226, 5407.503, 1, 3.4863, 800, 0.2321, 4000, 1.4114]
    ),
    Fit(
      11025,
      .init(frequency: 2500, bandwidth: 4, level: 12),
      error: 0.7763,
      isReached: true,
      [947.323, 1, 3.1, 3454.782, 1, 6.4975, 800, 3.6004, 16000, -0.1138],
      [1809.087, 1, 4.6021, 5292, 1, 4.6812, 312.5, -7.5767, 4000, 0.9308]
    ),
    Fit(
      11025,
      .init(frequency: 12000, bandwidth: 2, level: -18),
      error: 4.1048,
      isReached: false,
      [3000, 1, -2.7067, 5292, 1, -15.7829, 800, -1.7642, 16000, -0.0274],
      [500, 1, 0, 3000, 1, 0, 800, -1.7642, 4242.641, -2.2463]
    ),
    Fit(
      11025,
      .init(frequency: 1000, bandwidth: 3, level: -12),
      error: 1.0043,
      isReached: true,
      [413.225, 1, -0.2158, 1342.573, 1, -7.8039, 800, -11.8102, 4000, -0.3188],
      [744.839, 1, -3.8643, 2419.988, 1, -4.6186, 353.553, 11.3809, 4000, -0.3188]
    ),
  ]

  @Test(arguments: fits) func `A chain of two equalizers has the numbers of the reference`(fit: Fit) {
    let design = EqualizerDesign(of: fit.band, rate: fit.rate)
    #expect(design.stages.count == 2)
    for (stage, expected) in zip(design.stages, fit.stages) {
      let (first, second) = (stage.band1, stage.band2)
      let numbers = [
        first.center, first.width, first.level.rawValue, second.center, second.width, second.level.rawValue,
        stage.low.cutoff, stage.low.level.rawValue, stage.high.cutoff, stage.high.level.rawValue,
      ]
      for (number, expected) in zip(numbers, expected) {
        #expect(abs(number - expected) < 2e-4 + 2e-6 * abs(expected), "\(numbers)")
      }
    }
    let isClamped = if case .clamped = design.accuracy { true } else { false }
    #expect(isClamped == !fit.isReached && abs(design.accuracy.largestError - Double(fit.error)) < 1e-4)
  }

  private static let shelves: [(Double, [Float], ParametricEqualizer, [Float], Float)] = [
    (48000, [5000, 250, 0.8913, 1], .init(frequency: 100, bandwidth: 1, level: 6), [-1.4995, 0, 0.9934], 5.0066),
    (48000, [5000, 250, 0.8913, 1], .init(frequency: 1000, bandwidth: 3, level: -12), [0, 0, -4.3725], 7.6303),
    (48000, [5000, 250, 0.8913, 1], .init(frequency: 9000, bandwidth: 0.5, level: 12), [0, -0.5, 0.8075], 9.3192),
    (48000, [5000, 250, 0.8913, 1], .init(frequency: 60, bandwidth: 4, level: -6), [-1, -2.5, -0.2852], 1.3336),
    (48000, [5000, 250, 0.8913, 1], .init(frequency: 12000, bandwidth: 2, level: -18), [-8.4995, 0, -0.6939], 8.5209),
    (
      48000, [5000, 250, 0.8913, 1], .init(frequency: 3500, bandwidth: 0.3125, level: -18), [-0.9995, 0, -0.9364],
      17.0636
    ),
    (48000, [2000, 500, 0, 0.25], .init(frequency: 100, bandwidth: 1, level: 6), [-58, -10.5412, -2.2678], 3.648),
    (48000, [2000, 500, 0, 0.25], .init(frequency: 9000, bandwidth: 2, level: 12), [-60, -15.5412, 5.7786], 6.2219),
    (48000, [2000, 500, 0, 0.25], .init(frequency: 200, bandwidth: 4, level: -18), [-60, -17.0412, -2.8336], 9.6069),
    (
      11025, [5000, 250, 0.5, 0.5], .init(frequency: 4000, bandwidth: 3, level: -9), [-7.5206, -2.0206, -8.0684], 1.4865
    ),
    (
      11025, [5000, 250, 0.5, 0.5], .init(frequency: 250, bandwidth: 2, level: 12), [-12.5206, -5.5206, 3.2491], 8.2509
    ),
  ]

  @Test func `The shelves of a reverb have the numbers of the reference`() {
    for (rate, room, band, expected, error) in Self.shelves {
      var acoustics = RoomAcoustics()
      (acoustics.highFrequencyReference, acoustics.lowFrequencyReference) = (room[0], room[1])
      (acoustics.highFrequencyGain, acoustics.lowFrequencyGain) = (Gain(room[2]), Gain(room[3]))
      let fit = ShelfDesign(of: band, in: acoustics, rate: rate)
      let numbers = [
        fit.room.highFrequencyGain.decibels.rawValue, fit.room.lowFrequencyGain.decibels.rawValue, fit.offset,
      ]
      #expect(zip(numbers, expected).allSatisfy { abs($0 - $1) < 2e-4 }, "\(band): \(numbers)")
      #expect(abs(fit.accuracy.largestError - Double(error)) < 1e-3, "\(band): \(fit.accuracy)")
      acoustics.highFrequencyGain = fit.room.highFrequencyGain
      acoustics.lowFrequencyGain = fit.room.lowFrequencyGain
      #expect(fit.room == acoustics)
    }
  }

  @Test func `A band without a level needs no equalizer, and an exact one needs a single band`() {
    let silent = ParametricEqualizer(frequency: 100, bandwidth: 3, level: 0)
    #expect(EqualizerDesign(of: silent, rate: 48_000).stages.isEmpty)
    #expect(EqualizerDesign(of: silent, rate: 48_000).accuracy == .exact)
    let shelves = ShelfDesign(of: silent, in: RoomAcoustics(), rate: 48_000)
    #expect(shelves.room == RoomAcoustics() && shelves.offset == 0 && shelves.accuracy == .exact)
    let level = ParametricEqualizer(frequency: 100, bandwidth: 3, level: 1)
    #expect(ShelfDesign(of: level, in: RoomAcoustics(), rate: 48_000).accuracy != .exact)
    for (frequency, bandwidth, isExact) in [
      (200, 0.5, true), (199.9, 0.5, false), (8_000, 0.5, true), (8_000.1, 0.5, false), (1_000, 1, true),
      (1_000, 1.01, false), (3_000, 1, true), (3_000.1, 1, true), (1_000, 0.05, true),
    ] as [(Float, Float, Bool)] {
      let band = ParametricEqualizer(frequency: frequency, bandwidth: bandwidth, level: -6)
      let design = EqualizerDesign(of: band, rate: 48_000)
      #expect((design.accuracy == .exact) == isExact, "\(band)")
      guard isExact else { continue }
      var expected = Effect.Equalizer()
      let stage = Effect.Equalizer.Band(center: frequency, width: bandwidth, level: -6)
      if frequency > 3_000 { expected.band2 = stage } else { expected.band1 = stage }
      #expect(design.stages == [expected])
    }
    // The grid ends at 0.45 of the rate, and so does the library's range.
    #expect(EqualizerDesign.reaches(4_499, rate: 10_000) && !EqualizerDesign.reaches(4_500, rate: 10_000))
    #expect(FrequencyGrid.end(rate: 10_000) == 4_500)
  }

  @Test func `Least squares solve their equations exactly without damping, and lower the factors with it`() {
    let shapes: [[Double]] = [[1, 0, 2, 0], [0, 3, 1, 1], [1, 1, 0, 5]]
    for factors in [[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [2, -3, 0.5]] {
      let target = (0..<4).map { row in zip(shapes, factors).reduce(0) { $0 + $1.0[row] * $1.1 } }
      let solved = leastSquares(shapes, target, damping: 0)
      #expect(zip(solved, factors).allSatisfy { abs($0 - $1) < 1e-12 } && solved.count == 3)
    }
    // One shape: its product with the target by its product with itself and the damping.
    #expect(leastSquares([[3, 4]], [1, 2], damping: 0) == [11.0 / 25])
    #expect(leastSquares([[3, 4]], [1, 2], damping: 7) == [11.0 / 32])
    // Two equal shapes share the target by the damping.
    let shared = leastSquares([[1, 1], [1, 1]], [3, 3], damping: 0.5)
    #expect(shared.allSatisfy { abs($0 - 6 / 4.5) < 1e-12 })
    #expect(leastSquares([], [1, 2], damping: 1).isEmpty)
  }

  @Test func `Filters have half of a shelf's level and all of a peak's at their own frequency`() {
    let grid = FrequencyGrid([20, 300, 1_000, 5_000, 23_000], rate: 48_000)
    for level in [-18.0, -6, 3, 18] {
      for slope in [0.75, 1] {
        let low = Biquad.shelf(.low, frequency: 1_000, level: level, slope: slope, rate: 48_000).levels(on: grid)
        let high = Biquad.shelf(.high, frequency: 1_000, level: level, slope: slope, rate: 48_000).levels(on: grid)
        #expect(abs(low[0] - level) < 0.05 && abs(low[2] - level / 2) < 1e-9 && abs(low[4]) < 0.01)
        #expect(abs(high[0]) < 0.05 && abs(high[2] - level / 2) < 1e-9 && abs(high[4] - level) < 0.01)
        // Together they are one gain, at a slope of 1.
        if slope == 1 { #expect(zip(low, high).allSatisfy { abs($0 + $1 - level) < 0.2 * abs(level) }) }
      }
      let peak = Biquad.peak(frequency: 1_000, level: level, octaves: 1, rate: 48_000).levels(on: grid)
      #expect(abs(peak[2] - level) < 1e-9 && abs(peak[0]) < 0.1 && abs(peak[4]) < 0.1)
      // A filter above the highest angle of the library equals the filter at that angle, 0.49 of the rate.
      let edge = Biquad.shelf(.high, frequency: 4_900, level: level, slope: 1, rate: 10_000).levels(on: grid)
      #expect(Biquad.shelf(.high, frequency: 6_000, level: level, slope: 1, rate: 10_000).levels(on: grid) == edge)
      #expect(Biquad.shelf(.high, frequency: 4_800, level: level, slope: 1, rate: 10_000).levels(on: grid) != edge)
    }
  }

  @Test func `A grid ends at 20 kHz or 0.45 of the rate, and takes other frequencies up to there`() {
    for (rate, top) in [(48_000.0, 20_000.0), (44_100, 19_845), (8_000, 3_600)] {
      let grid = FrequencyGrid(count: 5, including: [19, 20, 1_234, 3_600, 20_000, 20_001], rate: rate)
      let even = (0..<5).map { 20 * pow(top / 20, Double($0) / 4) }
      let others = [20, 1_234, 3_600, 20_000].filter { $0 <= top }
      let expected = (even + others).sorted()
      #expect(grid.frequencies.count == expected.count)
      #expect(zip(grid.frequencies, expected).allSatisfy { abs($0 - $1) < 1e-8 })
    }
    let band = ParametricEqualizer(frequency: 1_000, bandwidth: 2, level: 1)
    #expect(band.landmarks(2) == [250, 500, 1_000, 2_000, 4_000])
  }
}
