import Spatial3D
import Synchronization

/// The processor time that a world takes for its ticks, without the time of the mix.
///
/// A context calls the closures of its ticks in the order of their additions. The timer therefore has two: the world
/// adds its own between them.
final class TickTimer: Sendable {
  private struct State: Sendable {
    var start = 0.0
    var sum = 0.0
    var tokens: [NotificationToken] = []
  }

  private let state = Mutex(State())

  /// Begins a measurement at each tick; called before the world plays.
  func open(in context: AudioContext) {
    add(context.onTick(every: 512) { [unowned self] _ in self.state.withLock { $0.start = Turns.now(.thread) } })
  }

  /// Ends a measurement at each tick; called after the world has begun to play.
  func close(in context: AudioContext) {
    add(
      context.onTick(every: 512) { [unowned self] _ in
        let end = Turns.now(.thread)
        self.state.withLock { $0.sum += end - $0.start }
      }
    )
  }

  /// The seconds of the ticks since the last call.
  func take() -> Double {
    state.withLock { state in
      defer { state.sum = 0 }
      return state.sum
    }
  }

  private func add(_ token: NotificationToken) { state.withLock { $0.tokens.append(token) } }
}
