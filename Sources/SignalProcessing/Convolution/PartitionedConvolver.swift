/// The convolution of interleaved channels with an impulse response, in blocks of any length.
///
/// The first 1,920 frames of a response are in short partitions of 128 frames, the rest in long partitions of 2,048
/// (William Gardner, "Efficient Convolution without Input-Output Delay", Journal of the Audio Engineering Society
/// 43(3), 1995). The result is the response alone, late by ``delay``. The work for a long partition is
/// spread evenly over sixteen short partitions.
///
/// A sample that is not finite, or beyond ±1e25, counts as 0. The result does not depend on the lengths of the blocks,
/// to the bit.
///
/// Pure: no system call, no lock, and no allocation after `init`. It holds the responses of its settings, and the owner
/// holds all settings that it has set until ``holdsFormerSettings`` is false: then nothing is freed here.
package struct PartitionedConvolver: ~Copyable, SoundProcessor {
  package struct Settings: Hashable, Sendable {
    package var response: ImpulseResponse

    package init(_ response: ImpulseResponse) { self.response = response }
  }

  /// The frames by which the response is late.
  ///
  /// It is no latency, because nothing else waits for the response. A prepared response begins earlier, see
  /// ``ImpulseResponse/init(_:_:sampleRate:)``.
  package static let delay = ImpulseResponse.shortPart
  /// The longest response in frames.
  ///
  /// Chosen: ten seconds at 192 kHz.
  package static let longest = 1_920_000
  /// The usual number of frames of an exchange, 21 ms at 48 kHz.
  package static let fadeLength = 1_024

  package private(set) var settings: Settings

  private let channelCount: Int
  /// The frames of the longest response that the memory is large enough for.
  private let capacity: Int
  private var (heads, tails): ([UniformConvolver], [UniformConvolver])
  private var (headScratch, tailScratch): (UniformConvolver.Scratch, UniformConvolver.Scratch)
  private var results = [Float](repeating: 0, count: ImpulseResponse.shortPart)
  /// The frames of the long partition so far.
  private var phase = 0

  private var present: ImpulseResponse
  /// The response that sound fades to, and the response that sound fades to afterwards, with the frames of the fade.
  private var (next, later): (ImpulseResponse?, ImpulseResponse?)
  private var (nextLength, laterLength) = (0, 0)
  /// The frames of the fade of the short partitions so far.
  private var fadeFrames = 0
  /// The responses whose long products are prepared; they change where a long partition begins.
  private var (tailPresent, tailNext): (ImpulseResponse, ImpulseResponse?)
  private var tailHasFaded = false

  /// A convolver for the response, and for other responses of at most `longest` frames.
  package init(_ settings: Settings, longest: Int = 0, channelCount: Int) {
    let count = ProcessingLimits.channelCount(channelCount)
    let (short, long, head) = (ImpulseResponse.shortPart, ImpulseResponse.longPart, ImpulseResponse.headLength)
    let longest = max(settings.response.frameCount, min(longest, Self.longest), 1)
    let (headParts, tailParts) = ((min(longest, head) + short - 1) / short, (max(longest - head, 0) + long - 1) / long)
    (self.settings, self.channelCount) = (settings, count)
    (present, tailPresent) = (settings.response, settings.response)
    (next, later, tailNext) = (nil, nil, nil)
    heads = (0..<count).map { _ in UniformConvolver(part: short, partCount: headParts) }
    tails = tailParts > 0 ? (0..<count).map { _ in UniformConvolver(part: long, partCount: tailParts) } : []
    (headScratch, tailScratch) = (UniformConvolver.Scratch(part: short), UniformConvolver.Scratch(part: long))
    capacity = tailParts > 0 ? head + tailParts * long : headParts * short
  }

  /// Whether the sound fades to another response.
  package var holdsFormerSettings: Bool { next != nil }

  /// Whether the memory is large enough for the response.
  package func canGlide(to settings: Settings) -> Bool { settings.response.frameCount <= capacity }

  /// Begins to fade to another response, over so many frames, rounded up to short partitions.
  ///
  /// The long partitions follow within three of them. While the sound fades already, the newest response waits.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    guard canGlide(to: settings), settings != self.settings else { return }
    self.settings = settings
    let length = max(frameCount, 0)
    if next == nil { begin(settings.response, length) } else { (later, laterLength) = (settings.response, length) }
  }

  private mutating func begin(_ response: ImpulseResponse, _ length: Int) {
    (next, nextLength, fadeFrames, tailHasFaded) = (response, length, 0, tails.isEmpty)
  }

  private static func frames(of partCount: Int, _ length: Int) -> Int { partCount > 0 ? (partCount + 2) * length : 0 }

  /// The number of silent frames after which the output is exactly 0.
  ///
  /// The last sound may be the first frame of a partition: its result comes a partition later, and ends in the middle
  /// of another partition.
  package var tail: Int {
    let (short, long, head) = (ImpulseResponse.shortPart, ImpulseResponse.longPart, ImpulseResponse.headLength)
    let count = max(present.frameCount, next?.frameCount ?? 0, later?.frameCount ?? 0)
    let headTail = Self.frames(of: (min(count, head) + short - 1) / short, short)
    return max(headTail, Self.frames(of: (max(count - head, 0) + long - 1) / long, long))
  }

  /// Replaces whole frames by the result alone, without the sound itself.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let (frameCount, stride, short) = (samples.count / channelCount, channelCount, ImpulseResponse.shortPart)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let count = min(short - phase % short, frameCount - frame)
        for channel in 0..<stride {
          unsafe process(start + (frame * stride + channel), count: count, channel: channel)
        }
        phase += count
        frame += count
        if phase % short == 0 { endPart() }
      }
    }
  }

  /// Replaces frames of a channel, which end no later than the short partition.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, channel: Int) {
    let (stride, long) = (channelCount, phase)
    let short = long % ImpulseResponse.shortPart
    unsafe results.withUnsafeMutableBufferPointer { results in
      // A result for each frame of a short partition.
      guard let results = results.baseAddress else { return }
      unsafe results.update(repeating: 0, count: count)
      unsafe heads[channel].process(samples, count: count, stride: stride, phase: short, addingTo: results)
      if !tails.isEmpty {
        unsafe tails[channel].process(samples, count: count, stride: stride, phase: long, addingTo: results)
      }
      for index in 0..<count { unsafe samples[index * stride] = results[index] }
    }
  }

  /// Ends a short partition, and a long partition as well each sixteenth time.
  private mutating func endPart() {
    endHeads()
    endTails()
    if phase == ImpulseResponse.longPart { phase = 0 }
    guard let next, fadeFrames >= nextLength, tailHasFaded else { return }
    (present, self.next) = (next, nil)
    if let later {
      self.later = nil
      begin(later, laterLength)
    }
  }

  private mutating func endHeads() {
    var (start, end): (Float, Float) = (1, 1)
    if next != nil {
      if fadeFrames < nextLength { start = Float(fadeFrames) / Float(nextLength) }
      fadeFrames = min(fadeFrames + ImpulseResponse.shortPart, max(nextLength, 1))
      if fadeFrames < nextLength { end = Float(fadeFrames) / Float(nextLength) }
    }
    for channel in heads.indices {
      let response = present.channel(channel).head
      let other = next?.channel(channel).head
      heads[channel].prepare(response, other, share: 0, of: 1)
      heads[channel].endPart(response, other, from: start, to: end, &headScratch)
    }
  }

  private mutating func endTails() {
    let (short, long) = (ImpulseResponse.shortPart, ImpulseResponse.longPart)
    for channel in tails.indices {
      let response = tailPresent.channel(channel).tail
      let other = tailNext?.channel(channel).tail
      tails[channel].prepare(response, other, share: phase / short - 1, of: long / short)
      if phase == long { tails[channel].endPart(response, other, from: 0, to: 1, &tailScratch) }
    }
    guard phase == long else { return }
    if let tailNext {
      (tailPresent, self.tailNext, tailHasFaded) = (tailNext, nil, true)
    } else if !tailHasFaded {
      tailNext = next
    }
  }

  /// The silence has passed the whole memory, also the part that the present response does not use.
  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    let part = tails.isEmpty ? ImpulseResponse.shortPart : ImpulseResponse.longPart
    return next == nil && tailNext == nil && frameCount >= capacity + 3 * part
  }

  package mutating func skipSilence(_ frameCount: Int) { phase = (phase + frameCount) % ImpulseResponse.longPart }

  /// Forgets the sound so far, and has the newest response.
  package mutating func reset() {
    for channel in heads.indices { heads[channel].reset() }
    for channel in tails.indices { tails[channel].reset() }
    (present, tailPresent) = (settings.response, settings.response)
    (next, later, tailNext) = (nil, nil, nil)
    phase = 0
  }
}
