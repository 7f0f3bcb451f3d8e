/// The shape of uncompressed audio: the sample rate and the channels of a frame.
public struct PCMFormat: Hashable, Sendable {
  /// Frames per second, in hertz.
  public var sampleRate: Int

  /// The channels of a frame, and their order.
  public var layout: ChannelLayout

  /// The number of channels in a frame.
  public var channelCount: Int { layout.channelCount }

  /// A format with a rate in hertz and a layout.
  ///
  /// The initialiser accepts any rate. Opening a device, filling a sound buffer or creating a file throws an error with
  /// the rate if it is not available there.
  public init(sampleRate: Int, layout: ChannelLayout) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// One channel at a rate in hertz.
  public static func mono(sampleRate: Int) -> PCMFormat {
    PCMFormat(sampleRate: sampleRate, layout: .mono)
  }

  /// Left and right at a rate in hertz.
  public static func stereo(sampleRate: Int) -> PCMFormat {
    PCMFormat(sampleRate: sampleRate, layout: .stereo)
  }
}

extension PCMFormat: CustomStringConvertible {
  /// The format in words, such as `"stereo at 48000 Hz"`.
  public var description: String { "\(layout) at \(sampleRate) Hz" }
}
