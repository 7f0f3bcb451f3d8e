/// The reason that a mix could not be measured.
public struct MeasurementError: Error, Hashable, Sendable {
  /// The kind of failure, to switch over.
  public let code: Code

  /// A sentence with the reason, its numbers and a remedy.
  public let message: String

  /// The kinds of failure; later versions may add some.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private let name: String

    /// The code's name, such as `silent`.
    public var description: String { name }

    /// The part of the mix to measure is silent.
    public static let silent = Code(name: "silent")

    /// The mix lacks the channels to measure.
    public static let channels = Code(name: "channels")

    /// The frequencies to measure are not above 0 and below half the sample rate of the mix.
    public static let frequencyOutOfRange = Code(name: "frequencyOutOfRange")

    /// Two mixes differ in sample rate or number of channels.
    public static let formatMismatch = Code(name: "formatMismatch")

    /// The sound does not die away far enough within the mix.
    public static let decayTooShort = Code(name: "decayTooShort")
  }
}

extension MeasurementError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}
