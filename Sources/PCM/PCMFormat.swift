/// The shape of uncompressed audio: how many frames a second, and which channels a frame holds.
public struct PCMFormat: Hashable, Sendable {
  /// Frames per second, in hertz.
  public var sampleRate: Int

  /// The channels of a frame, and their order.
  public var layout: ChannelLayout

  /// How many channels a frame has.
  public var channelCount: Int { layout.channelCount }

  /// A format of a rate in hertz and a layout.
  ///
  /// Any rate can be written down; whoever opens a device, fills a sound buffer or creates a file with it throws an error
  /// that names the rate where it cannot be had.
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
