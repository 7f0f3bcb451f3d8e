/// The delay of a key inside a chain: by the latency of the steps before the step that uses it.
///
/// The sound of the step is as late, so both stay in time. A latency beyond ``DelayLine/longest`` delays the key by
/// this number of frames alone.
struct KeyDelay: Sendable {
  private var line: DelayLine
  /// The key, later.
  private var memory: [Float]

  /// A delay that has memory only for a step with a key and a latency before it.
  init(_ settings: ProcessorSettings, delay: Int, channelCount: Int) {
    line = DelayLine(delay: settings.hasKey ? delay : 0, channelCount: channelCount)
    memory = Array(repeating: 0, count: line.delay > 0 ? ChainBlock.longest * channelCount : 0)
  }

  /// Whether the key passes as it is.
  var isEmpty: Bool { memory.isEmpty }

  /// In frames; 0 for a step without a key.
  var delay: Int { line.delay }

  /// Forgets the key so far: the step has not used it.
  mutating func reset() { line.reset() }

  /// Runs a body with the later key.
  mutating func withDelayed(_ key: Span<Float>, _ body: (Span<Float>) -> Void) {
    // Out of `self` for the time of a span, which excludes all other uses of `self`.
    var own: [Float] = []
    swap(&own, &memory)
    defer { swap(&own, &memory) }
    var span = own.mutableSpan
    var later = span._mutatingExtracting(0..<key.count)
    key.copy(to: &later)
    line.process(&later)
    body(later.span)
  }
}
