import Glibc

/// A band-pass filter of the library: the gain of all frequencies, and the gains of 250 Hz and of 5 kHz on top.
struct PathFilter: Hashable, Sendable {
  var gain: Float = 1
  var lowGain: Float = 1
  var highGain: Float = 1

  /// A filter that lowers all frequencies up to 5 kHz, and 5 kHz, by some decibels each, then 250 Hz and 5 kHz by the
  /// levels of a tone; all are 0 or below.
  ///
  /// The library's filter ends at -60 dB at 5 kHz; the rest is taken off all frequencies.
  init(low: Float, high: Float, tone: ToneFilter) {
    let high = high + tone.high.rawValue
    let relative = max(high - low, Self.lowest)
    let rest = min(0, high - low - Self.lowest)
    gain = pow(10, (low + rest) / 20)
    // A tone of 0 dB is exactly 1, so that a path without a filter has none in the library.
    lowGain = pow(10, tone.low.rawValue / 20)
    highGain = pow(10, relative / 20)
  }

  init() {}

  /// The filter at another level.
  func scaled(by factor: Float) -> PathFilter {
    var scaled = self
    scaled.gain *= factor
    return scaled
  }

  private static let lowest: Float = -60
}

extension PathFilter {
  /// The ratio behind a closed door: low frequencies lose a quarter of the decibels at 5 kHz.
  ///
  /// The ratios are the defaults of Creative Labs' `EAXSOURCE_OCCLUSIONLFRATIO` and `EAXSOURCE_OBSTRUCTIONLFRATIO`.
  private static let occlusionLowRatio: Float = 0.25
  private static let obstructionLowRatio: Float = 0

  /// The filter of the direct path of a source.
  static func direct(occlusion: Decibels, obstruction: Decibels, tone: ToneFilter = ToneFilter()) -> PathFilter {
    PathFilter(
      low: occlusionLowRatio * occlusion.rawValue + obstructionLowRatio * obstruction.rawValue,
      high: occlusion.rawValue + obstruction.rawValue,
      tone: tone
    )
  }

  /// The filter of the path to an effect.
  static func send(
    occlusion: Decibels,
    lowPass: Decibels = 0,
    tone: ToneFilter = ToneFilter()
  ) -> PathFilter {
    PathFilter(low: occlusionLowRatio * occlusion.rawValue, high: occlusion.rawValue + lowPass.rawValue, tone: tone)
  }
}

/// Apple's law of dry and wet: equal power, which keeps the loudness of a sound between the two.
///
/// `AudioUnitParameters.h` documents it at `k3DMixerParam_ReverbBlend`.
enum DryWetLaw {
  /// The gain of the direct path at a blend from 0 to 1.
  static func dry(_ blend: Float) -> Float { blend >= 1 ? 0 : cos(blend * .pi / 2) }

  /// The gain of the path to the reverb.
  static func wet(_ blend: Float) -> Float { sin(blend * .pi / 2) }
}
