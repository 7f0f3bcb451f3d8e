import FileDecode
import Foundation

/// A generator of the same numbers on every run.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

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

/// A tone in each channel at a height of its own, at half of full scale.
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
  encoding: AudioEncoding? = nil
) throws -> String {
  var writer = try AudioFileWriter(creating: path, format: buffer.format, encoding: encoding)
  try writer.write(buffer)
  try writer.close()
  return path
}

/// What an operation throws.
func failure(_ body: () throws(AudioFileError) -> Void) -> AudioFileError? {
  do {
    try body()
    return nil
  } catch {
    return error
  }
}

/// What opening a file throws.
func openingFailure(_ path: String) -> AudioFileError? {
  failure { () throws(AudioFileError) in _ = try AudioFile(opening: path) }
}
