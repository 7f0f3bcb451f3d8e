/// What happened to the output that a context is heard on.
///
/// The OpenAL counterpart is `ALC_EXT_disconnect`.
public struct ContextEvent: Hashable, Sendable {
  /// What happened.
  public let kind: Kind

  /// When it was noted: the frame of the context's mix, counted from its first.
  public let framePosition: Int

  /// The kinds of events; new ones may be added.
  public struct Kind: Hashable, Sendable {
    private let name: String

    /// The device is gone, and all that played has stopped.
    public static let deviceLost = Kind(name: "deviceLost")

    /// The device is there again.
    public static let deviceReturned = Kind(name: "deviceReturned")
  }
}

extension ContextEvent.Kind: CustomStringConvertible {
  /// The kind's name, such as `deviceLost`.
  public var description: String { name }
}

extension ContextEvent: CustomStringConvertible {
  /// The event in words.
  public var description: String { "\(kind) at frame \(framePosition)" }
}

extension ContextEvent: Coalescing {
  var isCount: Bool { false }

  func joined(with later: ContextEvent) -> ContextEvent? { kind == later.kind ? later : nil }
}
