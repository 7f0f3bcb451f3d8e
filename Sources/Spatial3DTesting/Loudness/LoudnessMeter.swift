public import PCM
import SignalProcessing
public import Spatial3D

/// A meter of the integrated loudness of a sound that arrives in parts, in LUFS.
///
/// The meter weighs frequencies and channels, and leaves out blocks of 400 ms that are silent or 10 LU softer than the
/// rest. Its memory does not grow with the sound: blocks count in steps of 0.02 LU, and those in the step of the gate
/// count together. The loudness differs from the exact gate by less than 0.02 LU, but for rare sounds of some seconds.
/// The source is ITU-R BS.1770-4.
public struct LoudnessMeter: Sendable {
  /// The rate and the channels of the sound.
  public let format: PCMFormat

  private var blocks: LoudnessBlocks

  /// A meter of a sound that has not begun.
  public init(format: PCMFormat) {
    self.format = format
    blocks = LoudnessBlocks(format: format)
  }

  /// Measures the next frames of the sound.
  ///
  /// The rate of the buffer does not count, and channels that ``format`` lacks are left out. A sample that is not
  /// finite counts as silence.
  public mutating func append<Sample>(_ buffer: PCMBuffer<Sample>) {
    blocks.append(buffer.signal.span, channelCount: buffer.format.channelCount)
  }

  /// The loudness of all frames so far, in LUFS: a stereo sine of 1 kHz at -23 dBFS has -23.
  ///
  /// The result is `nil` for less than 400 ms, and where no block of 400 ms is above -70 LUFS.
  public var integrated: Decibels? { blocks.integrated.map { Decibels(Float($0)) } }
}

extension PCMBuffer {
  /// The integrated loudness of the buffer, in LUFS; see ``LoudnessMeter/integrated``.
  public var loudness: Decibels? {
    var meter = LoudnessMeter(format: format)
    meter.append(self)
    return meter.integrated
  }
}
