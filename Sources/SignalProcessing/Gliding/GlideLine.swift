internal import Glibc

/// A number that moves in straight lines between the points of a grid of frames.
///
/// The value of a frame depends on its index in the grid alone: the lengths of the blocks change no bit of it.
struct GlideLine: Sendable {
  /// The value at the last point of the grid.
  private(set) var start: Float
  private(set) var end: Float
  private let scale: Float

  /// A number that rests, on a grid whose length is a power of two.
  init(_ value: Double, grid: Int) {
    // A product with a power of two has no rounding.
    (start, end, scale) = (Float(value), Float(value), 1 / Float(grid))
  }

  /// The difference of two neighbouring frames; frame i of the grid has the value `start + step * (i + 1)`.
  var step: Float { (end - start) * scale }

  var isSettled: Bool { start == end }

  /// Begins the next line, to the value at the next point.
  mutating func move(to value: Double) { (start, end) = (end, Float(value)) }

  /// Rests at a value.
  mutating func jump(to value: Double) { (start, end) = (Float(value), Float(value)) }
}

/// The coefficient of a low pass with one pole, whose cutoff glides as its logarithm.
struct ToneGlide: Sendable {
  private let sampleRate: Double
  private var logarithm: Glide

  /// A low pass with a cutoff in hertz, which is at most 0.45 of the rate.
  init(_ cutoff: Double, sampleRate: Double) {
    self.sampleRate = sampleRate
    logarithm = Glide(log(min(cutoff, 0.45 * sampleRate)))
  }

  mutating func move(to cutoff: Double, over frames: Int) {
    logarithm.move(to: log(min(cutoff, 0.45 * sampleRate)), over: frames)
  }

  mutating func advance(_ frames: Int) { logarithm.advance(frames) }

  var isSettled: Bool { logarithm.isSettled }

  /// The share of the input in the next output, 0 to 1.
  var coefficient: Double { coefficient(log: logarithm.value) }

  /// The smaller coefficient of the present one and the target, which decays later.
  var smallestCoefficient: Double { coefficient(log: min(logarithm.value, logarithm.target)) }

  private func coefficient(log logarithm: Double) -> Double { 1 - exp(-2 * .pi * exp(logarithm) / sampleRate) }

  /// The frames until a rest of +40 dB is below the smallest state.
  var decay: Int { Int(log(ProcessingLimits.smallestState / 100) / log(1 - smallestCoefficient)) + 2 }
}
