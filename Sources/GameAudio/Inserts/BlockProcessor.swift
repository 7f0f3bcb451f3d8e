public import PCM
internal import SignalProcessing

/// A processor of the program, with a memory of its own: an insert by ``Insert/processor(_:_:)``.
///
/// The thread that mixes calls the processor, one block after the other: the processor waits for nothing, and takes a
/// small part of the time of the block. It may not call the world: an insert or a meter would wait for the end of the
/// block, for ever. The processor is not called behind a bypass, and not during silence after its tail: the next block
/// then has a later frame. It is reset when a bypass ends.
///
/// Silence replaces a block with a sample that is not finite, or beyond ±1e25. The insert is bypassed from then on, and
/// the world reports its name.
///
/// AVFAudio: `AUAudioUnit`. FMOD: `FMOD_DSP_DESCRIPTION`. Wwise: effect plug-in.
public protocol BlockProcessor: ~Copyable, Sendable {
  /// Overwrites the samples of a block: whole frames, with the channels of a frame side by side.
  mutating func process(_ samples: inout MutableSpan<Float>, _ block: BlockDescription)

  /// Forgets the sound so far, when a bypass ends; nothing by default.
  mutating func reset()

  /// The number of frames by which sound leaves later than it enters; 0 by default.
  ///
  /// The bus reads it once, after it has made the processor.
  var latency: Int { get }

  /// The number of frames for which sound goes on after the latency, once silence enters.
  ///
  /// `nil`, the default, is a sound that may go on without an end: the processor is then called during silence as well.
  /// The bus reads it once, after it has made the processor.
  var tail: Int? { get }
}

extension BlockProcessor where Self: ~Copyable {
  /// Keeps the memory.
  public mutating func reset() {}

  /// No latency.
  public var latency: Int { 0 }

  /// A sound that may go on without an end.
  public var tail: Int? { nil }
}

/// The frames of a block that a ``BlockProcessor`` processes.
public struct BlockDescription: Hashable, Sendable {
  /// The channels and the sample rate; they are the same for each block of a processor.
  public let format: PCMFormat

  /// The number of frames, 1 to 512.
  public let frameCount: Int

  /// The frame of the mix at which the block begins.
  public let frame: Int

  /// A block of frames.
  public init(format: PCMFormat, frameCount: Int, frame: Int) {
    (self.format, self.frameCount, self.frame) = (format, frameCount, frame)
  }
}

// MARK: - The processor of a step

/// A processor of the program while it runs.
///
/// An object, because a step holds processors of several types, and because a processor may not be copyable.
///
/// Unchecked: exactly one step owns the box, and calls it on one thread at a time. Nothing else has the processor.
final class BlockProcessorBox<Processor: BlockProcessor & ~Copyable>: CustomProcessing, @unchecked Sendable {
  let latency: Int
  let tail: Int?
  private var processor: Processor
  private let format: PCMFormat
  private let channelCount: Int

  init(_ processor: consuming Processor, format: PCMFormat) {
    (latency, tail) = (processor.latency, processor.tail)
    (self.format, channelCount) = (format, max(format.channelCount, 1))
    self.processor = processor
  }

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    let frameCount = samples.count / channelCount
    processor.process(&samples, BlockDescription(format: format, frameCount: frameCount, frame: frame))
  }

  func reset() { processor.reset() }
}

/// A closure as a processor without a memory.
struct ClosureProcessor: BlockProcessor {
  let body: @Sendable (_ samples: inout MutableSpan<Float>, _ block: BlockDescription) -> Void

  var tail: Int? { 0 }

  func process(_ samples: inout MutableSpan<Float>, _ block: BlockDescription) { body(&samples, block) }
}
