internal import Synchronization

/// A sequence number by which a lock-free reader of the library detects a change of the schedule.
///
/// While the schedule is not empty, a source may be in another state than the library reports, and a source that starts
/// takes several calls of the library. The number is odd during both, and it differs after each change. A reader takes
/// its value without a lock if the number is even, and the same after the read as before.
final class ScheduleSequence: Sendable {
  private let number = Atomic<UInt64>(0)

  /// Makes readers take the lock, until `endChange` is called.
  func beginChange() { number.store(number.load(ordering: .relaxed) | 1, ordering: .sequentiallyConsistent) }

  /// Ends a change; readers take the lock while the schedule is not empty.
  func endChange(isEmpty: Bool) {
    let next = (number.load(ordering: .relaxed) | 1) + 1
    number.store(isEmpty ? next : next | 1, ordering: .sequentiallyConsistent)
  }

  /// The present number.
  @inline(__always)
  var current: UInt64 { number.load(ordering: .sequentiallyConsistent) }
}
