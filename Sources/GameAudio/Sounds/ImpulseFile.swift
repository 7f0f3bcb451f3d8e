internal import FileDecode
internal import PCM
internal import SignalProcessing

extension ImpulseResponse {
  /// Loads the impulse response of an insert for a sample rate.
  ///
  /// It reads no further than the longest response.
  convenience init(_ convolution: Insert.Convolution, sampleRate: Int) throws(AudioFileError) {
    let file = try AudioFile(opening: convolution.path, in: ClientFormat(sampleRate: sampleRate))
    let preparation = convolution.preparation
    // One second of silence may come before the response.
    let mostFrames = 11 * sampleRate
    var channels = [[Float]](repeating: [], count: file.format.channelCount)
    var chunk = PCMBuffer<Float>(format: file.format)
    while channels[0].count < mostFrames, try file.read(into: &chunk, maxFrames: 65_536) > 0 {
      for index in channels.indices { channels[index] += chunk.channel(index) }
    }
    self.init(channels, preparation, sampleRate: sampleRate)
  }
}
