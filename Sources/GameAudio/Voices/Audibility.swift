internal import Glibc
internal import Spatial3D

/// The loudness of an emitter at the listener, as the factors that make it up.
///
/// All factors are linear. The choice of the voices and the explanations use the same factors. Pure: no call and no
/// lock.
struct Audibility: Hashable, Sendable {
  /// The emitter's own gain.
  var gain: Float = 1
  /// The change of the level that the play has drawn.
  var variation: Float = 1
  var fade: Float = 1
  /// The correction for copies that began together.
  var copyGain: Float = 1
  var bus: Float = 1
  var listener: Float = 1
  var attenuation: Float = 1
  /// The fade ahead of the distance beyond which the sound is silent.
  var reach: Float = 1
  var cone: Float = 1
  var occlusion: Float = 1
  var obstruction: Float = 1
  /// The loss by the filters of the buses.
  var filter: Float = 1
  /// The level of the sound itself: for the choice, the highest one in the next 250 ms.
  var envelope: Float = 1
  /// The power of the sends to effects, re the direct path without cone and obstruction.
  var sends: Float = 0

  /// The amplitude at the listener, of the direct path and of the room.
  var audible: Float {
    let common =
      gain * variation * fade * copyGain * bus * listener * attenuation * reach * occlusion * filter * envelope
    let direct = cone * obstruction
    return min(common * (direct * direct + sends).squareRoot(), Self.largest)
  }

  /// The largest amplitude that counts: 120 dB above full scale.
  ///
  /// Chosen: scores stay finite with the factor of each priority.
  static let largest: Float = 1e6

  /// The amplitude below which an emitter has no voice: -80 dB.
  ///
  /// Chosen: with peaks at 100 dB of sound pressure, this is 20 dB, below the noise of a quiet room.
  static let threshold: Float = 1e-4
  /// The amplitude from which on a virtual emitter may have a voice again: 3 dB above the threshold.
  ///
  /// Chosen: a listener who stands at the distance of the threshold does not make the emitter alternate.
  static let thresholdOfReturn: Float = 1.4125e-4
  /// The factor by which a real emitter counts as louder: 1.5 dB.
  ///
  /// Chosen: listeners notice a difference of levels from about 1 dB on, and two emitters that sound equally loud do
  /// not exchange their voice.
  static let hysteresis: Float = 1.1885

  /// The factor ahead of the distance beyond which a sound is silent: it falls over the last tenth.
  ///
  /// Chosen: a voice that crosses the distance falls silent without a step.
  static func reach(at distance: Float, of silentBeyond: Float) -> Float {
    guard silentBeyond < .infinity else { return 1 }
    let start = silentBeyond * 0.9
    guard distance > start else { return 1 }
    return max((silentBeyond - distance) / (silentBeyond - start), 0)
  }

  /// The angle of a cosine, in degrees.
  static func degrees(ofCosine cosine: Float) -> Float { acos(min(max(cosine, -1), 1)) * 180 / .pi }

  // The tables below are the loss of power of pink noise from 20 Hz to 20 kHz, behind the filters that Spatial3D sets
  // for these levels. The same noise, rendered by OpenAL Soft 1.19.1 and 1.25.2, loses the same within 0.1 dB. Pink
  // noise stands for an unknown sound: each octave has the same power.

  /// The loudness of pink noise behind an occlusion: its highs are attenuated more than its lows.
  ///
  /// The filter is a gain of a quarter of the level, and a shelf at 5 kHz of the rest.
  static func loudness(ofOcclusion level: Decibels) -> Float {
    interpolated(level.rawValue, [0, 3.8, 6.7, 12.5, 18.6])
  }

  /// The loudness of pink noise behind an obstruction: a shelf at 5 kHz.
  static func loudness(ofObstruction level: Decibels) -> Float {
    interpolated(level.rawValue, [0, 1.4, 1.9, 3.2, 5.1])
  }

  /// The loudness of pink noise with less of its lows and highs, in decibels at 250 Hz and at 5 kHz.
  ///
  /// An estimate: within 0.1 dB of the noise at the points of the table, and within 1.5 dB between them. The loss
  /// behind both shelves exceeds the sum of their losses: each of them leaves the band that the other one removes.
  static func loudness(ofLow low: Float, high: Float) -> Float {
    let (row, rowPart) = place(of: low)
    let loss = loss(ofHigh: high, row) * (1 - rowPart) + loss(ofHigh: high, row + 1) * rowPart
    return loss > 0 ? pow(10, -loss / 20) : 1
  }

  /// The loss with less of the highs, with 0, 10, 20, 40 or 60 dB less of the lows.
  private static func loss(ofHigh high: Float, _ row: Int) -> Float {
    switch row {
    case 0: loss(high, [0, 1.4, 1.9, 3.2, 5.1])
    case 1: loss(high, [2.5, 5.6, 7.1, 12.8, 22.4])
    case 2: loss(high, [3.3, 7.2, 9.5, 18.6, 33.4])
    case 3: loss(high, [5.2, 13, 18.7, 33.8, 51.4])
    default: loss(high, [8.2, 24, 33.9, 51.5, 70])
    }
  }

  /// A gain from a table of losses at 0, 10, 20, 40 and 60 dB.
  private static func interpolated(_ level: Float, _ losses: InlineArray<5, Float>) -> Float {
    level < 0 ? pow(10, -loss(level, losses) / 20) : 1
  }

  /// A loss from a table of losses at 0, 10, 20, 40 and 60 dB.
  private static func loss(_ level: Float, _ losses: InlineArray<5, Float>) -> Float {
    let (index, part) = place(of: level)
    return losses[index] + part * (losses[index + 1] - losses[index])
  }

  /// The index of the table entry below a level, and the fraction of the interval up to the next entry.
  private static func place(of level: Float) -> (index: Int, part: Float) {
    let attenuation = min(max(-level, 0), 60)
    if attenuation < 10 { return (0, attenuation / 10) }
    if attenuation < 20 { return (1, (attenuation - 10) / 10) }
    return attenuation < 40 ? (2, (attenuation - 20) / 20) : (3, (attenuation - 40) / 20)
  }
}

extension DistanceModel {
  /// Whether no distance has a gain above 1.
  var isBounded: Bool {
    switch self {
    case .none, .inverseClamped, .linearClamped, .exponentClamped: true
    case .inverse, .linear, .exponent: false
    }
  }
}
