import FuzzSupport
import Spatial3D
import Synchronization

/// The laws of one observation of a source.
///
/// Sequence numbers rise by one unless notifications were joined, a state follows another by a legal step, and frames
/// do not go back.
final class NotificationCheck: Sendable {
  private struct State {
    var sequence: UInt64 = 0
    /// The last state; `nil` where it is not known.
    var state: SourceState?
    var frame = Int.min
    var count = 0
  }

  private let run: Run
  private let name: String
  private let kinds: SourceNotification.Kinds
  /// Whether every notification arrives before the call that caused it returns.
  private let isPrompt: Bool
  /// Whether the rate at which frames are counted may have changed.
  private let isRateOpen: @Sendable () -> Bool
  private let last: Lock<State>
  /// Whether the observation has ended.
  let isCancelled = Atomic(false)

  init(_ name: String, kinds: SourceNotification.Kinds, initial: SourceState?, in world: World, isPrompt: Bool) {
    (run, self.name, self.kinds, self.isPrompt) = (world.run, name, kinds, isPrompt)
    isRateOpen = { [weak world] in world?.mayChangeRate.load(ordering: .relaxed) ?? true }
    last = Lock(State(state: initial))
  }

  /// How many notifications arrived.
  var count: Int { last.withLock { $0.count } }

  /// Whether the last state notification has a state, where the observation includes states.
  func knows(_ state: SourceState) -> Bool {
    !kinds.contains(.state) || isCancelled.load(ordering: .relaxed)
      || last.withLock { $0.state.map { $0 == state } ?? true }
  }

  func take(_ notification: SourceNotification) {
    run.notifications.add(1, ordering: .relaxed)
    last.withLock { last in
      let gap = notification.sequence &- last.sequence
      func law(_ holds: Bool, _ text: String) {
        run.require(holds, "\(name): \(text): \(notification), \(notification.sequence) after \(last)")
      }
      law(notification.sequence > last.sequence, "a number that does not rise")
      // One call may process several buffers without a frame, which are joined into one count.
      law(!isPrompt || gap <= notification.kind.joinedCount, "a notification is lost")
      law(isRateOpen() || notification.framePosition >= last.frame, "a frame that goes back")
      law(kinds.contains(notification.kind.choice), "a kind that was not asked for")
      switch notification.kind {
      case .stateChanged(let state):
        law(state == notification.state, "two states")
        law(state != last.state || gap > 1, "the same state twice")
        law(gap > 1 || Self.isLegal(from: last.state, to: state), "a step that is not legal")
        last.state = state
      case .buffersProcessed(let count): law(count > 0, "a count of none")
      case .looped(let count): law(count > 0, "a count of none")
      case .underrun: break
      @unknown default: law(false, "a kind that the fuzzer does not know")
      }
      last.sequence = notification.sequence
      last.frame = notification.framePosition
      last.count += 1
    }
  }

  /// Whether a call or a mix may take a source from a state to another.
  private static func isLegal(from old: SourceState?, to new: SourceState) -> Bool {
    switch (old, new) {
    case (.initial?, .paused), (.stopped?, .paused): false
    default: old != new
    }
  }
}

extension SourceNotification.Kind {
  /// How many notifications one with this kind may stand for, at most.
  fileprivate var joinedCount: UInt64 {
    switch self {
    case .buffersProcessed(let count), .looped(let count): UInt64(max(count, 1))
    case .stateChanged, .underrun: 1
    @unknown default: 1
    }
  }

  /// The choice that the kind belongs to.
  var choice: SourceNotification.Kinds {
    switch self {
    case .stateChanged: .state
    case .buffersProcessed: .buffersProcessed
    case .looped: .loop
    case .underrun: .underrun
    @unknown default: []
    }
  }
}
