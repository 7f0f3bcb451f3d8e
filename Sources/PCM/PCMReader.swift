/// A source of audio that is read front to back, a block at a time.
///
/// A decoded file is one; a synthesiser or a network stream can be another. Samples are `Float`, full scale at ±1.
public protocol PCMReader: ~Copyable {
  /// What reading and seeking throw.
  associatedtype Failure: Error

  /// The rate and the channels of what is read.
  var format: PCMFormat { get }

  /// How many frames there are in all, or `nil` where that is unknown or without end.
  var frameCount: Int? { get }

  /// What to call the audio in a message, such as the path of its file; `nil`, the default, where it has no name.
  var name: String? { get }

  /// Whether every sample is a multiple of 1/32,768 from -1 to just under 1, so that it loses nothing as `Int16`.
  ///
  /// Who keeps what is read then keeps it in half the memory. Default: `false`.
  var isExactAsInt16: Bool { get }

  /// The frames that repeat when the sound loops, as its source says; `nil`, the default, for all of them.
  var loopRange: Range<Int>? { get }

  /// Reads the next frames into a buffer, in place of what it held.
  ///
  /// The buffer takes on the reader's ``format`` and keeps its memory, so that a loop over blocks allocates once.
  ///
  /// - Returns: How many frames were read: at most `maxFrames`, and 0 only at the end.
  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(Failure) -> Int

  /// Makes a frame, counted from 0, the next to be read; the nearest end where there is no such frame.
  mutating func seek(toFrame frame: Int) throws(Failure)
}

extension PCMReader where Self: ~Copyable {
  /// `nil`: the audio has no name.
  public var name: String? { nil }

  /// `false`: samples may be anything.
  public var isExactAsInt16: Bool { false }

  /// `nil`: the whole sound.
  public var loopRange: Range<Int>? { nil }

  /// Reads the next 4,096 frames at most into a buffer, in place of what it held.
  ///
  /// - Returns: How many frames were read; 0 only at the end.
  public mutating func read(into buffer: inout PCMBuffer<Float>) throws(Failure) -> Int {
    try read(into: &buffer, maxFrames: 4_096)
  }
}
