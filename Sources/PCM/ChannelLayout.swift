/// The channels of a frame of audio, and their order.
///
/// Surround layouts are in WAVE order, like OpenAL's multichannel formats: front left, front right, front centre,
/// low-frequency, then back channels, then sides.
///
/// The OpenAL counterparts are the `AL_FORMAT_…` names of `AL_EXT_MCFORMATS`.
public struct ChannelLayout: Hashable, Sendable {
  /// The number of channels in a frame, 1 to 1,024.
  public let channelCount: Int

  /// The layout's name in a sentence, such as `"5.1 surround"`.
  public let name: String

  private init(_ name: String, channelCount: Int) {
    self.name = name
    self.channelCount = channelCount
  }

  /// One channel: the layout of a sound with a position in space.
  public static let mono = ChannelLayout("mono", channelCount: 1)

  /// Left and right.
  public static let stereo = ChannelLayout("stereo", channelCount: 2)

  /// Front left, front right, back left, back right.
  public static let quad = ChannelLayout("quad", channelCount: 4)

  /// Front left, front right, front centre, low-frequency, side left, side right.
  public static let surround51 = ChannelLayout("5.1 surround", channelCount: 6)

  /// Front left, front right, front centre, low-frequency, back centre, side left, side right.
  public static let surround61 = ChannelLayout("6.1 surround", channelCount: 7)

  /// Front left, front right, front centre, low-frequency, back left, back right, side left, side right.
  public static let surround71 = ChannelLayout("7.1 surround", channelCount: 8)

  /// First-order Ambisonics without height: the sound field at one point, as W, X, Y.
  ///
  /// W is the pressure, X points ahead and Y to the left. The weights are Furse-Malham: W is 3 dB down, so a wave from
  /// straight ahead has X = 1 and W = 0.707. Ambisonics in ACN order with SN3D weights (AmbiX) is W, Y, Z, X: reorder
  /// it, and scale W by 0.707.
  ///
  /// A file does not declare its channels as B-Format; make a buffer of its samples with this layout.
  ///
  /// The OpenAL counterpart is `AL_FORMAT_BFORMAT2D_FLOAT32` of `AL_EXT_BFORMAT`.
  public static let bFormat2D = ChannelLayout("B-Format without height", channelCount: 3)

  /// First-order Ambisonics: the sound field at one point, as W, X, Y, Z.
  ///
  /// Z points up. The other axes and the weights are the same as in ``bFormat2D``.
  ///
  /// The OpenAL counterpart is `AL_FORMAT_BFORMAT3D_FLOAT32` of `AL_EXT_BFORMAT`.
  public static let bFormat3D = ChannelLayout("B-Format", channelCount: 4)

  /// The sound field at one point, as Ambisonics of an order.
  ///
  /// The layout suits a mix for later rotation, or for decoding to loudspeakers. It has 4, 9 or 16 channels in ACN
  /// order with SN3D weights (AmbiX): W, Y, Z, X and so on, with X ahead, Y to the left and Z up. The order is clamped
  /// to 1 to 3.
  ///
  /// The OpenAL counterpart is `ALC_BFORMAT3D_SOFT`.
  public static func ambisonic(order: Int) -> ChannelLayout {
    switch order {
    case ...1: ChannelLayout("first-order Ambisonics", channelCount: 4)
    case 2: ChannelLayout("second-order Ambisonics", channelCount: 9)
    default: ChannelLayout("third-order Ambisonics", channelCount: 16)
    }
  }

  /// Channels without a known position, as in a file with three or sixteen of them.
  ///
  /// The count is clamped to 1 to 1,024.
  public static func discrete(_ channelCount: Int) -> ChannelLayout {
    let count = min(max(channelCount, 1), 1_024)
    return ChannelLayout(count == 1 ? "1 discrete channel" : "\(count) discrete channels", channelCount: count)
  }

  /// The usual layout of a number of channels: mono for 1, stereo for 2, quad for 4, surround for 6, 7 and 8, discrete
  /// for any other.
  ///
  /// The result is never B-Format: a channel count does not distinguish it.
  public static func usual(channelCount: Int) -> ChannelLayout {
    switch channelCount {
    case 1: .mono
    case 2: .stereo
    case 4: .quad
    case 6: .surround51
    case 7: .surround61
    case 8: .surround71
    default: .discrete(channelCount)
    }
  }
}

extension ChannelLayout: CustomStringConvertible {
  /// The layout's ``name``.
  public var description: String { name }
}
