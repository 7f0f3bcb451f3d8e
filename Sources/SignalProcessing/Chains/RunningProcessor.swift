/// A processor whose kind is known at run time: one call a block is dynamic, and each call inside of it is static.
///
/// An object, because an array cannot hold processors of several types, and because no exchange of chains moves its
/// memory.
protocol RunningProcessor: AnyObject, Sendable {
  var latency: Int { get }
  /// `nil` for a sound that does not end.
  var tail: Int? { get }
  var gainChange: Double { get }
  var holdsFormerSettings: Bool { get }

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
  private let settings: @Sendable (ProcessorSettings) -> Processor.Settings?

  init(
    _ processor: consuming Processor,
    _ present: ProcessorSettings,
    _ settings: @escaping @Sendable (ProcessorSettings) -> Processor.Settings?
  ) {
    self.processor = processor
    self.settings = settings
    prepareRecords(present)
  }

  /// Calls each method once, with the present settings and without sound.
  ///
  /// The first call of a method of a generic type makes records in the memory of Swift's runtime: so it happens in
  /// `init`, and not on the mixing thread.
  private func prepareRecords(_ settings: ProcessorSettings) {
    if canGlide(to: settings) { set(settings, over: 0) }
    var nothing: [Float] = []
    var samples = nothing.mutableSpan
    _ = process(&samples, key: nil, at: 0)
    _ = isAtRest(afterSilence: 0)
    skipSilence(0)
    _ = (latency, tail, gainChange, holdsFormerSettings)
    reset()
  }

  var latency: Int { processor.latency }
  var tail: Int? { processor.tail }
  var gainChange: Double { processor.gainChange }
  var holdsFormerSettings: Bool { processor.holdsFormerSettings }

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
