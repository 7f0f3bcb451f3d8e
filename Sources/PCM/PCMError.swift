/// A reason why samples cannot become a buffer.
public struct PCMError: Error, Hashable, Sendable {
  /// The kind of failure, for a `switch`.
  public let code: Code

  /// A sentence with the failure, its numbers and the remedy.
  public let message: String

  /// The kinds of failure; later versions may add more.
  public struct Code: Hashable, Sendable {
    private let name: String

    /// The number of samples is no multiple of the channel count.
    public static let raggedSampleCount = Code(name: "raggedSampleCount")
  }
}

extension PCMError: CustomStringConvertible {
  /// The error's ``message``.
  public var description: String { message }
}

extension PCMError.Code: CustomStringConvertible {
  /// The code's name, such as `raggedSampleCount`.
  public var description: String { name }
}
