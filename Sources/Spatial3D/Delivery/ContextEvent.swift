/// An event of the output that plays a context.
///
/// The OpenAL counterpart is `ALC_EXT_disconnect`.
public struct ContextEvent: Hashable, Sendable {
  /// The kind of the event.
  public let kind: Kind

  /// The time of the poll that found it: a frame of the context's mix, counted from its first.
  public let framePosition: Int

  /// The kinds of events; new kinds may be added.
  public struct Kind: Hashable, Sendable {
    private let name: String

    /// The output is gone, and the package searches for another.
    ///
    /// Playing sources continue silently, or wait: see ``AudioDevice/keepsTimeWithoutOutput``. They stop if the library
    /// has no placeholder device for an output, for example without ``Capabilities/offlineRendering``.
    public static let deviceLost = Kind(name: "deviceLost")

    /// There is an output again, and playing sources are audible on it.
    public static let deviceReturned = Kind(name: "deviceReturned")

    /// The context plays on another output, with other settings, or on an output that was opened again: see
    /// ``AudioDevice/name`` and ``AudioContext/output``.
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
  package var isJoinable: Bool { true }
  package var isCount: Bool { false }

  package func joined(with later: ContextEvent) -> ContextEvent? { kind == later.kind ? later : nil }
}
