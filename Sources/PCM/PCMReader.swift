/// A source of audio that a program reads front to back, a block at a time.
///
/// A decoded file is a reader; a synthesiser or a network stream can be another. Samples are `Float`, full scale at ±1.
public protocol PCMReader: ~Copyable {
  /// The error that reading and seeking throw.
  associatedtype Failure: Error

  /// The rate and the channels of the frames that the reader returns.
  var format: PCMFormat { get }

  /// The total number of frames, or `nil` if it is unknown or infinite.
  var frameCount: Int? { get }

  /// A name for the audio in messages, such as the path of its file; `nil`, the default, if it has no name.
  var name: String? { get }

  /// Whether every sample is a multiple of 1/32,768 from -1 to just under 1, so that it loses nothing as `Int16`.
  ///
  /// A caller can then keep the frames in half the memory. Default: `false`.
  var isExactAsInt16: Bool { get }

  /// The frames that repeat when the sound loops, according to its source; `nil`, the default, for all of them.
  var loopRange: Range<Int>? { get }

  /// Reads the next frames into a buffer, and replaces its contents.
  ///
  /// The buffer takes over the reader's ``format`` and keeps its memory, so that a loop over blocks allocates once.
  ///
  /// - Returns: The number of frames: at most `maxFrames`, and 0 only at the end.
  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Failure) -> Int

  /// Seeks to a frame, counted from 0; to the nearest end if the frame does not exist.
  mutating func seek(toFrame frame: Int) throws(Failure)
}

extension PCMReader where Self: ~Copyable {
  /// `nil`: the audio has no name.
  public var name: String? { nil }

  /// `false`: samples may have any value.
  public var isExactAsInt16: Bool { false }

  /// `nil`: the whole sound.
  public var loopRange: Range<Int>? { nil }

  /// Reads at most 4,096 frames into a buffer, and replaces its contents.
  ///
  /// - Returns: The number of frames; 0 only at the end.
  public mutating func read(into buffer: inout PCMBuffer<Float>) throws(Failure) -> Int {
    try read(into: &buffer, maxFrames: 4_096)
  }
}
