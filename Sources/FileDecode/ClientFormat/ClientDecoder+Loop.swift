#if Resampling
  extension ClientDecoder {
    /// The whole sound at another rate, with a loop that closes on itself: its filter runs round and round.
    ///
    /// The parts before and after the loop are converted with their own neighbours, because they play there only once.
    mutating func resampledLoop(_ loop: LoopResampling, _ reading: WholeReading) throws(AudioFileError) -> PCMBuffer<
      Float
    > {
      guard let ratio else { return PCMBuffer(format: format) }
      let sound = try wholeAtFileRate(reading)
      let count = sound.frameCount
      var result = PCMBuffer<Float>(format: format)
      // A file that was cut has no loop that could close.
      guard loop.source.upperBound <= count else {
        try convert(sound, [0..<count], ratio, dropping: 0, frameCount: ratio.converted(count), to: &result)
        return result
      }
      // The loop uses the actual number of frames, not the file's claim.
      let loop = LoopResampling(loop.source, frameCount: count, ratio)
      guard loop.frameCount <= reading.byteLimit / (4 * format.channelCount) else { throw .tooLarge(decoder.path) }
      result.reserveCapacity(frames: loop.frameCount)
      let settling = RateRatio.settlingTime
      let front = 0..<min(count, loop.source.lowerBound + settling)
      try convert(sound, [front], ratio, dropping: 0, frameCount: loop.target.lowerBound, to: &result)

      let laps = [Range<Int>](repeating: loop.source, count: 2 * loop.lapCount + 1)
      let lead = loop.lapCount * loop.target.count
      try convert(sound, laps, loop.ratio, dropping: lead, frameCount: loop.target.count, to: &result)

      let start = ratio.start(before: ratio.converted(loop.source.upperBound))
      let rest = loop.frameCount - loop.target.upperBound
      let dropped = ratio.converted(loop.source.upperBound) - start.output
      try convert(sound, [start.input..<count], ratio, dropping: dropped, frameCount: rest, to: &result)
      return result
    }

    /// The whole sound in the client's channels.
    private mutating func wholeAtFileRate(_ reading: WholeReading) throws(AudioFileError) -> PCMBuffer<Float> {
      let stored = PCMFormat(sampleRate: decoder.stream.format.sampleRate, layout: format.layout)
      let frameLimit = reading.byteLimit / (4 * format.channelCount)
      guard decoder.stream.frameCount ?? 0 <= frameLimit else { throw .tooLarge(decoder.path) }
      var sound = PCMBuffer<Float>(format: stored)
      try decoder.seek(toFrame: 0)
      while !decoder.isAtEnd {
        if reading.isCancelled() { throw .cancelled(decoder.path) }
        _ = try appendMixed(SampleConversion.blockSize, to: &sound)
      }
      try seek(toFrame: Int.max)
      return sound
    }

    /// Converts parts of a sound one behind the other, and appends the result without its first frames.
    private func convert(
      _ sound: PCMBuffer<Float>,
      _ parts: [Range<Int>],
      _ ratio: RateRatio,
      dropping droppedCount: Int,
      frameCount: Int,
      to result: inout PCMBuffer<Float>
    ) throws(AudioFileError) {
      guard frameCount > 0 else { return }
      let channelCount = format.channelCount
      let end = result.frameCount + frameCount
      var dropped = droppedCount
      var block = PCMBuffer<Float>(format: format)
      do throws(RateConverter.Failure) {
        var converter = try RateConverter(ratio, channelCount: channelCount)
        // The last part is empty: it stands for the end.
        for (index, part) in (parts + [0..<0]).enumerated() {
          var samples = sound.samples.span.extracting(part.lowerBound * channelCount..<part.upperBound * channelCount)
          while result.frameCount < end, !samples.isEmpty || index == parts.count {
            block.removeAll(adopting: format)
            var taken = 0
            let arrived = try block.append(frames: SampleConversion.blockSize) {
              (output) throws(RateConverter.Failure) in
              taken = try converter.append(samples, to: &output)
            }
            samples = samples.extracting(droppingFirst: taken * channelCount)
            let skipped = min(dropped, arrived)
            dropped -= skipped
            let kept = min(arrived - skipped, end - result.frameCount)
            let range = skipped * channelCount..<(skipped + kept) * channelCount
            result.append(frames: kept) { SampleConversion.append(block.samples.span.extracting(range), to: &$0) }
            if arrived == 0, index == parts.count { break }
          }
        }
      } catch {
        throw .resampling(decoder.path, error)
      }
      // A rounded length may be a frame longer than the output.
      while result.frameCount < end {
        result.append(frames: 1) { $0.append(repeating: 0, count: channelCount) }
      }
    }
  }
#endif
