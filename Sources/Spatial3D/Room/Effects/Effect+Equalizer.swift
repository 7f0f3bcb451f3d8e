extension Effect {
  /// An equaliser of four bands, each raised or lowered by up to 18 dB.
  public struct Equalizer: Hashable, Sendable {
    /// A side of the spectrum.
    public struct Shelf: Hashable, Sendable {
      /// The level of that side.
      ///
      /// Range: -18 to 18 dB. Default: 0.
      public var level: Decibels = 0

      /// The cutoff, in hertz: 50 to 800 of the low shelf, 4,000 to 16,000 of the high shelf.
      ///
      /// The high shelf begins at 0.49 of the mix's rate at most. A diagnostic with the code
      /// ``Diagnostic/Code/effectLimited`` reports a lowered one. OpenAL Soft 1.25.2 lowers it itself.
      public var cutoff: Float

      /// A side of the spectrum with its cutoff.
      public init(cutoff: Float, level: Decibels = 0) {
        self.cutoff = cutoff
        self.level = level
      }
    }

    /// A band in the middle of the spectrum.
    public struct Band: Hashable, Sendable {
      /// The level of the band.
      ///
      /// Range: -18 to 18 dB. Default: 0.
      public var level: Decibels = 0

      /// The middle, in hertz: 200 to 3,000 of the first band, 1,000 to 8,000 of the second band.
      ///
      /// The limit is 0.48 of the mix's rate. A diagnostic with the code ``Diagnostic/Code/effectLimited`` reports a
      /// lowered one.
      public var center: Float

      /// The width, in octaves.
      ///
      /// Range: 0.01 to 1. Default: 1.
      public var width: Float

      /// A band about a frequency.
      public init(center: Float, width: Float = 1, level: Decibels = 0) {
        self.center = center
        self.width = width
        self.level = level
      }
    }

    /// Low frequencies.
    ///
    /// Default: below 200 Hz (`AL_EQUALIZER_LOW_GAIN`, `AL_EQUALIZER_LOW_CUTOFF`).
    public var low: Shelf

    /// The first band.
    ///
    /// Default: about 500 Hz (`AL_EQUALIZER_MID1_GAIN` and its like).
    public var band1: Band

    /// The second band.
    ///
    /// Default: about 3,000 Hz (`AL_EQUALIZER_MID2_GAIN` and its like).
    public var band2: Band

    /// High frequencies.
    ///
    /// Default: above 6,000 Hz (`AL_EQUALIZER_HIGH_GAIN`, `AL_EQUALIZER_HIGH_CUTOFF`).
    public var high: Shelf

    /// An equaliser; the defaults have no effect.
    public init(
      low: Shelf = Shelf(cutoff: 200),
      band1: Band = Band(center: 500),
      band2: Band = Band(center: 3_000),
      high: Shelf = Shelf(cutoff: 6_000)
    ) {
      self.low = low
      self.band1 = band1
      self.band2 = band2
      self.high = high
    }

    var isFinite: Bool {
      let bands = [band1, band2].allSatisfy { $0.level.rawValue.isFinite && $0.center.isFinite && $0.width.isFinite }
      return bands && [low, high].allSatisfy { $0.level.rawValue.isFinite && $0.cutoff.isFinite }
    }

    var clamped: Equalizer {
      var equalizer = self
      equalizer.low = Shelf(cutoff: low.cutoff.clamped(to: 50...800), level: low.level.clamped(to: Self.levels))
      equalizer.high = Shelf(
        cutoff: high.cutoff.clamped(to: Self.highCutoffs),
        level: high.level.clamped(to: Self.levels)
      )
      equalizer.band1 = band1.clamped(to: 200...3_000)
      equalizer.band2 = band2.clamped(to: 1_000...8_000)
      return equalizer
    }

    static let levels: ClosedRange<Decibels> = -18...18
    static let highCutoffs: ClosedRange<Float> = 4_000...16_000
  }
}

extension Effect.Equalizer.Band {
  fileprivate func clamped(to centers: ClosedRange<Float>) -> Self {
    Self(
      center: center.clamped(to: centers),
      width: width.clamped(to: 0.01...1),
      level: level.clamped(to: Effect.Equalizer.levels)
    )
  }
}
