/// A processor whose kind is known at run time: one call a block is dynamic, and each call inside of it is static.
///
/// An object, because an array cannot hold processors of several types, and because no exchange of chains moves its
/// memory.
protocol RunningProcessor: AnyObject, Sendable {
  var latency: Int { get }
  var tail: Int { get }
  var gainChange: Double { get }

  /// Whether the settings have the kind of the processor, and `set` can reach them.
  func canGlide(to settings: ProcessorSettings) -> Bool
  func set(_ settings: ProcessorSettings, over frameCount: Int)

  /// Processes whole frames; returns whether all samples are usable.
  func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?, at frame: Int) -> Bool
  func isAtRest(afterSilence frameCount: Int) -> Bool
  func skipSilence(_ frameCount: Int)
  func reset()
}

/// A processor of a known type, and its settings among the settings of all kinds.
///
/// Unchecked: exactly one step owns the box, and one thread at a time owns the chain of this step.
final class ProcessorBox<Processor: SoundProcessor & ~Copyable>: RunningProcessor, @unchecked Sendable {
  private var processor: Processor
  private let settings: (ProcessorSettings) -> Processor.Settings?

  init(_ processor: consuming Processor, _ settings: @escaping (ProcessorSettings) -> Processor.Settings?) {
    self.processor = processor
    self.settings = settings
  }

  var latency: Int { processor.latency }
  var tail: Int { processor.tail }
  var gainChange: Double { processor.gainChange }

  func canGlide(to settings: ProcessorSettings) -> Bool {
    self.settings(settings).map { processor.canGlide(to: $0) } ?? false
  }

  func set(_ settings: ProcessorSettings, over frameCount: Int) {
    if let settings = self.settings(settings) { processor.set(settings, over: frameCount) }
  }

  func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?, at frame: Int) -> Bool {
    processor.process(&samples, key: key)
    return true
  }

  func isAtRest(afterSilence frameCount: Int) -> Bool { processor.isAtRest(afterSilence: frameCount) }
  func skipSilence(_ frameCount: Int) { processor.skipSilence(frameCount) }
  func reset() { processor.reset() }
}
