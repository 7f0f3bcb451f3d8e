package import PCM

/// A list of processors in a row: the inserts of a bus.
///
/// The owner makes a chain, with all of its memory, on a thread without real-time rules, and then processes it on the
/// mixing thread. A chain returns the same samples however the sound is cut into blocks, if the processors of the
/// program do so. An empty chain leaves the samples as they are, to the bit.
///
/// A chain rests while its sound and its keys are silent, once silence changes nothing in it but positions. Rest costs
/// next to nothing and returns exact zeros. It changes no bit of the sound that follows, if the sound in front of each
/// step is at most +40 dB re full scale. After louder sound the end of a tail may be missing.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct ProcessorChain: ~Copyable, Sendable {
  package let format: PCMFormat
  /// The number of channels of each key.
  package let keyChannelCount: Int
  /// The number of frames by which sound leaves later than it enters; constant.
  package let latency: Int
  /// Whether the last frames were skipped; of a new chain, whether silent frames would be.
  package private(set) var isResting = false

  private let channelCount: Int
  private let rests: Bool
  private let steps: [RunningStep]
  /// The dry sound of a step.
  private var scratch: [Float]
  private var silence: ChainSilence

  /// The longest glide in frames.
  ///
  /// Chosen: three hours at 384 kHz, and the sum of the tails is a number.
  package static let longestGlide = 1 << 32

  /// Whether the chain has no steps, and leaves the samples as they are.
  package var isEmpty: Bool { steps.isEmpty }

  /// A chain of steps; each key has as many channels as the sound unless `keyChannelCount` is given.
  package init(_ steps: [ProcessorStep], format: PCMFormat, keyChannelCount: Int? = nil) {
    self.init(steps, format: format, keyChannelCount: keyChannelCount, rests: true)
  }

  /// A chain of steps, which processes silence as any sound if `rests` is false.
  init(_ steps: [ProcessorStep], format: PCMFormat, keyChannelCount: Int? = nil, rests: Bool) {
    let count = ProcessingLimits.channelCount(format.channelCount)
    let keyCount = ProcessingLimits.channelCount(keyChannelCount ?? count)
    (self.format, self.rests) = (format, rests)
    (channelCount, self.keyChannelCount) = (count, keyCount)
    var (running, latency): ([RunningStep], Int) = ([], 0)
    for step in steps {
      running.append(RunningStep(step, format: format, keyChannelCount: keyCount, latencyBefore: latency))
      latency += running[running.count - 1].latency
    }
    (self.steps, self.latency) = (running, latency)
    scratch = Array(repeating: 0, count: ChainBlock.longest * count)
    silence = ChainSilence(stepCount: steps.count)
    isResting = canRest
  }

  /// The number of silent frames after which the output is exactly 0, for sound of up to +40 dB re full scale.
  ///
  /// `nil` if a processor of the program may sound on without an end. After ``set(_:over:)`` the sound so far has the
  /// tail of the former steps.
  package var tail: Int? {
    var result = 0
    for step in steps {
      guard let tail = step.tail else { return nil }
      result += tail
    }
    return result
  }

  /// The present change of the gain by the dynamics of a step, in decibels; 0 for a bypassed step.
  ///
  /// `nil` for a step that the chain does not have.
  package func gainChange(ofStep index: StepIndex) -> Double? {
    steps.indices.contains(index.value) ? steps[index.value].gainChange : nil
  }

  /// Whether a step still uses objects of former steps, such as an impulse response.
  ///
  /// The owner holds these steps meanwhile: nothing is then freed on the mixing thread.
  package var holdsFormerSteps: Bool { steps.contains { $0.holdsFormerSettings } }

  /// Whether the list has the same kinds at the same positions, and each processor can glide to its settings.
  func canGlide(to steps: [ProcessorStep]) -> Bool {
    guard steps.count == self.steps.count else { return false }
    return steps.indices.allSatisfy { self.steps[$0].canGlide(to: steps[$0]) }
  }

  /// Glides to other steps over a number of frames, and keeps the memory of the processors.
  ///
  /// The glide takes at least 10 ms, and at most ``longestGlide``. Returns `false` for steps that ``canGlide(to:)``
  /// refuses: nothing happens then, and the owner exchanges the chain.
  package mutating func set(_ steps: [ProcessorStep], over frameCount: Int) -> Bool {
    guard canGlide(to: steps) else { return false }
    // A chain without steps rests on.
    guard !steps.isEmpty else { return true }
    let length = min(max(frameCount, 0), Self.longestGlide)
    for index in steps.indices { self.steps[index].set(steps[index], over: length) }
    silence.take(self.steps)
    isResting = false
    return true
  }

  /// Processes whole frames; it leaves samples behind the last whole frame.
  ///
  /// `keys` has the keys one behind the other, each with as many frames as the samples and in time with them. A step
  /// behind other steps gets its key as late as its sound. `frame` is the first frame of the block in the mix, for
  /// processors of the program.
  package mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float> = Span(), at frame: Int) {
    process(&samples, keys: keys, part(ofKeys: keys.count, frameCount: samples.count / channelCount), at: frame)
  }

  /// The whole of a block of keys, which has so many samples.
  func part(ofKeys sampleCount: Int, frameCount: Int) -> KeyPart {
    KeyPart(frameCount: frameCount, channelCount: keyChannelCount, sampleCount: sampleCount)
  }

  /// Processes whole frames by a part of a block of keys.
  mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float>, _ part: KeyPart, at frame: Int) {
    if steps.isEmpty { return isResting = rests && samples.span.silentSamples == samples.count }
    var first = 0
    while first < part.count {
      let count = min(ChainBlock.longest, part.count - first)
      var piece = samples._mutatingExtracting(first * channelCount..<(first + count) * channelCount)
      process(piece: &piece, keys: keys, part.part(first, count: count), at: frame + first)
      first += count
    }
  }

  /// Processes a piece of the block.
  private mutating func process(
    piece samples: inout MutableSpan<Float>,
    keys: Span<Float>,
    _ part: KeyPart,
    at frame: Int
  ) {
    let silent = silentFrames(of: samples.span, keys, part)
    if silent < part.count {
      isResting = false
    } else if isResting || canRest {
      isResting = true
      silence.rest()
      for step in steps { step.skipSilence(part.count) }
      // A sample may be the negative zero.
      return samples.update(repeating: 0)
    }
    silence.count(part.count, silent: silent)
    run(&samples, keys: keys, part, at: frame)
    silence.take(steps)
  }

  private mutating func run(
    _ samples: inout MutableSpan<Float>,
    keys: Span<Float>,
    _ part: KeyPart,
    at frame: Int
  ) {
    let steps = steps
    var scratch = scratch.mutableSpan
    for step in steps { step.process(&samples, keys: keys, part, at: frame, &scratch) }
  }

  /// The silent frames at the end of a piece, of the sound and of all keys that steps use.
  private func silentFrames(of samples: Span<Float>, _ keys: Span<Float>, _ part: KeyPart) -> Int {
    var result = samples.silentSamples / channelCount
    for step in steps where result > 0 && !step.isIdle {
      guard let index = step.key, let places = part.samples(of: index) else { continue }
      result = min(result, keys.extracting(places).silentSamples / keyChannelCount)
    }
    return result
  }

  /// Whether silence changes nothing but positions: the input of a step is silent when the steps before it are.
  private var canRest: Bool {
    guard rests, silence.hasOneSetOfTails else { return false }
    var silent = silence.frames
    for step in steps {
      guard let tail = step.tail, step.isAtRest(afterSilence: silent) else { return false }
      silent -= tail
    }
    return true
  }

  /// Whether no sound is in the chain: it rests, or glides in silence.
  package var isSilent: Bool {
    // A chain without steps does not count silence.
    guard !steps.isEmpty else { return isResting }
    return rests && silence.isEndless && steps.allSatisfy { $0.tail != nil }
  }

  /// A fault of a step that was not taken yet; each step has one at most.
  package mutating func takeFault() -> ChainFault? {
    for step in steps {
      if let fault = step.takeFault() { return fault }
    }
    return nil
  }
}

/// A processor of the program has returned a sample that is not finite, or beyond ±1e25.
///
/// Silence has replaced the block, and the step is bypassed from then on. The fault has no index: the list of the owner
/// may have changed.
package struct ChainFault: Hashable, Sendable {
  package let processor: CustomProcessor
}
