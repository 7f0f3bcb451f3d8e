import Spatial3D

/// A number with a number of decimals.
func rounded<Number: BinaryFloatingPoint>(_ value: Number, places: Int) -> String {
  guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
  let factor = (0..<places).reduce(1) { product, _ in product * 10 }
  let scaled = Int((Double(value) * Double(factor)).rounded())
  guard places > 0 else { return "\(scaled)" }
  let fraction = String(scaled.magnitude % UInt(factor))
  let zeros = String(repeating: "0", count: places - fraction.count)
  return "\(scaled < 0 ? "-" : "")\(scaled.magnitude / UInt(factor)).\(zeros)\(fraction)"
}

/// A level with one decimal and its unit.
func text(_ level: Decibels) -> String {
  level.rawValue.isFinite ? "\(rounded(level.rawValue, places: 1)) dB" : "\(level)"
}
