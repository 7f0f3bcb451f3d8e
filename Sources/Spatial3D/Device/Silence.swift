/// What stands in for the sound card of a silent device: when to mix, while there is a context and time goes on.
///
/// The `Lookout` mixes, and nobody hears it.
final class Silence: Sendable {
  private struct State: Sendable {
    var clock = SilentClock()
    var contextCount = 0
    var isSuspended = false
    var layout = ChannelLayout.stereo

    mutating func settle(at now: Int64) {
      if contextCount > 0, !isSuspended { clock.run(at: now) } else { clock.hold(at: now) }
    }
  }

  /// What a context gets that asks for none.
  static let sampleRate = 48_000

  private let state = Lock(State())

  /// The loudspeakers that the newest context asked for.
  var layout: ChannelLayout { state.withLock { $0.layout } }

  /// Time goes on for a context of a layout.
  func join(layout: ChannelLayout) {
    state.withLock { state in
      state.layout = layout
      state.contextCount += 1
      state.settle(at: monotonicTime())
    }
  }

  /// A context has ended.
  func leave() {
    state.withLock { state in
      state.contextCount -= 1
      state.settle(at: monotonicTime())
    }
  }

  func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      state.isSuspended = isSuspended
      state.settle(at: monotonicTime())
    }
  }

  /// How many frames are to be mixed now.
  func takeFrames(rate: Int) -> Int {
    state.withLock { $0.clock.takeFrames(at: monotonicTime(), rate: rate) }
  }

  /// After how many nanoseconds to mix again; `nil` while time stands still.
  func wait() -> Int64? { state.withLock { $0.clock.wait(at: monotonicTime()) } }
}
