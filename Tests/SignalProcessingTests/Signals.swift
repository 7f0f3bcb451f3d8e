import Glibc
import TestSupport

/// A sine of full scale, of a number of frames; the phase is in turns.
func sine(_ frequency: Double, _ rate: Int, frames: Int, amplitude: Double = 1, phase: Double = 0) -> [Float] {
  (0..<frames).map { Float(amplitude * sin(2 * .pi * (frequency * Double($0) / Double(rate) + phase))) }
}

/// White noise between -1 and 1, times an amplitude.
func noise(_ count: Int, amplitude: Float = 1, seed: UInt64 = 1) -> [Float] {
  var (random, result) = (SplitMix64(seed: seed), [Float](repeating: 0, count: count))
  for index in 0..<count { result[index] = (Float(random.next() >> 40) / 8_388_608 - 1) * amplitude }
  return result
}

/// The channels of equal length, interleaved.
func interleaved(_ channels: [[Float]]) -> [Float] {
  var result = [Float](repeating: 0, count: channels.count * channels[0].count)
  for (index, channel) in channels.enumerated() {
    for frame in 0..<channel.count { result[frame * channels.count + index] = channel[frame] }
  }
  return result
}

/// One of interleaved channels.
func channel(_ index: Int, of samples: [Float], count: Int) -> [Float] {
  stride(from: index, to: samples.count, by: count).map { samples[$0] }
}

func decibels(_ ratio: Double) -> Double { 20 * log10(max(ratio, 1e-15)) }

/// The root mean square, in decibels re full scale.
func level(_ samples: ArraySlice<Float>) -> Double {
  10 * log10(max(samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(max(samples.count, 1)), 1e-30))
}

/// The largest magnitude.
func peak(_ samples: some Sequence<Float>) -> Float { samples.reduce(0) { max($0, abs($1)) } }

/// Applies a processor to samples in blocks of some lengths, in turn.
func processed(
  _ samples: [Float],
  channels: Int = 1,
  blocks: [Int] = [512],
  _ process: (inout MutableSpan<Float>) -> Void
) -> [Float] {
  var (result, start, index) = ([Float](), 0, 0)
  result.reserveCapacity(samples.count)
  while start < samples.count {
    let end = min(start + blocks[index % blocks.count] * channels, samples.count)
    var block = Array(samples[start..<end])
    var span = block.mutableSpan
    process(&span)
    result += block
    (start, index) = (end, index + 1)
  }
  return result
}

/// The steps between neighbouring samples that are too large for a sound without frequencies above a limit.
///
/// The rule is the rule of `PCMBuffer.clicks` in Spatial3DTesting: 1.5 times Bernstein's inequality, for the largest
/// sample within two to four periods.
func clickFrames(_ samples: [Float], below frequency: Double, _ rate: Int) -> [Int] {
  let reach = Int(2 * Double(rate) / frequency)
  let factor = Float(3 * tan(.pi * frequency / Double(rate)))
  // The largest sample of each part of two periods; a step may use its part and the parts beside it.
  let peaks = stride(from: 0, to: samples.count, by: reach).map { start in
    peak(samples[start..<min(start + reach, samples.count)])
  }
  return (1..<samples.count).filter { index in
    let (step, part) = ((samples[index] - samples[index - 1]).magnitude, index / reach)
    guard step > 1e-4 else { return false }
    return step > factor * peak(peaks[max(part - 1, 0)...min(part + 1, peaks.count - 1)])
  }
}

/// The lengths of blocks that tests cut a sound into.
let blockLengths = [[512], [441, 37, 1_024], [128], [1], [63, 65, 7]]
