/// The suspensions of a device.
///
/// Pure: no call and no lock.
struct Suspensions: Sendable {
  /// The mode of each reason that holds.
  private(set) var modes: [SuspensionReason: SuspensionMode] = [:]

  /// Whether the library can stop time.
  let canFreeze: Bool

  /// The strongest mode.
  var mode: SuspensionMode? { modes.values.max() }

  /// Whether time is stopped.
  var isFrozen: Bool { mode.map { $0 >= .freeze } ?? false }

  /// Whether calls of sources are deferred.
  var defersCommands: Bool { mode == .queue }

  /// Whether the mix is faded out; also while time is stopped, to stay silent if it resumes in between.
  var isMuted: Bool { modes.values.contains(.mute) }

  /// The same suspensions in memory that nothing else uses.
  var unshared: Suspensions {
    var copy = self
    copy.modes = modes.mapValues { $0 }
    return copy
  }

  /// Suspends for a reason; a second call replaces the mode.
  mutating func suspend(_ mode: SuspensionMode, for reason: SuspensionReason) {
    modes[reason] = canFreeze || mode == .mute ? mode : nil
  }

  /// Removes a reason.
  mutating func resume(from reason: SuspensionReason) { modes[reason] = nil }
}
