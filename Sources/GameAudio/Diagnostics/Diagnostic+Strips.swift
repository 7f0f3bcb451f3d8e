public import Spatial3D

extension Diagnostic.Code {
  /// Inserts, a meter, a tap, a limiter or a loudness target have no effect, because the world has no sum of sounds.
  ///
  /// A world on an output has a sum if it processes its mix: see ``AudioWorld/init(processing:voiceLimit:)``. Its main
  /// bus and up to eight other buses have one.
  public static let mixNotProcessed = Diagnostic.Code(name: "mixNotProcessed")

  /// A processor of the program has returned a sample that is not finite, or beyond 500 dB re full scale.
  ///
  /// Silence has replaced the block, and the insert is bypassed from then on.
  public static let processorFailed = Diagnostic.Code(name: "processorFailed")

  /// The impulse response of a convolution cannot be read; the insert leaves the sound as it is.
  public static let responseUnavailable = Diagnostic.Code(name: "responseUnavailable")

  /// The file of a recording of the mix could not be written to its end; it is gone.
  public static let mixRecordingFailed = Diagnostic.Code(name: "mixRecordingFailed")

  /// The library has no memory for the sum of a bus, or no room for an effect of the sum.
  ///
  /// Without a sum, the inserts, meters and taps of the bus have no effect. Without room for an effect, its sounds do
  /// not feed the effect.
  public static let stemUnavailable = Diagnostic.Code(name: "stemUnavailable")

  /// A list of inserts from a file has a processor of the program that the world does not know by its name.
  public static let processorUnknown = Diagnostic.Code(name: "processorUnknown")
}

extension Diagnostic {
  static var mixNotProcessed: Diagnostic {
    Diagnostic(
      code: .mixNotProcessed,
      message: "The library mixes this world: inserts, meters, taps, the limiter and the loudness target have no"
        + " effect. Make it with AudioWorld(processing: true). This is reported once."
    )
  }

  static var mixProcessedByOtherWorld: Diagnostic {
    Diagnostic(
      code: .mixNotProcessed,
      message: "An older world of the device processes the mix: inserts, meters, taps, the limiter and the loudness"
        + " target of this world have no effect before its end. This is reported once."
    )
  }

  static func busNotProcessed(_ bus: String) -> Diagnostic {
    Diagnostic(
      code: .mixNotProcessed,
      message: "The bus \(bus) has no sum, so that its inserts, meters and taps have no effect:"
        + " \(StemIndex.limit - 1) other buses have one already. This is reported once for each bus."
    )
  }

  static func stemUnavailable(_ bus: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      code: .stemUnavailable,
      message: "The bus \(bus) has no sum, so that its inserts, meters and taps have no effect: \(reason)"
    )
  }

  static func stemEffectUnavailable(_ reason: String) -> Diagnostic {
    Diagnostic(
      code: .stemUnavailable,
      message:
        "The sounds of a bus with inserts, meters or taps do not feed an effect: \(reason) This is reported once."
    )
  }

  static func processorFailed(_ name: String) -> Diagnostic {
    Diagnostic(
      code: .processorFailed,
      message: "The processor \(name) has returned a sample that is not finite, or far too large. Silence replaced the"
        + " block, and the insert is bypassed."
    )
  }

  static func responseUnavailable(_ reason: String) -> Diagnostic {
    Diagnostic(
      code: .responseUnavailable,
      message: "The impulse response of an insert cannot be read, and the insert leaves the sound as it is: \(reason)"
    )
  }

  static func mixRecordingFailed(_ reason: String) -> Diagnostic {
    Diagnostic(code: .mixRecordingFailed, message: "A recording of the mix has ended without its file: \(reason)")
  }

  static func processorUnknown(_ name: String) -> Diagnostic {
    Diagnostic(
      code: .processorUnknown,
      message: "The insert \(name) leaves the sound as it is: set an insert with the processor of this name first."
        + " This is reported once for each name."
    )
  }
}
