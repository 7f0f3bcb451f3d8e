/// Why samples could not become a buffer.
public struct PCMError: Error, Hashable, Sendable {
  /// What went wrong, to switch over.
  public let code: Code

  /// What went wrong in a sentence, with the numbers in it and what to do.
  public let message: String

  /// The kinds of failure; new ones may be added.
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
