internal import AudioSupport

/// An event of a source: a change of state, played buffers of its queue, a loop, or an underrun of its stream.
///
/// The OpenAL counterpart is a call of the procedure of Apple's Source Notifications extension
/// (`alSourceAddNotification`).
public struct SourceNotification: Sendable {
  /// The kind of the event.
  public let kind: Kind

  /// The source; `nil` once it is released, because a notification does not keep it alive.
  public var source: SoundSource? { reference.object }

  let reference: Weak<SoundSource>

  /// The state of the source right after the event; it may have changed since.
  public let state: SourceState

  /// The number of the notification among all of this observation, from 1 on.
  ///
  /// Each call of ``SoundSource/observe(_:_:)`` and ``SoundSource/events(_:)`` has its own count, of the kinds
  /// that it asked for. A gap shows that pending notifications were joined or dropped.
  public let sequence: UInt64

  /// The time of the event: a frame of the context's mix, counted from its first.
  ///
  /// Offline it is exact: a sound that ends has no sample at or after it. For a sound that the mixer resamples, it is
  /// exact to the rounding of the library's pitch (1 / 4,096 in OpenAL Soft 1.19). On a device it is the mix that the
  /// poll fell into.
  public let framePosition: Int

  /// The cause of the event.
  public let cause: Cause

  /// The kinds of notifications, with their counts.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    /// The state changed.
    case stateChanged(SourceState)

    /// The number of further buffers at the head of the queue that are done: played to their end, or left by a stop.
    ///
    /// ``SoundSource/stop()`` finishes all buffers that are left; their notification has the state
    /// ``SourceState/stopped`` and comes before the notification of the change. A buffer that is queued on a stopped
    /// source is done at once, unplayed, by OpenAL's rule: see ``SoundSource/queue(_:)``. A looping queue and a stream
    /// do not send this kind.
    case buffersProcessed(Int)

    /// The number of times that the sound, the whole queue or the stream started over.
    ///
    /// The count is exact offline. On a device, it is the likeliest one by position, time and speed between two polls.
    /// It may be wrong if the source's pitch or Doppler shift changes while it plays a loop that is shorter than a mix.
    case looped(Int)

    /// The stream had an underrun: its reader was too slow. The stream continues with the next frame once there is one.
    case underrun
  }

  /// The causes of notifications; new causes may be added.
  public struct Cause: Hashable, Sendable {
    private let name: String

    /// A call of the program, such as ``SoundSource/stop()`` or the release of the source.
    public static let call = Cause(name: "call")

    /// The mixer, as when a sound ends.
    public static let mix = Cause(name: "mix")

    /// The loss of the device.
    public static let device = Cause(name: "device")

    /// The failure of a stream's reader; ``AudioContext/onDiagnostic`` reports the error.
    public static let reader = Cause(name: "reader")
  }

  /// A set of kinds.
  public struct Kinds: OptionSet, Hashable, Sendable {
    /// A bit for each kind.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Changes of state.
    ///
    /// OpenAL: `AL_SOURCE_STATE` of Apple's extension.
    public static let state = Kinds(rawValue: 1 << 0)

    /// Played buffers of a queue.
    ///
    /// OpenAL: `AL_BUFFERS_PROCESSED` of Apple's extension.
    public static let buffersProcessed = Kinds(rawValue: 1 << 1)

    /// Loops.
    ///
    /// OpenAL: `AL_QUEUE_HAS_LOOPED` of Apple's extension.
    public static let loop = Kinds(rawValue: 1 << 2)

    /// Underruns of a stream.
    public static let underrun = Kinds(rawValue: 1 << 3)

    /// All kinds.
    public static let all: Kinds = [.state, .buffersProcessed, .loop, .underrun]
  }
}

extension SourceNotification.Kind {
  /// The set that contains the kind.
  var choice: SourceNotification.Kinds {
    switch self {
    case .stateChanged: .state
    case .buffersProcessed: .buffersProcessed
    case .looped: .loop
    case .underrun: .underrun
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
    case .underrun: "underrun"
    }
  }
}

extension SourceNotification: Coalescing {
  package var isJoinable: Bool { true }

  package var isCount: Bool {
    switch kind {
    case .buffersProcessed, .looped: true
    case .stateChanged, .underrun: false
    }
  }

  package func joined(with later: SourceNotification) -> SourceNotification? {
    switch (kind, later.kind) {
    case (.buffersProcessed(let one), .buffersProcessed(let other)): later.counting(.buffersProcessed(one + other))
    case (.looped(let one), .looped(let other)): later.counting(.looped(one + other))
    case (.stateChanged, .stateChanged), (.underrun, .underrun): later
    default: nil
    }
  }

  private func counting(_ kind: Kind) -> SourceNotification {
    SourceNotification(
      kind: kind,
      reference: reference,
      state: state,
      sequence: sequence,
      framePosition: framePosition,
      cause: cause
    )
  }
}
