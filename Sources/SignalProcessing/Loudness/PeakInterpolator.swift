/// The interpolator of ITU-R BS.1770-4, annex 2: values at four points between two samples, from twelve samples.
///
/// The points are 1/8, 3/8, 5/8 and 7/8 behind a sample. The filters of the last two are the filters of the first two
/// in reverse.
enum PeakInterpolator {
  /// The number of samples that count for a value.
  static let tapCount = 12
  /// The sum of the magnitudes of the second filter, rounded up; the sum of the first is less.
  ///
  /// No value is larger than this times the largest of the twelve samples.
  static let largestGain: Float = 2.03
  /// The coefficients of phase 0, then of phase 1, of the recommendation's table; the first is of the newest sample.
  static let coefficients: [Float] = [
    0.001_708_984_375, 0.010_986_328_125, -0.019_653_320_312_5, 0.033_203_125, -0.059_448_242_187_5,
    0.137_329_101_562_5,
    0.972_167_968_75, -0.102_294_921_875, 0.047_607_421_875, -0.026_611_328_125, 0.014_892_578_125, -0.008_300_781_25,
    -0.029_174_804_687_5, 0.029_296_875, -0.051_757_812_5, 0.089_111_328_125, -0.166_503_906_25, 0.465_087_890_625,
    0.779_785_156_25, -0.200_317_382_812_5, 0.101_562_5, -0.058_227_539_062_5, 0.033_081_054_687_5,
    -0.018_920_898_437_5,
  ]

  /// The largest magnitude of the values, for the twelve samples from `x` on, the oldest first.
  ///
  /// The sums are written out: a debug build then takes a third of the time of a loop. The table is ``coefficients``.
  /// With `isHalved` two of the four points count, at 1/8 and 5/8: at rates from 96 kHz on, twice the rate is enough.
  ///
  /// The caller guarantees twelve samples, and all coefficients.
  @inline(__always)
  @unsafe
  static func peak(_ x: UnsafePointer<Float>, _ table: UnsafePointer<Float>, isHalved: Bool) -> Float {
    var value = unsafe sum(x, table).magnitude
    var peak = value
    value = unsafe reversedSum(x, table + tapCount).magnitude
    if value > peak { peak = value }
    guard !isHalved else { return peak }
    value = unsafe sum(x, table + tapCount).magnitude
    if value > peak { peak = value }
    value = unsafe reversedSum(x, table).magnitude
    return value > peak ? value : peak
  }

  /// The sum of twelve samples and twelve coefficients, of which the first is of the newest sample.
  @inline(__always)
  @unsafe
  private static func sum(_ x: UnsafePointer<Float>, _ h: UnsafePointer<Float>) -> Float {
    let first = unsafe h[0] * x[11] + h[1] * x[10] + h[2] * x[9] + h[3] * x[8]
    let second = unsafe h[4] * x[7] + h[5] * x[6] + h[6] * x[5] + h[7] * x[4]
    let third = unsafe h[8] * x[3] + h[9] * x[2] + h[10] * x[1] + h[11] * x[0]
    return first + second + third
  }

  /// The sum of twelve samples and twelve coefficients, of which the first is of the oldest sample.
  @inline(__always)
  @unsafe
  private static func reversedSum(_ x: UnsafePointer<Float>, _ h: UnsafePointer<Float>) -> Float {
    let first = unsafe h[0] * x[0] + h[1] * x[1] + h[2] * x[2] + h[3] * x[3]
    let second = unsafe h[4] * x[4] + h[5] * x[5] + h[6] * x[6] + h[7] * x[7]
    let third = unsafe h[8] * x[8] + h[9] * x[9] + h[10] * x[10] + h[11] * x[11]
    return first + second + third
  }
}
