/// The decoder of a file's frames: libsndfile, libmpg123, this library, or with the trait `LibAVCodec` libavcodec.
protocol FrameSource: ~Copyable, Sendable {
  /// The report of libsndfile or libmpg123; `nil` if the file itself contains all facts.
  var report: SoundHandle.Header? { get }

  /// Decodes frames into uninitialised memory and returns their number.
  ///
  /// The number is smaller than requested only at the end, after damage, or after a failure of the system.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int

  /// Whether the decoder met an error in the short read.
  var hasDecodingError: Bool { mutating get }

  /// The error of the system that made a read short, if there was one.
  var systemError: SystemError? { mutating get }

  /// Whether packets were damaged and became silence.
  var hasDamagedPackets: Bool { get }

  /// Whether libsndfile has to decode the rest of a file of Ogg, after a short read.
  var needsOtherDecoder: Bool { get }

  /// The packet near the last frame at which libsndfile can start.
  var lastStart: OggSeekIndex.Start? { get }

  /// Seeks to a decoded frame and returns whether that worked.
  mutating func seek(toFrame frame: Int) -> Bool

  /// Whether the decoder returns samples of 16 bits without a conversion.
  var holdsInt16: Bool { get }

  /// Reads 16-bit frames without conversion into uninitialised memory and returns their number.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Int16>) -> Int
}

extension FrameSource where Self: ~Copyable {
  var hasDamagedPackets: Bool { false }
  var needsOtherDecoder: Bool { false }
  var lastStart: OggSeekIndex.Start? { nil }
  var holdsInt16: Bool { false }
  mutating func seek(toFrame frame: Int) -> Bool { false }
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Int16>) -> Int { 0 }
}
