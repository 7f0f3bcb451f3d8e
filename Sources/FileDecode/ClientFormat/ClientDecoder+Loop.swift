extension ClientDecoder {
  /// The whole sound at another rate, with a loop that closes on itself.
  mutating func resampledLoop(_ loop: LoopResampling, _ reading: WholeReading) throws(AudioFileError) -> PCMBuffer<
    Float
  > {
    guard let ratio else { return PCMBuffer(format: format) }
    let sound = try wholeAtFileRate(reading)
    let conversion = SoundConversion(sound, ratio, name: decoder.path, isCancelled: reading.isCancelled)
    let frameLimit = reading.byteLimit / (4 * format.channelCount)
    // A file that was cut has no loop that could close.
    guard loop.source.upperBound <= sound.frameCount else {
      guard ratio.converted(sound.frameCount) <= frameLimit else { throw .tooLarge(decoder.path) }
      return try conversion.whole()
    }
    // The loop uses the actual number of frames, not the file's claim.
    let loop = LoopResampling(loop.source, frameCount: sound.frameCount, ratio)
    guard loop.frameCount <= frameLimit else { throw .tooLarge(decoder.path) }
    return try conversion.looped(loop)
  }

  /// The whole sound in the client's channels.
  private mutating func wholeAtFileRate(_ reading: WholeReading) throws(AudioFileError) -> PCMBuffer<Float> {
    let stored = PCMFormat(sampleRate: decoder.stream.format.sampleRate, layout: format.layout)
    let frameLimit = reading.byteLimit / (4 * format.channelCount)
    let stream = decoder.stream
    // If samples have a fixed size, the claim was checked against the size of the file.
    if stream.plausibility == .fixed, stream.frameCount ?? 0 > frameLimit { throw .tooLarge(decoder.path) }
    var sound = PCMBuffer<Float>(format: stored)
    try decoder.seek(toFrame: 0)
    while !decoder.isAtEnd {
      if reading.isCancelled() { throw .cancelled(decoder.path) }
      _ = try appendMixed(SampleConversion.blockSize, to: &sound)
      guard sound.frameCount <= frameLimit else { throw .tooLarge(decoder.path) }
    }
    try seek(toFrame: Int.max)
    return sound
  }
}
