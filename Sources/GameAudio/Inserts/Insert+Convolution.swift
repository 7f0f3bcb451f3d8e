internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// A convolution with an impulse response: the reverb of a recorded room, or the sound of a recorded device.
  ///
  /// The processed sound is the response alone: the mix of the insert decides the share of the sound itself. It begins
  /// with the first sound of the response; a response without 2.7 ms of silence before it begins up to 128 frames late.
  ///
  /// A thread loads the file, and the processed sound is silent until then. `AudioContext.onDiagnostic` reports a file
  /// that cannot be read, and the insert then leaves the sound as it is. Two seconds of a stereo response take about
  /// 1 % of a processor core.
  ///
  /// Gardner, "Efficient Convolution without Input-Output Delay" (1995). FMOD: `FMOD_DSP_TYPE_CONVOLUTIONREVERB`.
  /// Wwise: Convolution Reverb.
  public struct Convolution: Hashable, Sendable {
    /// The path of the impulse response, in a format that `AudioFile` reads.
    ///
    /// The file has one channel, or a channel for each channel of the bus; with fewer, it uses them in turn. The file
    /// is converted to the rate of the bus.
    public var path: String

    /// The level of the response, after its energy is made 1: white noise then keeps its level.
    ///
    /// Range: -80 to 40 dB. Default: 0 dB.
    public var level: Decibels

    /// A silence before the response.
    ///
    /// Range: 0 to 1 s. Default: 0 s.
    public var predelay = Duration.zero

    /// The longest response; the end of a longer response fades out, and is not read further.
    ///
    /// Range: 10 ms to 10 s. Default: 6 s.
    public var longest = Duration.seconds(6)

    /// A convolution with the impulse response of a file.
    public init(_ path: String, level: Decibels = 0) { (self.path, self.level) = (path, level) }
  }
}

// MARK: - The processor

extension Insert.Convolution {
  /// The changes of the file before it becomes a response.
  var preparation: ImpulseResponse.Preparation {
    var preparation = ImpulseResponse.Preparation()
    (preparation.gain, preparation.predelay) = (Double(level.rawValue), predelay / .seconds(1))
    preparation.longest = longest / .seconds(1)
    return preparation
  }
}

extension Insert.Convolution: InsertSettings {
  static let standard = Self("")
  static let properties = [
    InsertProperty<Self>("path", \.path, isRequired: true),
    InsertProperty(level: "level", \.level, in: -80...40),
    InsertProperty(seconds: "predelay", \.predelay, in: .zero ... .seconds(1)),
    InsertProperty(seconds: "longest", \.longest, in: .milliseconds(10) ... .seconds(10)),
  ]
}

// MARK: - Files

extension Insert.Convolution: Codable {
  /// Decodes the properties by their names, the times in seconds; an absent property but the path has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the path, and the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
