@_spi(Drawing) extension Double {
  /// The number with a fixed number of decimals and a true minus sign, as an axis shows it.
  public func text(decimals: Int) -> String {
    guard isFinite else { return isNaN ? "–" : self < 0 ? "−∞" : "∞" }
    let scale = (0..<max(decimals, 0)).reduce(1.0) { product, _ in product * 10 }
    let steps = (magnitude * scale).rounded()
    guard steps < 1e15 else { return "\(self)" }
    let (whole, part) = Int(steps).quotientAndRemainder(dividingBy: Int(scale))
    let fraction = "\(part)"
    let digits =
      decimals > 0 ? "\(whole)." + String(repeating: "0", count: decimals - fraction.count) + fraction : "\(whole)"
    return (self < 0 && steps > 0 ? "−" : "") + digits
  }

  /// A number of seconds in the notation of a clock, to the resolution of a step: `"1.5"`, `"12"` or `"2:05"`.
  ///
  /// The text has minutes if the axis ends, at `end`, after more than a minute and a half.
  public func clockText(step: Double, end: Double) -> String {
    let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : step >= 0.01 ? 2 : 3
    guard end > 90, step >= 1, magnitude < 1e15 else { return text(decimals: decimals) }
    let (minutes, seconds) = Int(rounded()).quotientAndRemainder(dividingBy: 60)
    return "\(minutes):\(seconds < 10 ? "0" : "")\(seconds)"
  }
}
