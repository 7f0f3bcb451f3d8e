/// Uncompressed audio in memory: interleaved samples and their format.
///
/// A buffer is a value. A copy costs nothing until one of the two changes, and reading ``samples`` copies nothing.
/// Frame 0's samples come first, one for each channel in the layout's order, then frame 1's.
public struct PCMBuffer<Sample: PCMSample>: Hashable, Sendable {
  /// The rate and the channels of the samples.
  public internal(set) var format: PCMFormat

  /// The samples, interleaved.
  public internal(set) var samples: [Sample]

  /// The number of frames.
  public var frameCount: Int { samples.count / format.channelCount }

  /// The duration of the buffer at its sample rate.
  public var duration: Duration { format.duration(ofFrames: frameCount) }

  /// A buffer of interleaved samples.
  ///
  /// - Throws: ``PCMError`` with the code `raggedSampleCount` if the last frame lacks samples for some of its channels.
  public init(samples: [Sample], format: PCMFormat) throws(PCMError) {
    guard samples.count.isMultiple(of: format.channelCount) else {
      throw PCMError(
        code: .raggedSampleCount,
        message: "\(samples.count) samples do not make whole frames of \(format.channelCount) channels"
          + " (\(format.layout)). Pass a multiple of \(format.channelCount) samples."
      )
    }
    self.format = format
    self.samples = samples
  }

  /// A buffer without frames, for a reader to fill.
  public init(format: PCMFormat) {
    self.format = format
    samples = []
  }

  /// A copy of a buffer with samples of another type.
  ///
  /// `Int16` samples are rounded to the nearest step of 1/32,768 and clipped at full scale, without dither. To `Float`,
  /// and from it back to `Int16`, the conversion is exact.
  @specialized(where Sample == Int16, Other == Float)
  @specialized(where Sample == Float, Other == Int16)
  public init<Other: PCMSample>(converting other: PCMBuffer<Other>) {
    format = other.format
    samples = other.samples.map { Sample(signal: $0.signal) }
  }

  /// The samples of one channel, counted from 0; an empty array if the channel does not exist.
  ///
  /// Copies the channel.
  @inlinable
  public func channel(_ index: Int) -> [Sample] {
    guard (0..<format.channelCount).contains(index) else { return [] }
    return stride(from: index, to: samples.count, by: format.channelCount).map { samples[$0] }
  }
}
