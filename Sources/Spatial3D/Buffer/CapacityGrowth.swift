/// The room to allocate for a sound that is read, in frames.
///
/// It follows the frames that arrive, and never only the count that a reader claims.
struct CapacityGrowth: Hashable, Sendable {
  /// The remaining frames by the reader's own count; `nil` where it has none.
  let claim: Int?

  /// The most frames that a buffer holds.
  let limit: Int

  /// The frames of one read, which are in memory besides the sound itself.
  static let blockSize = 4_096

  /// The most frames that are allocated for a claim alone: less than half a minute.
  private static let trustedFrameCount = 1 << 20

  /// The room to begin with.
  var initial: Int {
    min(max(claim ?? 0, Self.blockSize), Self.trustedFrameCount, limit)
  }

  /// The next room, if more frames arrive than the last room holds; `nil` where the limit is reached.
  ///
  /// A claim within four times the needed room is the next room: a sound with a correct claim never has excess memory.
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
