/// Why a mix could not be measured.
public struct MeasurementError: Error, Hashable, Sendable {
  /// What went wrong, to switch over.
  public let code: Code

  /// What went wrong in a sentence, with the numbers in it and what to do.
  public let message: String

  /// The kinds of failure; new ones may be added.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// There is no sound where one was to be measured.
    public static let silent = Code(name: "silent")

    /// The mix lacks the channels that the measure is about.
    public static let channels = Code(name: "channels")

    /// The mix holds nothing of the frequencies that are asked for: they are not above 0 and below half its sample rate.
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

extension MeasurementError.Code: CustomStringConvertible {
  /// The code's name, such as `silent`.
  public var description: String { name }
}
