/// Where a loop lies after its sample rate has changed: whole frames, so that it closes on itself.
///
/// A loop of 1,001 frames would last 500.5 at half the rate. Its rate is changed a little more, to 501 frames: it is heard a
/// third of a hundredth of a semitone lower, and without a click.
struct LoopTile: Hashable, Sendable {
  let source: Range<Int>
  let target: Range<Int>

  /// How many frames the whole sound has, what comes before and after the loop included.
  let frameCount: Int

  init(_ source: Range<Int>, frameCount: Int, _ ratio: RateRatio) {
    let start = ratio.converted(source.lowerBound)
    self.source = source
    target = start..<start + max(ratio.converted(source.count), 1)
    let rest = ratio.converted(max(frameCount - source.upperBound, 0))
    let (count, isTooLong) = target.upperBound.addingReportingOverflow(rest)
    self.frameCount = isTooLong ? Int.max : count
  }

  /// The rates of the loop alone.
  var ratio: RateRatio { RateRatio(input: source.count, output: target.count) }

  /// How many times the loop goes before and behind itself for a filter to settle.
  var lapCount: Int { (RateRatio.settlingTime + source.count - 1) / source.count }
}
