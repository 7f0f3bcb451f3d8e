/// How the library tells of outputs that come, go and become the default.
enum OutputHearing: Hashable, Sendable {
  /// The system tells it, and its lists are true.
  case told
  /// It has to be asked.
  case never
  /// It has told. OpenAL Soft 1.25 hears nothing more of a PulseAudio server that was started anew, and keeps the lists of the old one.
  case noMore
}

/// How far what the library tells of outputs is to be believed.
///
/// Pure: no call and no lock.
struct OutputTrust: Hashable, Sendable {
  private(set) var hearing = OutputHearing.never
  /// When an output was lost last, on the monotonic clock.
  private var lossTime: Int64?

  /// For how long after a loss a server may tell that it ends, in nanoseconds.
  static let lastWords: Int64 = 5_000_000_000

  /// The system tells from now on.
  mutating func begin() { hearing = .told }

  /// An output was lost, and perhaps with it the server that tells.
  mutating func doubt(at now: Int64) {
    guard hearing != .never else { return }
    hearing = .noMore
    lossTime = now
  }

  /// The system told of something at a time: the server that was in doubt is there.
  mutating func hear(at time: Int64) {
    if let lossTime, time - lossTime > Self.lastWords { hearing = .told }
  }
}
