internal import Glibc

/// A curve as a table, with its antiderivative: antiderivative anti-aliasing.
///
/// The result between two samples is the mean of the curve between them: the difference of the antiderivatives over the
/// difference of the samples. A mean lowers the aliases of harmonics near the rate by 20 dB (Julian Parker, Vadim
/// Zavalishin, Efflam Le Bivic, "Reducing the Aliasing of Nonlinear Waveshaping Using Continuous-Time Convolution",
/// DAFx 2016). The curve is made of straight lines, so that its antiderivative is exact.
struct ShapingTable: Sendable {
  /// The value, the slope to the next point, and the antiderivative from 0 on, for each point.
  private let points: [Double]
  /// The make-up of a sine of -12 dBFS in decibels, for drives in steps of half a decibel.
  private let makeUps: [Double]
  private let curve: ShapingCurve

  /// The table is from `-reach` to `reach`.
  ///
  /// Chosen: the soft curve is then within 0.0004 of its end, and between two points it differs from a line by less
  /// than 0.00003.
  @inline(__always) private static var reach: Double { 16 }
  @inline(__always) private static var pointsPerUnit: Double { 64 }
  private static let numbersPerPoint = 3

  /// The tables of all curves, by their numbers.
  static let all = ShapingCurve.allCases.map { ShapingTable($0) }

  private init(_ curve: ShapingCurve) {
    let count = Int(2 * Self.reach * Self.pointsPerUnit)
    let values = (0...count).map { curve.value(at: Double($0) / Self.pointsPerUnit - Self.reach) }
    var areas = [0.0]
    for index in 1...count { areas.append(areas[index - 1] + (values[index - 1] + values[index]) / 2) }
    var points: [Double] = []
    for index in 0..<count {
      let slope = (values[index + 1] - values[index]) * Self.pointsPerUnit
      let area = (areas[index] - areas[count / 2]) / Self.pointsPerUnit
      points += [values[index], slope, area]
    }
    self.points = points
    makeUps = (0...2 * 48).map { step in
      -20 * log10(curve.gain(ofSine: pow(10, -12.0 / 20), drive: pow(10, Double(step) / 40)))
    }
    self.curve = curve
  }

  /// The gain in decibels that returns its root mean square to a sine of -12 dBFS, for a drive of 0 to 48 dB.
  func makeUp(_ drive: Double) -> Double {
    let position = min(max(2 * drive, 0), Double(makeUps.count - 1))
    let index = min(Int(position), makeUps.count - 2)
    return makeUps[index] + (makeUps[index + 1] - makeUps[index]) * (position - Double(index))
  }

  /// The last sample of a sound, and the antiderivative there.
  struct Memory: Sendable {
    fileprivate var (last, area) = (0.0, 0.0)
  }

  /// The memory that the channels of a processor share: samples and antiderivatives, of which the first is the last of
  /// before, and values of the curve.
  struct Scratch: Sendable {
    fileprivate var samples = [Double](repeating: 0, count: 4 * Oversampler.chunk + 1)
    fileprivate var areas = [Double](repeating: 0, count: 4 * Oversampler.chunk + 1)
    fileprivate var values = [Double](repeating: 0, count: 4 * Oversampler.chunk)
  }

  /// Changes samples, each multiplied by a gain before: sample i by `gain + step * (i + 1)`.
  ///
  /// The caller guarantees `count` samples, at most four chunks, which are finite and within ±1e25.
  @unsafe
  func process(
    _ samples: UnsafeMutablePointer<Float>,
    count: Int,
    gain: Double,
    step: Double,
    _ memory: inout Memory,
    _ scratch: inout Scratch
  ) {
    precondition(count <= 4 * Oversampler.chunk)
    // The arrays of the scratch memory have room for `count` numbers behind the first.
    unsafe scratch.samples.withUnsafeMutableBufferPointer { inputs in
      unsafe scratch.areas.withUnsafeMutableBufferPointer { areas in
        unsafe scratch.values.withUnsafeMutableBufferPointer { values in
          guard let inputs = inputs.baseAddress, let areas = areas.baseAddress, let values = values.baseAddress else {
            return
          }
          unsafe (inputs[0], areas[0]) = (memory.last, memory.area)
          var index = 0
          while index < count {
            unsafe inputs[index &+ 1] = Double(samples[index]) * (gain + step * Double(index &+ 1))
            index &+= 1
          }
          if curve == .hard {
            unsafe Self.clip(inputs + 1, count, into: values, areas + 1)
          } else {
            unsafe look(inputs + 1, count, into: values, areas + 1)
          }
          index = 0
          while index < count {
            let difference = unsafe inputs[index &+ 1] - inputs[index]
            // The mean of two equal samples is the value; close to it, the difference has no digits left.
            let isClose = unsafe difference.magnitude < 1e-5 + 1e-9 * inputs[index &+ 1].magnitude
            // Both are computed for each sample: without a branch, the loop works on several samples at once.
            let (area, value) = unsafe (areas[index &+ 1] - areas[index], values[index])
            let (dividend, divisor) = isClose ? (value, 1) : (area, difference)
            unsafe samples[index] = Float(dividend / divisor)
            index &+= 1
          }
          unsafe (memory.last, memory.area) = (inputs[count], areas[count])
        }
      }
    }
  }

  /// The values and antiderivatives of the hard curve, in closed form.
  @unsafe
  private static func clip(
    _ inputs: UnsafePointer<Double>,
    _ count: Int,
    into values: UnsafeMutablePointer<Double>,
    _ areas: UnsafeMutablePointer<Double>
  ) {
    var index = 0
    while index < count {
      let x = unsafe inputs[index]
      let magnitude = x.magnitude
      let inside = magnitude < 1 ? magnitude : 1
      unsafe values[index] = x < 0 ? -inside : inside
      unsafe areas[index] = 0.5 * inside * inside + (magnitude - inside)
      index &+= 1
    }
  }

  /// The values and antiderivatives from the table.
  @unsafe
  private func look(
    _ inputs: UnsafePointer<Double>,
    _ count: Int,
    into values: UnsafeMutablePointer<Double>,
    _ areas: UnsafeMutablePointer<Double>
  ) {
    let (reach, pointsPerUnit, isPeriodic) = (Self.reach, Self.pointsPerUnit, curve == .fold)
    let last = points.count / Self.numbersPerPoint - 1
    // A sum with this number has no digits behind the point, and its last bits are the whole number.
    let rounder = 6_755_399_441_055_744.0
    unsafe points.withUnsafeBufferPointer { points in
      guard let points = points.baseAddress else { return }
      var index = 0
      while index < count {
        let x = unsafe inputs[index]
        // The fold has a period of 4, and whole periods have no area. Other curves are constant beyond the table.
        let near = isPeriodic ? x - 4 * ((x * 0.25 + rounder) - rounder) : x
        let inside = near < -reach ? -reach : near < reach ? near : reach
        let position = (inside + reach) * pointsPerUnit
        // The point below; faster than a conversion, which checks the range. Between two points both are right.
        let whole = Int(truncatingIfNeeded: (position - 0.5 + rounder).bitPattern & 0xFFFF)
        let point = whole < last ? whole : last
        let distance = (position - Double(point)) * (1 / pointsPerUnit)
        let (value, slope, area) = unsafe (points[3 &* point], points[3 &* point &+ 1], points[3 &* point &+ 2])
        let result = value + slope * distance
        let beyond = isPeriodic ? 0 : x - inside
        unsafe values[index] = result
        unsafe areas[index] = area + 0.5 * (value + result) * distance + beyond * result
        index &+= 1
      }
    }
  }
}
