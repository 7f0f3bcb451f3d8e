public import PCM
import Spatial3D

extension PCMBuffer {
  /// The difference of the mix from an expected one, sample by sample.
  ///
  /// - Throws: ``MeasurementError`` with the code `formatMismatch` if the two differ in sample rate or in the number of
  ///   channels.
  public func difference<Expected>(from expected: PCMBuffer<Expected>) throws(MeasurementError) -> MixDifference {
    guard format.sampleRate == expected.format.sampleRate, format.channelCount == expected.format.channelCount else {
      throw MeasurementError(
        code: .formatMismatch,
        message: "The mix is \(format) and was expected to be \(expected.format). Render it in the same format."
      )
    }
    let channelCount = format.channelCount
    let comparison = signal.differences(from: expected.signal)
    let (frame, channel) = comparison.largestIndex.quotientAndRemainder(dividingBy: channelCount)
    let first = comparison.firstIndex.map { $0 / channelCount }
    let sampleCount = max(samples.count, expected.samples.count)
    let part = max((first ?? 0) - 4_096, 0)..<max((first ?? 0) - 4_096, 0) + 131_072
    let (mine, its) = (frames(part), expected.frames(part))
    let alike =
      first == nil
      ? (delay: 0, likeness: 1.0)
      : CrossCorrelation(
        of: mine.signal(ofChannel: channel),
        with: its.signal(ofChannel: channel),
        reach: 4_096
      ).nearestPeak
    let (own, other) = (mine.level(ofChannel: channel), its.level(ofChannel: channel))
    return MixDifference(
      peak: Decibels(factor: comparison.largest),
      frame: frame,
      channel: channel,
      level: Decibels(power: comparison.sumOfSquares / Double(max(sampleCount, 1))),
      firstFrame: first,
      frameCount: frameCount,
      expectedFrameCount: expected.frameCount,
      delay: alike.delay,
      levelChange: own == other ? 0 : own - other,
      likeness: alike.likeness
    )
  }
}
