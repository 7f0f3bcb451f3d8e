public import PCM
import Spatial3D

extension PCMBuffer {
  /// The interaural difference between the first two channels, left and right.
  ///
  /// Searches delays of up to a millisecond, the range of ISO 3382-1:2009, annex B; no head causes a longer delay. A
  /// mono buffer has no difference.
  public var interauralDifference: InterauralDifference {
    guard format.channelCount > 1 else {
      return InterauralDifference(level: 0, time: .zero, coherence: peak > .silence ? 1 : 0)
    }
    let (left, right) = (signal(ofChannel: 0), signal(ofChannel: 1))
    let correlation = CrossCorrelation(of: left, with: right, reach: format.sampleRate / 1_000)
    let (leftLevel, rightLevel) = (level(ofChannel: 0), level(ofChannel: 1))
    return InterauralDifference(
      level: leftLevel == rightLevel ? 0 : rightLevel - leftLevel,
      time: .seconds(correlation.peak.delay / Double(max(format.sampleRate, 1))),
      coherence: correlation.largestMagnitude
    )
  }
}
