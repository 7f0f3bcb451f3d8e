package import PCM

/// A list of processors in a row: the inserts of a bus.
///
/// The owner makes a chain, with all of its memory, on a thread without real-time rules, and then processes it on the
/// mixing thread. A chain returns the same samples however the sound is cut into blocks, if the processors of the
/// program do so. An empty chain leaves the samples as they are, to the bit.
///
/// A chain rests while its sound and its keys are silent, once silence changes nothing in it but positions. Rest costs
/// next to nothing, returns exact zeros, and changes no bit of the sound that follows.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct ProcessorChain: ~Copyable, Sendable {
  package let format: PCMFormat
  /// The number of frames by which sound leaves later than it enters; constant.
  package let latency: Int
  /// Whether the last frames were skipped.
  package private(set) var isResting = false

  private let channelCount: Int
  private let keyChannelCount: Int
  private let rests: Bool
  private let steps: [RunningStep]
  /// The dry sound of a step.
  private var scratch: [Float]
  /// The silent frames of the sound and the keys until now.
  private var silentFrames = Self.muchSilence
  /// The faults that were not taken yet, and the steps that have reported theirs.
  private var (hasFault, reported): (Bool, [Bool])

  /// The silence before a new chain, which has no memory.
  ///
  /// Chosen: more than all tails together, and sums with it are numbers.
  private static let muchSilence = 1 << 60

  /// A chain of steps; each key has as many channels as the sound unless `keyChannelCount` is given.
  ///
  /// With `rests` false it processes silence as any sound.
  package init(_ steps: [ProcessorStep], format: PCMFormat, keyChannelCount: Int? = nil, rests: Bool = true) {
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
    (hasFault, reported) = (false, Array(repeating: false, count: steps.count))
  }

  /// The number of steps.
  package var count: Int { steps.count }

  /// The number of silent frames after which the output is exactly 0, for sound of up to full scale.
  package var tail: Int { steps.reduce(0) { $0 + $1.tail } }

  /// The present change of the gain by the dynamics of a step, in decibels; 0 for a bypassed step.
  package func gainChange(ofStep index: Int) -> Double { steps[index].gainChange }

  /// Whether a step still uses objects of former steps, such as an impulse response.
  ///
  /// The owner holds these steps meanwhile: nothing is then freed on the mixing thread.
  package var holdsFormerSteps: Bool { steps.contains { $0.holdsFormerSettings } }

  /// Whether the list has the same kinds at the same positions, and each processor can glide to its settings.
  package func canGlide(to steps: [ProcessorStep]) -> Bool {
    guard steps.count == self.steps.count else { return false }
    return steps.indices.allSatisfy { self.steps[$0].canGlide(to: steps[$0]) }
  }

  /// Glides to other steps over a number of frames, at least 10 ms, and keeps the memory of the processors.
  ///
  /// Returns `false` for steps that ``canGlide(to:)`` refuses: nothing happens then, and the owner exchanges the chain.
  package mutating func set(_ steps: [ProcessorStep], over frameCount: Int) -> Bool {
    guard canGlide(to: steps) else { return false }
    for index in steps.indices { self.steps[index].set(steps[index], over: frameCount) }
    isResting = false
    return true
  }

  /// Processes whole frames; it leaves samples behind the last whole frame.
  ///
  /// `keys` has the keys one behind the other, each with as many frames as the samples and in time with them. A step
  /// behind other steps gets its key as late as its sound. `frame` is the first frame of
  /// the block in the mix, for processors of the program.
  package mutating func process(
    _ samples: inout MutableSpan<Float>,
    keys: Span<Float> = Span(),
    at frame: Int = 0
  ) {
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
    let silence = silentFrames(of: samples.span, keys, part)
    if silence == part.count {
      if !isResting { isResting = canRest }
      silentFrames = min(silentFrames + silence, Self.muchSilence)
      if isResting {
        for step in steps { step.skipSilence(part.count) }
        // A sample may be the negative zero.
        return samples.update(repeating: 0)
      }
    } else {
      (silentFrames, isResting) = (silence, false)
    }
    run(&samples, keys: keys, part, at: frame)
    for index in steps.indices where steps[index].hasFailed && !reported[index] { hasFault = true }
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
    for step in steps where result > 0 {
      guard let index = step.key, let places = part.samples(of: index) else { continue }
      result = min(result, keys.extracting(places).silentSamples / keyChannelCount)
    }
    return result
  }

  /// Whether silence changes nothing but positions: the input of a step is silent when the steps before it are.
  private var canRest: Bool {
    guard rests else { return false }
    var silence = silentFrames
    for step in steps {
      guard step.isAtRest(afterSilence: silence) else { return false }
      silence -= step.tail
    }
    return true
  }

  /// A step whose processor has returned an unusable sample since the last call; each step once.
  package mutating func takeFault() -> ChainFault? {
    guard hasFault else { return nil }
    for index in steps.indices where steps[index].hasFailed && !reported[index] {
      reported[index] = true
      return ChainFault(step: index)
    }
    hasFault = false
    return nil
  }

  /// Forgets the sound: the chain then equals a new one with the steps that were set, but faults stay.
  package mutating func reset() {
    for step in steps { step.reset() }
    (silentFrames, isResting) = (Self.muchSilence, false)
  }
}

/// A processor of the program has returned a sample that is not finite, or beyond ±1e25.
///
/// The block was replaced by silence, and the step is bypassed from then on.
package struct ChainFault: Hashable, Sendable {
  /// The position of the step in the list.
  package let step: Int

  package init(step: Int) { self.step = step }
}
