internal import Glibc
internal import PCM

/// The arithmetic of loudness by ITU-R BS.1770-4.
enum LoudnessScale {
  /// The loudness of a weighted mean square, in LUFS.
  static func loudness(ofPower power: Double) -> Double { -0.691 + 10 * log10(max(power, 1e-30)) }

  /// The weighted mean square of a loudness.
  static func power(ofLoudness loudness: Double) -> Double { pow(10, (loudness + 0.691) / 10) }

  /// The weights of channels: 0 for low-frequency effects, 1.41 for loudspeakers at the sides.
  static func weights(of layout: ChannelLayout) -> [Double] {
    switch layout {
    case .surround51: [1, 1, 1, 0, 1.41, 1.41]
    case .surround61: [1, 1, 1, 0, 1, 1.41, 1.41]
    case .surround71: [1, 1, 1, 0, 1, 1, 1.41, 1.41]
    default: Array(repeating: 1, count: layout.channelCount)
    }
  }
}
