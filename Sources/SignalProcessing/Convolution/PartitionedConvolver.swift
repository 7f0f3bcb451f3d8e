/// The convolution of interleaved channels with impulse responses, in blocks of any length.
///
/// The first 1,920 frames of a response are in short parts of 128 frames, the rest in long parts of 2,048 (William
/// Gardner, "Efficient Convolution without Input-Output Delay", Journal of the Audio Engineering Society 43(3), 1995).
/// The result is late by 128 frames. The long parts take their time at once, each 2,048 frames.
///
/// A sample that is not finite, or beyond ±1e25, counts as 0. After silence as long as the response and two long
/// parts, the result is exactly 0. The result does not depend on the lengths of the blocks, to the bit.
///
/// Pure: no call, no lock, and no allocation after `init`. The caller keeps old responses until `isFading` is false,
/// so that nothing is freed here.
package struct PartitionedConvolver: Sendable {
  /// The frames by which the result is late.
  package static let latency = ImpulseResponse.shortPart

  private let channelCount: Int
  private var responses: [ImpulseResponse]
  /// The responses that sound fades to.
  private var next: [ImpulseResponse]?
  private var (heads, tails): ([UniformConvolver], [UniformConvolver])
  private var results = [Float](repeating: 0, count: ImpulseResponse.shortPart)
  /// The frames of the long part so far.
  private var phase = 0
  /// The frames of the fade so far.
  ///
  /// The long parts fade over one part, once it has come.
  private var fadeFrames = 0
  private var tailHasFaded = false

  /// The frames over which short parts fade to another response.
  ///
  /// Chosen: 21 ms at 48 kHz.
  private static let fadeLength = 1_024

  /// A convolver for responses of at most `longest` frames; longer ones are cut.
  ///
  /// There is one response for each channel, or the last counts for the channels that have none.
  package init(_ responses: [ImpulseResponse], longest: Int, channelCount: Int) {
    precondition(!responses.isEmpty, "a convolver has a response")
    let count = ProcessingLimits.channelCount(channelCount)
    let (short, long, head) = (ImpulseResponse.shortPart, ImpulseResponse.longPart, ImpulseResponse.headLength)
    let headParts = (min(max(longest, 1), head) + short - 1) / short
    let tailParts = (max(longest - head, 0) + long - 1) / long
    (self.channelCount, self.responses) = (count, responses)
    heads = (0..<count).map { _ in UniformConvolver(part: short, partCount: headParts) }
    tails = tailParts > 0 ? (0..<count).map { _ in UniformConvolver(part: long, partCount: tailParts) } : []
  }

  /// Whether the sound fades to other responses.
  package var isFading: Bool { next != nil }

  /// Begins to fade to other responses, which are not empty; returns false while the sound still fades to some.
  package mutating func exchange(_ responses: [ImpulseResponse]) -> Bool {
    guard next == nil, !responses.isEmpty else { return false }
    (next, fadeFrames, tailHasFaded) = (responses, 0, tails.isEmpty)
    return true
  }

  private static func response(of channel: Int, in responses: [ImpulseResponse]) -> ImpulseResponse {
    responses[min(channel, responses.count - 1)]
  }

  /// Replaces whole frames by the result alone, without the sound itself.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
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

  /// Replaces frames of a channel, which end no later than the short part.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, channel: Int) {
    let (stride, long) = (channelCount, phase)
    let short = long % ImpulseResponse.shortPart
    unsafe results.withUnsafeMutableBufferPointer { results in
      // A result for each frame of a short part.
      guard let results = results.baseAddress else { return }
      unsafe results.update(repeating: 0, count: count)
      unsafe heads[channel].process(samples, count: count, stride: stride, phase: short, addingTo: results)
      if !tails.isEmpty {
        unsafe tails[channel].process(samples, count: count, stride: stride, phase: long, addingTo: results)
      }
      for index in 0..<count { unsafe samples[index * stride] = results[index] }
    }
  }

  private mutating func endPart() {
    let (start, length) = (Float(fadeFrames), Float(Self.fadeLength))
    if next != nil { fadeFrames = min(fadeFrames + ImpulseResponse.shortPart, Self.fadeLength) }
    let end = Float(fadeFrames)
    for channel in heads.indices {
      let other = next.map { Self.response(of: channel, in: $0).head }
      let response = Self.response(of: channel, in: responses).head
      heads[channel].endPart(response, other, from: start / length, to: end / length)
    }
    if phase == ImpulseResponse.longPart {
      phase = 0
      for channel in tails.indices {
        let other = next.map { Self.response(of: channel, in: $0).tail }
        let response = Self.response(of: channel, in: responses).tail
        let start: Float = tailHasFaded ? 1 : 0
        tails[channel].endPart(response, other, from: start, to: 1)
      }
      if next != nil { tailHasFaded = true }
    }
    if let next, fadeFrames == Self.fadeLength, tailHasFaded { (responses, self.next) = (next, nil) }
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    for channel in heads.indices { heads[channel].reset() }
    for channel in tails.indices { tails[channel].reset() }
    if let next { (responses, self.next) = (next, nil) }
    phase = 0
  }
}
