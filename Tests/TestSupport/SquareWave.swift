package import PCM

extension PCMBuffer<Float> {
  /// A full-scale square wave of 400 Hz at 48,000 Hz, in one channel of a layout; the other channels are silent.
  package static func square(inChannel channel: Int, of layout: ChannelLayout, frames: Int) throws -> PCMBuffer {
    let format = PCMFormat(sampleRate: 48_000, layout: layout)
    let samples = (0..<frames).flatMap { frame in
      (0..<format.channelCount).map { $0 == channel ? (frame / 60).isMultiple(of: 2) ? Float(1) : -1 : 0 }
    }
    return try PCMBuffer(samples: samples, format: format)
  }
}
