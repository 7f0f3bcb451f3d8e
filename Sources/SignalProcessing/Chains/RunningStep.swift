internal import PCM

/// A step of a chain while it runs: its processor, and the dry path beside it.
///
/// The dry path is as late as the processor, so mix and bypass move nothing in time. The shares of both are linear and
/// have the sum 1: dry and processed sound are much alike. A change of the share takes 10 ms at least.
///
/// A processor behind a settled bypass does not run. When the bypass ends, the processor begins as after a reset, and
/// warms up before it fades in.
///
/// Unchecked: exactly one chain owns the step, and one thread at a time owns the chain.
final class RunningStep: @unchecked Sendable {
  let latency: Int
  private(set) var key: KeyIndex?

  private let channelCount: Int
  private let processor: any RunningProcessor
  /// The fault that the processor can have, until it was taken.
  private var fault: ChainFault?
  private let shortestFade: Int
  private var mix: Double
  private var isBypassed: Bool
  private var keyDelay: KeyDelay
  private var dryLine: DelayLine
  /// The share of the dry sound.
  private var dryShare: CrossFade
  private var warmUp: WarmUp
  private var fadeLength = 0
  /// Whether the processor has returned an unusable sample: then it runs no more.
  private(set) var hasFailed = false

  /// A step behind steps of some latency together.
  init(_ step: ProcessorStep, format: PCMFormat, keyChannelCount: Int, latencyBefore: Int) {
    channelCount = ProcessingLimits.channelCount(format.channelCount)
    processor = step.settings.makeProcessor(format: format, keyChannelCount: keyChannelCount)
    latency = processor.latency
    (mix, isBypassed, key) = (step.mix, step.isBypassed, step.usedKey)
    if case .custom(let processor) = step.settings { fault = ChainFault(processor: processor) }
    keyDelay = KeyDelay(step.settings, delay: latencyBefore, channelCount: keyChannelCount)
    dryLine = DelayLine(delay: latency, channelCount: channelCount)
    dryShare = CrossFade(share: step.isBypassed ? 1 : 1 - mix, channelCount: channelCount)
    warmUp = WarmUp(channelCount: channelCount)
    shortestFade = ChainBlock.shortestFade(sampleRate: format.sampleRate)
  }

  /// Whether the processor does not run: the sound is the dry sound.
  var isIdle: Bool { isBypassed && dryShare.isSettled }

  /// The number of silent frames after which the output is exactly 0; `nil` for a sound that does not end.
  var tail: Int? { isIdle || hasFailed ? latency : processor.tail.map { max($0, latency) } }

  var holdsFormerSettings: Bool { processor.holdsFormerSettings }
  var gainChange: Double { isIdle || hasFailed ? 0 : processor.gainChange }

  func canGlide(to step: ProcessorStep) -> Bool { processor.canGlide(to: step.settings) }

  /// Moves to another step over so many frames, and at least 10 ms; the owner has asked `canGlide`.
  ///
  /// A step that has failed stays bypassed.
  func set(_ step: ProcessorStep, over frameCount: Int) {
    fadeLength = max(frameCount, shortestFade)
    let begins = isIdle && !step.isBypassed && !hasFailed
    processor.set(step.settings, over: isIdle ? 0 : fadeLength)
    (mix, key) = (step.mix, step.usedKey)
    if begins { begin() } else if isIdle { forgetFormerSettings() }
    isBypassed = step.isBypassed || hasFailed
    if isBypassed { warmUp.cancel() }
    if warmUp.remaining == 0 { fade() }
  }

  /// Begins the warm-up after a bypass: until the processor has sound, and its key as well.
  private func begin() {
    processor.reset()
    keyDelay.reset()
    warmUp.begin(rise: shortestFade, latency: key == nil ? latency : max(latency, keyDelay.delay))
  }

  /// Ends a glide of a processor that does not run: it would hold objects of former settings for ever.
  private func forgetFormerSettings() { if processor.holdsFormerSettings { processor.reset() } }

  private func fade() { dryShare.move(to: isBypassed ? 1 : 1 - mix, over: fadeLength) }

