/// A value in JSON, for the script of a page.
enum JSON: ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  case number(Double)
  case text(String)
  case list([JSON])
  case object(KeyValuePairs<String, JSON>)

  init(floatLiteral value: Double) { self = .number(value) }

  init(stringLiteral value: String) { self = .text(value) }

  /// The value without white space.
  ///
  /// JSON has no notation for a number that is not finite; it becomes 0. `<` is escaped, so that no text ends the HTML
  /// element that holds the value.
  var markup: String {
    switch self {
    case .number(let number):
      guard number.isFinite else { return "0" }
      return number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
    case .text(let text):
      return "\"" + text.unicodeScalars.reduce(into: "") { $0 += Self.escaped($1) } + "\""
    case .list(let values):
      return "[" + values.map(\.markup).joined(separator: ",") + "]"
    case .object(let members):
      return "{" + members.map { "\(JSON.text($0.key).markup):\($0.value.markup)" }.joined(separator: ",") + "}"
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"": return "\\\""
    case "\\": return "\\\\"
    case "<", "\u{0}"..<" ":
      let digits = String(scalar.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: return String(scalar)
    }
  }
}
