/// The value of an attribute: a number or a text.
///
/// Numbers are rounded to a hundredth, which is finer than any screen resolves.
@_spi(Drawing) public struct SVGValue: Sendable {
  let text: String

  /// A text; the markup escapes its characters.
  public init(_ text: String) {
    self.text = text
  }

  /// A number; infinity and NaN become 0, since SVG has no notation for them.
  public init(_ number: Double) {
    guard number.isFinite else {
      text = "0"
      return
    }
    // Adding 0 turns -0 into 0.
    let rounded = (number * 100).rounded() / 100 + 0
    text = rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension SVGValue: ExpressibleByStringInterpolation, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A text.
  public init(stringLiteral value: String) { self.init(value) }

  /// A number.
  public init(floatLiteral value: Double) { self.init(value) }

  /// A whole number.
  public init(integerLiteral value: Int) { self.init(Double(value)) }
}
