/// The property of a value that makes it unusable, for a diagnostic: its first number that is not finite.
struct UnusablePart: Equatable {
  /// The names of the properties on the way to the number, such as `reverb.room.density`.
  let name: String
  let value: String

  /// The whole value where no part of it is a number that is not finite.
  init(of value: Any, named name: String) {
    self = Self.first(in: value, name) ?? UnusablePart(name: name, value: "\(value)")
  }

  private init(name: String, value: String) { (self.name, self.value) = (name, value) }

  private static func first(in value: Any, _ name: String) -> UnusablePart? {
    let isUsable: Bool? =
      switch value {
      case let number as Float: number.isFinite
      case let level as Decibels: level.rawValue.isFinite
      case let vector as SIMD3<Float>: vector.isFinite
      default: nil
      }
    if let isUsable {
      let words = (value as? SIMD3<Float>)?.inWords ?? "\(value)"
      return isUsable ? nil : UnusablePart(name: name, value: words)
    }
    // An optional has one child, which is named after its case.
    let mirror = Mirror(reflecting: value)
    for child in mirror.children {
      let path = mirror.displayStyle == .optional ? name : child.label.map { "\(name).\($0)" } ?? name
      if let part = first(in: child.value, path) { return part }
    }
    return nil
  }
}

extension SIMD3<Float> {
  /// The components as in a literal, for a message.
  var inWords: String { "[\(x), \(y), \(z)]" }
}
