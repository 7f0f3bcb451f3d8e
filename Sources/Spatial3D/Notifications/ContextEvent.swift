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

    /// The output is gone, and is looked for.
    ///
    /// What plays goes on unheard, or waits: see ``AudioDevice/keepsTimeWithoutOutput``. Where the library has nothing that can
    /// stand in for an output, as without ``Capabilities/offlineRendering``, it has stopped.
    public static let deviceLost = Kind(name: "deviceLost")

    /// There is an output again, and what plays is heard on it.
    public static let deviceReturned = Kind(name: "deviceReturned")

    /// The context is heard on another output: see ``AudioDevice/name``.
    public static let outputChanged = Kind(name: "outputChanged")
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
