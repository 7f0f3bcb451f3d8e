/// What happened to a source: its state changed, buffers of its queue were played, it looped, or its stream ran dry.
///
/// The OpenAL counterpart is a call of the procedure of Apple's Source Notifications extension (`alSourceAddNotification`).
public struct SourceNotification: Sendable {
  /// What happened.
  public let kind: Kind

  /// The source; `nil` once it is gone, as a notification does not keep it alive.
  public var source: SoundSource? { reference.source }

  let reference: SourceReference

  /// What the source was doing right after it happened; it may have changed since.
  public let state: SourceState

  /// The number of the notification among all of this observation, from 1 on.
  ///
  /// Each call of ``SoundSource/observe(_:_:)`` and ``SoundSource/notifications(_:)`` counts for itself, and only the kinds that
  /// it asked for. A number that is missing was joined with a later one, or left out, because it was not taken in time.
  public let sequence: UInt64

  /// When it happened: the frame of the context's mix, counted from its first.
  ///
  /// Offline, exact: a sound that ends has no sample at or after it. For a sound that the mixer resamples, exact to the
  /// rounding of the library's pitch (1 / 4,096 in OpenAL Soft 1.19). On a device, the mix in which it was noted; 0 where the
  /// library has no clock.
  public let framePosition: Int

  /// What brought it about.
  public let cause: Cause

  /// The kinds of notifications, with what they count.
  public enum Kind: Hashable, Sendable {
    /// The state is another one.
    case stateChanged(SourceState)

    /// So many more buffers at the head of the queue are done with: played to their end, or left by a stop.
    ///
    /// ``SoundSource/stop()`` is done with all that are left, and tells them with the state
    /// ``SourceState/stopped`` and before the change to it. A buffer that is queued on a source which has stopped is done
    /// with at once, unheard, by OpenAL's rule: see ``SoundSource/queue(_:)``. Not while the queue loops, and not of a stream.
    case buffersProcessed(Int)

    /// The sound, the whole queue or the stream started over so many times.
    ///
    /// Exact offline. On a device, the count between two looks is the one that place, time and speed make the likeliest: it may
    /// be wrong where a loop is shorter than a mix and the source's pitch or Doppler shift changes while it plays.
    case looped(Int)

    /// A stream had nothing to play: its reader was too slow. It goes on where it was as soon as there is more.
    case starved
  }

  /// What can bring about a notification; new causes may be added.
  public struct Cause: Hashable, Sendable {
    private let name: String

    /// A call of the program, such as ``SoundSource/stop()`` or the release of the source.
    public static let call = Cause(name: "call")

    /// The mixer, as when a sound ends.
    public static let mix = Cause(name: "mix")

    /// The loss of the device.
    public static let device = Cause(name: "device")

    /// The reader of a stream, which could not deliver; ``AudioContext/onDiagnostic`` was told why.
    public static let reader = Cause(name: "reader")
  }

  /// A choice of kinds.
  public struct Kinds: OptionSet, Hashable, Sendable {
    /// A bit for each kind.
    public let rawValue: UInt8

    /// The kinds of some bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Changes of state.
    ///
    /// OpenAL: `AL_SOURCE_STATE` of Apple's extension.
    public static let state = Kinds(rawValue: 1 << 0)

    /// Buffers of a queue that were played.
    ///
    /// OpenAL: `AL_BUFFERS_PROCESSED` of Apple's extension.
    public static let buffersProcessed = Kinds(rawValue: 1 << 1)

    /// Starting over.
    ///
    /// OpenAL: `AL_QUEUE_HAS_LOOPED` of Apple's extension.
    public static let loop = Kinds(rawValue: 1 << 2)

    /// A stream that ran dry.
    public static let starved = Kinds(rawValue: 1 << 3)

    /// All of them.
    public static let all: Kinds = [.state, .buffersProcessed, .loop, .starved]
  }
}

/// A source that may be gone.
///
/// A weak property by itself would keep the source for a moment whenever it is copied, and whoever lets go of it last ends it:
/// which must not happen under the context's lock.
final class SourceReference: Sendable {
  weak let source: SoundSource?

  init(_ source: SoundSource?) { self.source = source }
}

extension SourceNotification.Kind {
  /// The choice that the kind belongs to.
  var choice: SourceNotification.Kinds {
    switch self {
    case .stateChanged: .state
    case .buffersProcessed: .buffersProcessed
    case .looped: .loop
    case .starved: .starved
    }
  }
}

extension SourceNotification.Cause: CustomStringConvertible {
  /// The cause's name, such as `mix`.
  public var description: String { name }
}

extension SourceNotification: CustomStringConvertible {
  /// The notification in words, such as `"stopped by mix at frame 48000"`.
  public var description: String { "\(kind) by \(cause) at frame \(framePosition)" }
}

extension SourceNotification.Kind: CustomStringConvertible {
  /// The kind in words, such as `"looped 3 times"`.
  public var description: String {
    switch self {
    case .stateChanged(let state): "\(state)"
    case .buffersProcessed(let count): count == 1 ? "1 buffer processed" : "\(count) buffers processed"
    case .looped(let count): count == 1 ? "looped" : "looped \(count) times"
    case .starved: "starved"
    }
  }
}
