import FileDecode
import TestSupport
import Foundation

/// Noise over the whole range of 16 bits, both ends included.
func noise(_ frameCount: Int, _ format: PCMFormat, seed: UInt64 = 1) throws -> PCMBuffer<Int16> {
  var generator = SplitMix64(seed: seed)
  var samples = (0..<frameCount * format.channelCount).map { _ in Int16.random(in: .min ... .max, using: &generator) }
  if samples.count > 1 {
    samples[0] = .min
    samples[1] = .max
  }
  return try PCMBuffer(samples: samples, format: format)
}

/// Tones of different frequencies, one in each channel, at half of full scale.
func tones(_ frameCount: Int, _ format: PCMFormat) throws -> PCMBuffer<Float> {
  var samples: [Float] = []
  for frame in 0..<frameCount {
    for channel in 0..<format.channelCount {
      let frequency = 300.0 * Double(channel + 1)
      samples.append(0.5 * Float(sin(2 * .pi * frequency * Double(frame) / Double(format.sampleRate))))
    }
  }
  return try PCMBuffer(samples: samples, format: format)
}

/// Writes a buffer to a file and returns its path.
@discardableResult
func save<Sample>(
  _ buffer: PCMBuffer<Sample>,
  to path: String,
  codec: AudioCodec? = nil
) throws -> String {
  var writer = try AudioFileWriter(creating: path, format: buffer.format, codec: codec)
  try writer.write(buffer)
  try writer.close()
  return path
}

/// The error that an operation throws; `nil` if it throws none.
func failure(_ body: () throws(AudioFileError) -> Void) -> AudioFileError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// The error that opening a file throws; `nil` if it throws none.
func openingFailure(_ path: String) -> AudioFileError? {
  failure { () throws(AudioFileError) in _ = try AudioFile(opening: path) }
}
