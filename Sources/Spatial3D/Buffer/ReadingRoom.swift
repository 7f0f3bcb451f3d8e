/// How much room to make for a sound that is read, in frames: for what arrives, and never for what a reader claims alone.
struct ReadingRoom: Hashable, Sendable {
  /// How many frames the reader says are left to read; `nil` where it does not say.
  let claim: Int?

  /// The most frames that a buffer holds.
  let limit: Int

  /// How many frames are read at once: what is in memory besides the sound itself.
  static let blockSize = 4_096

  /// How many frames are made room for on the strength of a claim alone: less than half a minute.
  private static let trustedFrameCount = 1 << 20

  /// The room to begin with.
  var initial: Int {
    min(max(claim ?? 0, Self.blockSize), Self.trustedFrameCount, limit)
  }

  /// The next room, once a number of frames has filled the last and more are there; `nil` where the limit is reached.
  ///
  /// The claim where it is near enough, so that a sound that is as long as it says never has too much.
  func next(after frameCount: Int, arriving count: Int) -> Int? {
    let (needed, overflow) = frameCount.addingReportingOverflow(count)
    guard !overflow, needed <= limit else { return nil }
    let (ample, tooMuch) = needed.multipliedReportingOverflow(by: 2)
    let wanted = tooMuch ? limit : ample
    guard let claim, claim >= needed else { return min(wanted, limit) }
    let (near, far) = needed.multipliedReportingOverflow(by: 4)
    return min(far || claim <= near ? claim : wanted, limit)
  }
}
