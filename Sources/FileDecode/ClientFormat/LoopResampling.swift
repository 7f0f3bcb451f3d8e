/// The change of a loop to another sample rate: the result has whole frames, so that it closes on itself.
///
/// A loop of 1,001 frames would last 500.5 at half the rate. `LoopResampling` changes its rate a little more, to 501
/// frames. The loop sounds a third of a hundredth of a semitone lower, and has no click.
struct LoopResampling: Hashable, Sendable {
  let source: Range<Int>
  let target: Range<Int>

  /// The number of frames in the whole sound, before, in and after the loop.
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

  /// The number of extra laps before and behind the loop that the filter needs to settle.
  var lapCount: Int { (ratio.settlingTime + source.count - 1) / source.count }
}
