/// All that a device is suspended for.
///
/// Pure: no call and no lock.
struct Suspensions: Sendable {
  /// What holds, and how.
  private(set) var modes: [SuspensionReason: SuspensionMode] = [:]

  /// Whether time can stand still.
  let canFreeze: Bool

  init(canFreeze: Bool) { self.canFreeze = canFreeze }

  /// The strongest of what holds.
  var mode: SuspensionMode? { modes.values.max() }

  /// Whether time stands still.
  var isFrozen: Bool { mode.map { $0 >= .freeze } ?? false }

  /// Whether sources are told later.
  var keepsCalls: Bool { mode == .queue }

  /// Whether the mix is faded out: also while time stands still, so that it is not heard in between.
  var isMuted: Bool { modes.values.contains(.mute) }

  /// Suspends for a reason; one that holds already changes its mode.
  mutating func suspend(_ mode: SuspensionMode, for reason: SuspensionReason) {
    modes[reason] = canFreeze || mode == .mute ? mode : nil
  }

  /// A reason holds no more.
  mutating func resume(from reason: SuspensionReason) { modes[reason] = nil }
}
