internal import AudioSupport
internal import PCM

/// A measurement that a strip and the readers of a meter share.
///
/// A reading holds the lock for up to 0.1 ms, for which the thread that mixes may wait.
final class MeterBox: Sendable {
  private let measurement: Lock<BusMeasurement>

  init(format: PCMFormat) { measurement = Lock(BusMeasurement(format: format)) }

  func append(_ samples: Span<Float>) { measurement.withLock { $0.append(samples) } }
  func resetIntegration() { measurement.withLock { $0.resetIntegration() } }
  var channels: [ChannelLevel] { measurement.withLock { $0.channels } }
  var loudness: LoudnessReading { measurement.withLock { $0.loudness } }
}
