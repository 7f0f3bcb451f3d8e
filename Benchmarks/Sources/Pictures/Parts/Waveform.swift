@_spi(Drawing) import Spatial3DReports

/// The outline of a sound over time: the loudest sample of each two pixels, on both sides of a middle line.
struct Waveform {
  let samples: [Float]
  /// The sample that reaches the full height.
  let peak: Float

  /// A sound, drawn up to its own loudest sample.
  init(_ samples: [Float]) {
    self.init(samples, peak: samples.reduce(0) { max($0, abs($1)) })
  }

  /// A sound, drawn up to a given sample.
  init(_ samples: [Float], peak: Float) {
    self.samples = samples
    self.peak = max(peak, .leastNormalMagnitude)
  }

  /// The outline between two horizontal positions.
  func path(from left: Double, to right: Double, middle: Double, height: Double) -> SVGPath {
    let columnCount = Int((right - left) / 2)
    let sizes = (0..<columnCount).map { column in
      let range = samples.count * column / columnCount..<samples.count * (column + 1) / columnCount
      let size = Double(samples[range].reduce(0) { max($0, abs($1)) } / peak)
      return max(size * height / 2, 0.5)
    }
    let upper = sizes.enumerated().map { SVGPoint(left + 2 * Double($0.offset), middle - $0.element) }
    let lower = sizes.enumerated().map { SVGPoint(left + 2 * Double($0.offset), middle + $0.element) }
    var path = SVGPath(through: upper + lower.reversed())
    path.close()
    return path
  }
}
