/// The limit of a row, which may differ between versions of OpenAL Soft.
struct Limit: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// The limit up to 1.23, where a call makes its context current, and the limit from 1.24 on, with direct contexts.
  private let (indirect, direct): (Double, Double)

  init(_ indirect: Double, direct: Double) { (self.indirect, self.direct) = (indirect, direct) }
  init(floatLiteral value: Double) { self.init(value, direct: value) }
  init(integerLiteral value: Int) { self.init(Double(value), direct: Double(value)) }

  /// The limit with a version of the library, such as "1.19.1".
  func value(with version: String) -> Double {
    let parts = version.split(separator: ".").compactMap { Int($0) }
    return parts.lexicographicallyPrecedes([1, 24]) ? indirect : direct
  }

  var text: String {
    indirect == direct ? Row.text(direct) : "\(Row.text(indirect)), from 1.24 on \(Row.text(direct))"
  }
}
