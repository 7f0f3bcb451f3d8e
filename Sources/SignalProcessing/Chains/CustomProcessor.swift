package import PCM

/// A processor of the program, by its name and a closure that makes it.
///
/// A program makes a description once for a name. Two descriptions are equal if they are the same object, so settings
/// are cheap to compare, and a step keeps its processor while the description stays.
package final class CustomProcessor: Sendable, Hashable {
  package let name: String
  /// Makes a processor for the format of a chain, on the thread that makes the chain.
  package let make: @Sendable (_ format: PCMFormat) -> any CustomProcessing

  package init(_ name: String, _ make: @escaping @Sendable (_ format: PCMFormat) -> any CustomProcessing) {
    (self.name, self.make) = (name, make)
  }

  package static func == (one: CustomProcessor, other: CustomProcessor) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A running processor of the program.
///
/// One step owns it, and calls it on one thread at a time.
package protocol CustomProcessing: AnyObject, Sendable {
  /// Processes 1 to 512 whole frames, from the frame `frame` of the mix on; all samples are usable.
  ///
  /// Silence replaces a block with a sample that is not finite, or beyond ±1e25. The processor then runs no more.
  func process(_ samples: inout MutableSpan<Float>, at frame: Int)

  /// Forgets the sound: the step calls it when its bypass ends.
  func reset()

  /// Lets frames pass: the step calls it instead of `process` while the chain is silent.
  func skipSilence(_ frameCount: Int)

  /// The number of frames by which sound leaves later than it enters; the step reads it once.
  var latency: Int { get }

  /// The number of silent frames, behind the latency, after which the output is exactly 0; the step reads it once.
  ///
  /// `nil` by default, for a sound that may go on without an end: the chain then does not rest while the step runs.
  var tail: Int? { get }
}

extension CustomProcessing {
  package func reset() {}
  package func skipSilence(_ frameCount: Int) {}
  package var latency: Int { 0 }
  package var tail: Int? { nil }
}

/// The processor of a step that runs a processor of the program, and checks its samples.
final class CustomBox: RunningProcessor {
  private let description: CustomProcessor
  private let processor: any CustomProcessing
  let (latency, tail): (Int, Int?)

  init(_ description: CustomProcessor, format: PCMFormat) {
    self.description = description
    processor = description.make(format)
    let latency = min(max(processor.latency, 0), DelayLine.longest)
    self.latency = latency
    // Chosen: an hour at 384 kHz. The sum of the tails of a chain is then a number.
    tail = processor.tail.map { latency + min(max($0, 0), 3_600 * 384_000) }
  }

  var gainChange: Double { 0 }
  var holdsFormerSettings: Bool { false }

  func canGlide(to settings: ProcessorSettings) -> Bool { settings == .custom(description) }
  func set(_ settings: ProcessorSettings, over frameCount: Int) {}
  func reset() { processor.reset() }
  func isAtRest(afterSilence frameCount: Int) -> Bool { tail.map { frameCount >= $0 } ?? false }
  func skipSilence(_ frameCount: Int) { processor.skipSilence(frameCount) }

  func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?, at frame: Int) -> Bool {
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      // Indices of the samples.
      for index in 0..<samples.count { unsafe samples[index] = samples[index].usable }
    }
    processor.process(&samples, at: frame)
    return samples.span.isUsable
  }
}