  /// Processes whole frames, at most as many as `scratch` has room for.
  ///
  /// `part` has as many frames as the samples.
  func process(
    _ samples: inout MutableSpan<Float>,
    keys: Span<Float>,
    _ part: KeyPart,
    at frame: Int,
    _ scratch: inout MutableSpan<Float>
  ) {
    if isIdle {
      forgetFormerSettings()
      return dryLine.process(&samples)
    }
    var first = 0
    if warmUp.remaining > 0 {
      // The fade begins at a frame, wherever blocks end.
      first = min(warmUp.remaining, samples.count / channelCount)
      var start = samples._mutatingExtracting(0..<first * channelCount)
      warm(&start, keys: keys, part.part(0, count: first), at: frame, &scratch)
    }
    guard first * channelCount < samples.count else { return }
    var rest = samples._mutatingExtracting(first * channelCount..<samples.count)
    if isIdle { return dryLine.process(&rest) }
    let count = part.count - first
    play(&rest, keys: keys, part.part(first, count: count), at: frame + first, &scratch)
  }

  /// Runs the processor beside the dry sound, which alone is played.
  private func warm(
    _ samples: inout MutableSpan<Float>,
    keys: Span<Float>,
    _ part: KeyPart,
    at frame: Int,
    _ scratch: inout MutableSpan<Float>
  ) {
    var processed = scratch._mutatingExtracting(0..<samples.count)
    samples.span.copy(to: &processed)
    dryLine.process(&samples)
    warmUp.process(&processed)
    run(&processed, keys: keys, part, at: frame)
    if hasFailed { bypassFailure() } else if warmUp.remaining == 0 { fade() }
  }

  /// Mixes the processed sound and the dry sound.
  private func play(
    _ samples: inout MutableSpan<Float>,
    keys: Span<Float>,
    _ part: KeyPart,
    at frame: Int,
    _ scratch: inout MutableSpan<Float>
  ) {
    let isProcessed = dryShare.isSettled && dryShare.value == 0
    if isProcessed, latency == 0 {
      run(&samples, keys: keys, part, at: frame)
    } else {
      var dry = scratch._mutatingExtracting(0..<samples.count)
      samples.span.copy(to: &dry)
      dryLine.process(&dry)
      run(&samples, keys: keys, part, at: frame)
      if !isProcessed { dryShare.process(&samples, with: dry.span) }
    }
    if hasFailed, !isBypassed { bypassFailure() }
  }

  /// Runs the processor; silence replaces a block with an unusable sample, and all blocks after it.
  private func run(_ samples: inout MutableSpan<Float>, keys: Span<Float>, _ part: KeyPart, at frame: Int) {
    if !hasFailed {
      if let key, let indices = part.samples(of: key) {
        hasFailed = !process(&samples, key: keys.extracting(indices), at: frame)
      } else {
        keyDelay.reset()
        hasFailed = !processor.process(&samples, key: nil, at: frame)
      }
    }
    if hasFailed { samples.update(repeating: 0) }
  }

  /// Runs the processor with a key; returns whether all samples are usable.
  private func process(_ samples: inout MutableSpan<Float>, key: Span<Float>, at frame: Int) -> Bool {
    if keyDelay.isEmpty { return processor.process(&samples, key: key, at: frame) }
    var isUsable = true
    keyDelay.withDelayed(key) { isUsable = processor.process(&samples, key: $0, at: frame) }
    return isUsable
  }

  /// Begins to fade from the silence of a processor that has failed to the dry sound.
  private func bypassFailure() {
    (isBypassed, fadeLength) = (true, shortestFade)
    warmUp.cancel()
    fade()
  }

  /// Whether ``skipSilence(_:)`` equals `process`, after so many silent frames.
  func isAtRest(afterSilence frameCount: Int) -> Bool {
    guard dryShare.isSettled, warmUp.remaining == 0, frameCount >= latency else { return false }
    return isIdle || processor.isAtRest(afterSilence: frameCount)
  }

  /// Lets silent frames pass; the dry line is silent already.
  func skipSilence(_ frameCount: Int) {
    if isIdle { forgetFormerSettings() } else { processor.skipSilence(frameCount) }
  }

  /// The fault of the processor, once.
  func takeFault() -> ChainFault? { hasFailed ? fault.take() : nil }
}

extension ProcessorStep {
  /// The key; `nil` for a processor without a key.
  fileprivate var usedKey: KeyIndex? { settings.hasKey ? key : nil }
}
