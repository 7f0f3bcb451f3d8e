/// The rate and the channels that a program requests for a file's sound.
///
/// The caller chooses the type of the samples at the read: ``AudioFile/readAll(as:)``.
///
/// The Core Audio counterpart is `kExtAudioFileProperty_ClientDataFormat`.
public struct ClientFormat: Hashable, Sendable {
  /// Frames per second, 1,000 to 768,000 hertz; `nil`, the default, for the file's own.
  ///
  /// A conversion keeps frequencies up to 0.9 of half the lower rate within 0.1 dB, and lowers images and aliases by
  /// more than 90 dB. With the package's trait `Resampling`, libsoxr does it in about half of the time.
  public var sampleRate: Int?

  /// The channels; `nil`, the default, for the file's own.
  ///
  /// A channel that the layout lacks goes to its neighbours, at a lower level, so that nothing clips. Low-frequency
  /// effects are dropped. Channels that the file lacks are silent, but a mono sound comes from left and right, or from
  /// the centre.
  public var layout: ChannelLayout?

  /// A format with an optional rate in hertz and an optional layout.
  public init(sampleRate: Int? = nil, layout: ChannelLayout? = nil) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// The file's own rate and channels.
  public static let asStored = ClientFormat()

  /// One channel, for a sound with a position in space: OpenAL plays any other layout unchanged.
  public static let mono = ClientFormat(layout: .mono)
}
