/// The conversion of a sound in memory to another rate.
struct SoundConversion {
  private let sound: PCMBuffer<Float>
  private let ratio: RateRatio
  private let format: PCMFormat
  /// The name of the sound in errors.
  private let name: String
  private let isCancelled: () -> Bool

  /// The conversion of a sound; it asks before each block whether it is cancelled.
  init(_ sound: PCMBuffer<Float>, _ ratio: RateRatio, name: String, isCancelled: @escaping () -> Bool = { false }) {
    (self.sound, self.ratio, self.name, self.isCancelled) = (sound, ratio, name, isCancelled)
    format = PCMFormat(sampleRate: ratio.output, layout: sound.format.layout)
  }

  /// The sound with silence around it.
  func whole() throws(AudioFileError) -> PCMBuffer<Float> {
    var result = PCMBuffer<Float>(format: format)
    let frameCount = ratio.converted(sound.frameCount)
    result.reserveCapacity(frames: frameCount)
    try convert([0..<sound.frameCount], ratio, dropping: 0, frameCount: frameCount, to: &result)
    return result
  }

  /// The sound with a loop that closes on itself: its filter runs round and round.
  ///
  /// The parts before and after the loop are converted with their own neighbours, because they play there only once.
  func looped(_ loop: LoopResampling) throws(AudioFileError) -> PCMBuffer<Float> {
    var result = PCMBuffer<Float>(format: format)
    result.reserveCapacity(frames: loop.frameCount)
    let (count, unit) = (sound.frameCount, ratio.unit)
    // Both parts beside the loop have a frame at the exact time of its end: the signal does not jump there.
    let front = (loop.source.lowerBound + unit.input - 1) / unit.input
    try convert(
      [loop.source.lowerBound - front * unit.input..<min(count, loop.source.lowerBound + ratio.settlingTime)],
      ratio,
      dropping: front * unit.output - loop.target.lowerBound,
      frameCount: loop.target.lowerBound,
      to: &result
    )
    let laps = [Range<Int>](repeating: loop.source, count: 2 * loop.lapCount + 1)
    let lead = loop.lapCount * loop.target.count
    try convert(laps, loop.ratio, dropping: lead, frameCount: loop.target.count, to: &result)

    let back = ratio.settlingTime / unit.input + 1
    try convert(
      [loop.source.upperBound - back * unit.input..<count],
      ratio,
      dropping: back * unit.output,
      frameCount: loop.frameCount - loop.target.upperBound,
      to: &result
    )
    return result
  }

  /// Converts parts of a sound one behind the other, and appends the result without its first frames.
  ///
  /// Frames with a negative number are silence before the sound.
  private func convert(
    _ parts: [Range<Int>],
    _ ratio: RateRatio,
    dropping droppedCount: Int,
    frameCount: Int,
    to result: inout PCMBuffer<Float>
  ) throws(AudioFileError) {
    guard frameCount > 0 else { return }
    let (channelCount, blockSize) = (format.channelCount, SampleConversion.blockSize)
    let end = result.frameCount + frameCount
    var dropped = droppedCount
    var block = PCMBuffer<Float>(format: format)
    let silence = [Float](repeating: 0, count: blockSize * channelCount)
    var converter = try RateConverter(ratio, channelCount: channelCount, of: name)
    // The last part is empty: it stands for the end.
    for (index, part) in (parts + [0..<0]).enumerated() {
      var position = part.lowerBound
      while result.frameCount < end, position < part.upperBound || index == parts.count {
        if isCancelled() { throw .cancelled(name) }
        block.removeAll(adopting: format)
        if position < 0 {
          let samples = silence.span.extracting(first: min(-position, blockSize) * channelCount)
          position += try converter.append(samples, blockSize, to: &block, of: name)
        } else {
          let samples = sound.samples.span.extracting(position * channelCount..<part.upperBound * channelCount)
          position += try converter.append(samples, blockSize, to: &block, of: name)
        }
        let arrived = block.frameCount
        let skipped = min(dropped, arrived)
        dropped -= skipped
        let kept = min(arrived - skipped, end - result.frameCount)
        let range = skipped * channelCount..<(skipped + kept) * channelCount
        result.append(frames: kept) { SampleConversion.append(block.samples.span.extracting(range), to: &$0) }
        if arrived == 0, index == parts.count { break }
      }
    }
    // A rounded length may be a frame longer than the output.
    while result.frameCount < end {
      result.append(frames: 1) { $0.append(repeating: 0, count: channelCount) }
    }
  }
}

extension PCMBuffer<Float> {
  /// The sound at another rate in hertz, with silence around it, or with a loop that closes on itself.
  ///
  /// The loop is not empty and inside of the sound. Returns its range at the new rate, too: it begins at the frame that
  /// is nearest in time, and its length is rounded to whole frames.
  package func converted(
    to sampleRate: Int,
    loop: Range<Int>?,
    name: String
  ) throws(AudioFileError) -> (sound: PCMBuffer<Float>, loop: Range<Int>?) {
    let ratio = RateRatio(input: format.sampleRate, output: sampleRate)
    let conversion = SoundConversion(self, ratio, name: name)
    guard let loop else { return (try conversion.whole(), nil) }
    let resampling = LoopResampling(loop, frameCount: frameCount, ratio)
    return (try conversion.looped(resampling), resampling.target)
  }
}
