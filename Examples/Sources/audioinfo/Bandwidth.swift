import FileDecode
import Foundation

/// The highest audible frequency of a sound.
struct Bandwidth {
  /// The highest frequency, in hertz, whose level is above -60 dB of the loudest.
  private(set) var highest = 0.0

  /// The lowest of the usual rates that holds all frequencies; `nil` if the sound needs its own rate.
  private(set) var sufficientRate: Int?

  private static let size = 2_048

  init(of sound: PCMBuffer<Float>) {
    let size = Bandwidth.size
    guard sound.frameCount >= size else { return }
    var loudest = [Double](repeating: 0, count: size / 2)
    // Forty windows along the sound suffice, in every channel: one may have frequencies that the others lack.
    let step = max((sound.frameCount - size) / 40, size)
    for channel in 0..<sound.format.channelCount {
      let samples = sound.channel(channel)
      for start in stride(from: 0, through: samples.count - size, by: step) {
        let window = (0..<size).map { index in
          Double(samples[start + index]) * (0.5 - 0.5 * cos(2 * .pi * Double(index) / Double(size)))
        }
        for (bin, power) in Bandwidth.spectrum(window).enumerated() { loudest[bin] = max(loudest[bin], power) }
      }
    }
    guard let peak = loudest.max(), peak > 0, let last = loudest.lastIndex(where: { $0 > peak * 1e-6 }) else { return }
    highest = Double(last + 1) * Double(sound.format.sampleRate) / Double(size)
    // A margin of a tenth for the filter.
    sufficientRate = [11_025, 22_050, 32_000, 44_100, 48_000].first { Double($0) / 2 > highest * 1.1 }
  }

  /// The power in each of the lower half of frequencies.
  private static func spectrum(_ samples: [Double]) -> [Double] {
    var real = samples
    var imaginary = [Double](repeating: 0, count: samples.count)
    transform(&real, &imaginary)
    return (0..<samples.count / 2).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
  }

  /// The discrete Fourier transform of samples whose count is a power of two.
  private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
    let count = real.count
    var reversed = 0
    for index in 1..<count {
      var bit = count >> 1
      while reversed & bit != 0 {
        reversed ^= bit
        bit >>= 1
      }
      reversed |= bit
      if index < reversed {
        real.swapAt(index, reversed)
        imaginary.swapAt(index, reversed)
      }
    }
    var length = 2
    while length <= count {
      let angle = -2 * Double.pi / Double(length)
      for half in 0..<length / 2 {
        let (c, s) = (cos(angle * Double(half)), sin(angle * Double(half)))
        for start in stride(from: half, to: count, by: length) {
          let other = start + length / 2
          let re = real[other] * c - imaginary[other] * s
          let im = real[other] * s + imaginary[other] * c
          (real[other], imaginary[other]) = (real[start] - re, imaginary[start] - im)
          (real[start], imaginary[start]) = (real[start] + re, imaginary[start] + im)
        }
      }
      length *= 2
    }
  }
}
