internal import Glibc
public import Spatial3D

/// The settings of the buses of a mixer, as a value.
///
/// A snapshot is `Codable`: an object with a line for each bus. A value that a line leaves out is its default.
///
/// FMOD: snapshot. Unity: `AudioMixerSnapshot`. Wwise: state.
public struct MixSnapshot: Hashable, Sendable {
  /// The settings of one bus.
  public struct Line: Hashable, Sendable {
    /// The gain of the bus; -96 dB and below is silence.
    ///
    /// Range: 0 (silence) to 12 dB; ``Mixer/apply(_:_:)`` clamps it. Default: 1.
    public var gain: Gain
    /// The level of the filter at 250 Hz.
    ///
    /// Range: -60 to 0 dB; ``Mixer/apply(_:_:)`` clamps it. Default: 0.
    public var low: Decibels
    /// The level of the filter at 5 kHz.
    ///
    /// Range: -60 to 0 dB; ``Mixer/apply(_:_:)`` clamps it. Default: 0.
    public var high: Decibels
    /// The factor of the pitch.
    ///
    /// Range: 0.25 to 4; ``Mixer/apply(_:_:)`` clamps it. Default: 1.
    public var pitch: Float
    /// The processors of the sum of the bus; `nil`, the default, leaves them as they are.
    ///
    /// Inserts of the same kinds glide to their new values over the fade of ``Mixer/apply(_:_:)``. Other lists
    /// crossfade.
    public var inserts: [Insert]?

    /// A line; the defaults are the settings of a new bus.
    public init(
      gain: Gain = .unity,
      low: Decibels = 0,
      high: Decibels = 0,
      pitch: Float = 1,
      inserts: [Insert]? = nil
    ) {
      (self.gain, self.low, self.high, self.pitch, self.inserts) = (gain, low, high, pitch, inserts)
    }

    /// The level that stands for silence: the dynamic range of 16 bits.
    static let silence: Decibels = -96

    /// The settings between two lines, straight in decibels and in semitones.
    ///
    /// A value that no bus can have stays so, and ``Mixer/apply(_:_:)`` reports it.
    fileprivate func mixed(with other: Line, _ part: Float) -> Line {
      func mean(_ first: Decibels, _ last: Decibels) -> Decibels {
        guard !first.rawValue.isNaN, !last.rawValue.isNaN else { return Decibels(.nan) }
        let (first, last) = (max(first, Self.silence), max(last, Self.silence))
        return first + Decibels((last - first).rawValue * part)
      }
      func mean(_ first: Gain, _ last: Gain) -> Gain {
        guard first.isUsable, last.isUsable else { return first.isUsable ? last : first }
        let level = mean(first.decibels, last.decibels)
        return level > Self.silence ? .decibels(level) : .silence
      }
      let isGeometric = pitch > 0 && other.pitch > 0
      return Line(
        gain: mean(gain, other.gain),
        low: mean(low, other.low),
        high: mean(high, other.high),
        pitch: isGeometric ? pitch * pow(other.pitch / pitch, part) : pitch + (other.pitch - pitch) * part,
        // No list is between two lists.
        inserts: part < 0.5 ? inserts : other.inserts
      )
    }
  }

  /// The settings by the names of the buses.
  public var lines: [BusName: Line]

  /// A snapshot of some buses.
  public init(lines: [BusName: Line] = [:]) { self.lines = lines }

  /// The settings of a bus; the defaults of a new bus if the snapshot has no settings for it.
  public subscript(_ bus: BusName) -> Line {
    get { lines[bus] ?? Line() }
    set { lines[bus] = newValue }
  }

  /// A snapshot between this snapshot and another snapshot.
  ///
  /// A part of 0 is this snapshot, and a part of 1 the other snapshot. Range of the part: 0 to 1, clamped; a part that
  /// is not finite counts as 0. A bus that only one of them names has its settings from there. Inserts are of the
  /// nearer snapshot: fade to them by ``Mixer/apply(_:_:)``.
  public func blended(with other: MixSnapshot, _ part: Float) -> MixSnapshot {
    let part = part.isFinite ? min(max(part, 0), 1) : 0
    return MixSnapshot(lines: lines.merging(other.lines) { $0.mixed(with: $1, part) })
  }
}

extension MixSnapshot: Codable {
  /// Decodes the lines; an object by the names of the buses.
  public init(from decoder: any Decoder) throws { lines = try [BusName: Line](from: decoder) }

  /// Encodes the lines as an object by the names of the buses.
  public func encode(to encoder: any Encoder) throws { try lines.encode(to: encoder) }
}

extension MixSnapshot.Line: Codable {
  private enum Key: String, CodingKey { case gain, low, high, pitch, inserts }

  /// Decodes the values; an absent value is the default.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(
      gain: try values.decodeIfPresent(Gain.self, forKey: .gain) ?? .unity,
      low: try values.decodeIfPresent(Decibels.self, forKey: .low) ?? 0,
      high: try values.decodeIfPresent(Decibels.self, forKey: .high) ?? 0,
      pitch: try values.decodeIfPresent(Float.self, forKey: .pitch) ?? 1,
      inserts: try values.decodeIfPresent([Insert].self, forKey: .inserts)
    )
  }

  /// Encodes the values that are no default; a level or a pitch that is not finite is left out.
  ///
  /// A level below -96 dB is encoded as -96 dB. Throws an `EncodingError` for a gain that is negative or not finite.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    if gain != .unity { try values.encode(gain, forKey: .gain) }
    for (key, level) in [(Key.low, low), (.high, high)] where level != 0 && level.rawValue < .infinity {
      try values.encode(max(level, Self.silence), forKey: key)
    }
    if pitch != 1, pitch.isFinite { try values.encode(pitch, forKey: .pitch) }
    try values.encodeIfPresent(inserts, forKey: .inserts)
  }
}
