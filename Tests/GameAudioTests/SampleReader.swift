import GameAudio

/// A reader of samples in memory.
struct SampleReader: PCMReader, Sendable {
  private let samples: PCMBuffer<Float>
  private var position = 0

  var format: PCMFormat { samples.format }
  var frameCount: Int? { samples.frameCount }

  init(_ samples: PCMBuffer<Float>) { self.samples = samples }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    buffer.removeAll(adopting: format)
    let frames = position..<min(position + maxFrames, samples.frameCount)
    position = frames.upperBound
    let channels = format.channelCount
    let part = samples.samples[frames.lowerBound * channels..<frames.upperBound * channels]
    return buffer.append(frames: frames.count) { room in for sample in part { room.append(sample) } }
  }

  mutating func seek(toFrame frame: Int) { position = min(max(frame, 0), samples.frameCount) }
}
