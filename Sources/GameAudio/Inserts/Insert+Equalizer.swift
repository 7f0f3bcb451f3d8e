internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// Filters of second order in a row: an equalizer with any number of bands.
  ///
  /// The frequencies, levels and qualities of the bands glide to new values. A list with another shape at a position
  /// crossfades. There is no latency.
  ///
  /// AVFAudio: `AVAudioUnitEQ`. FMOD: `FMOD_DSP_TYPE_MULTIBAND_EQ`. Wwise: Parametric EQ.
  public struct Equalizer: Hashable, Sendable {
    /// The filters, in order; none by default.
    public var bands: [Band]

    /// An equalizer with bands in a row.
    public init(_ bands: [Band] = []) { self.bands = bands }

    /// The level of all bands together at a frequency in hertz, as it is rendered at a sample rate in hertz.
    ///
    /// The result is the exact response. It is 0 at a frequency that is NaN, and a frequency above half of the rate
    /// counts as half of the rate.
    public func level(at frequency: Float, sampleRate: Int) -> Decibels {
      Decibels(Float(EqualizerDesign(filterBands, sampleRate: sampleRate).gain(at: Double(frequency))))
    }

    var filterBands: [FilterBand] { bands.map(\.filterBand) }
  }
}

extension Insert.Equalizer {
  /// A filter of second order.
  ///
  /// AVFAudio: `AVAudioUnitEQFilterParameters`, with a bandwidth in octaves instead of ``q``.
  public struct Band: Hashable, Sendable {
    /// The response of a filter.
    public enum Shape: String, Hashable, Sendable, Codable, CaseIterable {
      /// A gain around the frequency.
      case bell
      /// A gain below the frequency.
      case lowShelf
      /// A gain above the frequency.
      case highShelf
      /// The frequencies below the frequency, with 12 dB an octave above it.
      case lowPass
      /// The frequencies above the frequency, with 12 dB an octave below it.
      case highPass
      /// All frequencies but the frequency.
      case notch
      /// The frequencies around the frequency, with 6 dB an octave on both sides.
      case bandPass
    }

    /// The response.
    public var shape: Shape

    /// The frequency in hertz: the middle, the corner of a pass, or the point with half of the gain of a shelf.
    ///
    /// Range: 10 Hz to 0.49 of the sample rate. NaN counts as 1,000 Hz.
    public var frequency: Float

    /// The gain of a bell or a shelf in decibels; the other shapes have none.
    ///
    /// Range: -24 to 24 dB. Default: 0 dB.
    public var level: Decibels

    /// The quality: a bell is narrower with a higher quality, and a pass or a shelf resonates above 0.7071.
    ///
    /// A pass with 0.7071 is flat. Range: 0.1 to 20. Default: 0.7071, the square root of one half.
    public var q: Float

    /// A filter by its shape and its frequency in hertz.
    public init(_ shape: Shape, _ frequency: Float, level: Decibels = 0, q: Float = 0.707_106_77) {
      (self.shape, self.frequency, self.level, self.q) = (shape, frequency, level, q)
    }
  }
}

// MARK: - The processor

extension Insert.Equalizer.Band {
  fileprivate var filterBand: FilterBand {
    FilterBand(shape.filterShape, Double(frequency), gain: Double(level.rawValue), quality: Double(q))
  }
}

extension Insert.Equalizer.Band.Shape {
  fileprivate var filterShape: FilterShape {
    switch self {
    case .bell: .bell
    case .lowShelf: .lowShelf
    case .highShelf: .highShelf
    case .lowPass: .lowPass
    case .highPass: .highPass
    case .notch: .notch
    case .bandPass: .bandPass
    }
  }
}

extension Insert.Equalizer: InsertSettings {
  static let standard = Self()
  static let properties = [InsertProperty<Self>("bands", \.bands)]

  func faults(named name: () -> String, sampleRate: Int) -> [ValueFault] {
    var faults: [ValueFault] = []
    for (index, band) in bands.enumerated() {
      for property in Band.properties {
        faults.add(property.fault(band, { "\(name()).bands[\(index)]" }, sampleRate))
      }
    }
    return faults
  }
}

extension Insert.Equalizer {
  var words: [String] { bands.map { $0.words.joined(separator: " ") } }
}

extension Insert.Equalizer.Band: InsertSettings {
  static let standard = Self(.bell, 1_000)
  static let properties = [
    InsertProperty<Self>("shape", \.shape, isRequired: true),
    InsertProperty("frequency", \.frequency, isRequired: true) { .filterFrequencies($1) },
    InsertProperty(level: "level", \.level, in: -24...24),
    InsertProperty("q", \.q, in: 0.1...20),
  ]
}

// MARK: - Files

extension Insert.Equalizer: Codable {
  /// Decodes the list of `bands`; an absent list is empty.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the list of `bands`.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}

extension Insert.Equalizer.Band: Codable {
  /// Decodes the properties by their names; a file has a `shape` and a `frequency`, and another absent property has its
  /// default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the shape, the frequency, and the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
