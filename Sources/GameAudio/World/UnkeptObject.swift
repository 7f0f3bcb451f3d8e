internal import AudioSupport

/// The rule by which the release of an object is reported: the program has not kept the object until a mix.
///
/// The mix alone does not show that. Without an output and with a sound server that hangs, the mix stands still for
/// minutes, and a program may end an object of that age on purpose.
enum UnkeptObject {
  /// The time from the beginning of an object at which its release is no longer reported.
  ///
  /// Chosen: the first mix of an output comes within 0.1 s, and an object that the program has kept for a second was
  /// kept on purpose.
  private static let limit = Duration.seconds(1)

  /// The present time, from an arbitrary start, on a clock that runs while the mix stands still.
  static var time: Duration { .nanoseconds(monotonicTime()) }

  /// Whether the release of an object of an age is reported; a mix may have begun since the beginning of the object.
  static func isReported(isMixed: Bool, age: Duration) -> Bool { !isMixed && age < limit }
}
