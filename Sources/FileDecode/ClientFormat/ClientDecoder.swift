/// A file's sound in the format that a program requested.
struct ClientDecoder: ~Copyable, Sendable {
  /// The decoder of the file.
  var decoder: Decoder

  /// The rate and the channels of the frames that a read returns.
  let format: PCMFormat

  /// The number of frames.
  let frameCount: Int?

  /// The change of channels; `nil` if they stay.
  let mix: ChannelMix?

  /// The change of rate; `nil` if it stays.
  let ratio: RateRatio?

  private var decoded: PCMBuffer<Float>
  private var converter: RateConverter?
  /// Frames at the file's rate; some of them may be converted already.
  private var waiting: PCMBuffer<Float>
  private var takenCount = 0
  /// The next frame, if the rate changes.
  private var position = 0
  private var hasEnded = false

  init(_ decoder: consuming Decoder, in client: ClientFormat) throws(AudioFileError) {
    let stored = decoder.stream.format
    let layout = client.layout ?? stored.layout
    let format = PCMFormat(sampleRate: client.sampleRate ?? stored.sampleRate, layout: layout)
    guard FormatCheck.sampleRates.contains(format.sampleRate) else {
      throw .conversion(from: stored, to: format, decoder.path)
    }
    if stored.layout.channelCount == layout.channelCount {
      mix = nil
    } else if let mix = ChannelMix(from: stored.layout, to: layout) {
      self.mix = mix
    } else {
      throw .conversion(from: stored, to: format, decoder.path)
    }
    let ratio = RateRatio(input: stored.sampleRate, output: format.sampleRate)
    self.format = format
    self.ratio = ratio.isOne ? nil : ratio
    let loop = ratio.isOne ? nil : decoder.annotations.forwardLoop
    frameCount = decoder.stream.frameCount.map { count in
      loop.map { LoopResampling($0, frameCount: count, ratio).frameCount } ?? ratio.converted(count)
    }
    decoded = PCMBuffer(format: stored)
    waiting = PCMBuffer(format: PCMFormat(sampleRate: stored.sampleRate, layout: layout))
    self.decoder = decoder
  }

  /// Whether every sample is exact in 16 bits.
  var isExactAsInt16: Bool { mix == nil && ratio == nil && decoder.stream.subFormat?.isExactAsInt16 == true }

  /// Whether no frames are left.
  var isAtEnd: Bool { ratio == nil ? decoder.isAtEnd : hasEnded || position >= frameCount ?? Int.max }

  /// Appends up to a block of frames, and returns their number; 0 only at the end.
  mutating func appendBlock(of frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    guard ratio == nil else { return try appendResampled(frameCount, to: &buffer) }
    return try appendMixed(frameCount, to: &buffer)
  }

  /// Appends frames in the client's channels, at the file's rate.
  mutating func appendMixed(_ frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    guard let mix else { return try decoder.appendBlock(of: frameCount, to: &buffer) }
    decoded.removeAll(adopting: decoder.stream.format)
    let arrived = try decoder.appendBlock(of: min(frameCount, SampleConversion.blockSize), to: &decoded)
    return buffer.append(frames: arrived) { output in mix.append(decoded.samples.span, to: &output) }
  }

  /// Seeks to a frame, or to the nearest end.
  mutating func seek(toFrame frame: Int) throws(AudioFileError) {
    guard let ratio else { return try decoder.seek(toFrame: frame) }
    let target = max(0, min(frame, frameCount ?? Int.max))
    hasEnded = false
    let start = ratio.start(before: target)
    try decoder.seek(toFrame: start.input)
    converter = nil
    waiting.removeAll(adopting: waiting.format)
    takenCount = 0
    position = start.output
    var dropped = PCMBuffer<Float>(format: format)
    while position < target, !isAtEnd {
      dropped.removeAll(adopting: format)
      if try appendResampled(min(target - position, SampleConversion.blockSize), to: &dropped) == 0 { break }
    }
  }

  /// Appends frames at the client's rate.
  private mutating func appendResampled(
    _ wanted: Int,
    to buffer: inout PCMBuffer<Float>
  ) throws(AudioFileError) -> Int {
    guard let ratio, wanted > 0, !isAtEnd else { return 0 }
    let room = min(wanted, SampleConversion.blockSize, frameCount.map { $0 - position } ?? Int.max)
    while true {
      if takenCount == waiting.samples.count { try refill() }
      let samples = waiting.samples
      let countBefore = buffer.frameCount
      if converter == nil { converter = try RateConverter(ratio, channelCount: format.channelCount, of: decoder.path) }
      let rest = samples.span.extracting(takenCount...)
      let taken = try converter?.append(rest, room, to: &buffer, of: decoder.path) ?? 0
      takenCount += taken * format.channelCount
      var arrived = buffer.frameCount - countBefore
      if arrived == 0, samples.isEmpty {
        // A rounded length may exceed the output by one frame, which is silence.
        guard let frameCount, position < frameCount, !decoder.isTruncated else {
          hasEnded = true
          return 0
        }
        arrived = buffer.append(frames: 1) { $0.append(repeating: 0, count: format.channelCount) }
      }
      position += arrived
      if arrived > 0 { return arrived }
    }
  }

  /// Decodes the next block to convert; an empty one stands for the end.
  private mutating func refill() throws(AudioFileError) {
    var block = PCMBuffer<Float>(format: waiting.format)
    swap(&block, &waiting)
    block.removeAll(adopting: block.format)
    takenCount = 0
    _ = try appendMixed(SampleConversion.blockSize, to: &block)
    swap(&block, &waiting)
  }
}

extension ClientDecoder {
  /// The metadata of the file, with positions in frames of the client's format.
  var annotations: Annotations {
    guard let ratio else { return decoder.annotations }
    var found = decoder.annotations
    let count = decoder.stream.frameCount ?? Int.max
    for (index, loop) in found.loops.enumerated() {
      found.loops[index].range = LoopResampling(loop.range, frameCount: count, ratio).target
    }
    for (index, marker) in found.markers.enumerated() { found.markers[index].frame = ratio.converted(marker.frame) }
    return found
  }
}

extension AudioFileError {
  fileprivate static func conversion(from stored: PCMFormat, to format: PCMFormat, _ path: String) -> AudioFileError {
    AudioFileError(
      .unsupportedFormat,
      path: path,
      message:
        "\(path) is \(stored), which is not converted to \(format). Ask for mono, for the file's own channels, or"
        + " for a rate of 1000 to 768000 Hz."
    )
  }
}
