/// The rate and the channels in which a program wants a file's sound, whatever the file has.
///
/// The type of the samples is chosen where they are read: ``AudioFile/readAll(as:)``.
///
/// The Core Audio counterpart is `kExtAudioFileProperty_ClientDataFormat`.
public struct ClientFormat: Hashable, Sendable {
  /// Frames per second, 1,000 to 768,000 hertz; `nil`, the default, for the file's own.
  ///
  /// Any other than the file's own needs the package's trait `Resampling`.
  public var sampleRate: Int?

  /// The channels; `nil`, the default, for the file's own.
  ///
  /// Channels that the layout lacks go to those next to them, quieter, so that nothing clips; low-frequency effects are
  /// dropped. Channels that the file lacks are silent, but a mono sound comes from left and right, or from the centre.
  public var layout: ChannelLayout?

  /// A format with a rate in hertz and a layout, where they are given.
  public init(sampleRate: Int? = nil, layout: ChannelLayout? = nil) {
    self.sampleRate = sampleRate
    self.layout = layout
  }

  /// The file's own rate and channels.
  public static let asStored = ClientFormat()

  /// One channel, to be placed in space: OpenAL plays any other as it is.
  public static let mono = ClientFormat(layout: .mono)
}
