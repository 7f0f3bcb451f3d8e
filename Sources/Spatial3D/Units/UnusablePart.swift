/// The property of a value that makes it unusable, for a diagnostic.
///
/// It is the first number that is not finite, or the first negative gain.
package struct UnusablePart: Equatable {
  /// The names of the properties on the path to the number, such as `reverb.room.density`.
  package let name: String
  package let value: String

  /// The whole value where no part of it is unusable.
  package init(of value: Any, named name: String) {
    self = Self.first(in: value, name) ?? UnusablePart(name: name, value: "\(value)")
  }

  private init(name: String, value: String) { (self.name, self.value) = (name, value) }

  private static func first(in value: Any, _ name: String) -> UnusablePart? {
    let isUsable: Bool? =
      switch value {
      case let number as Float: number.isFinite
      case let level as Decibels: level.rawValue.isFinite
      case let gain as Gain: gain.isUsable
      case let vector as SIMD3<Float>: vector.isFinite
      default: nil
      }
    if let isUsable {
      let words = (value as? SIMD3<Float>)?.inWords ?? (value as? Gain)?.inWords ?? "\(value)"
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
  package var inWords: String { "[\(x), \(y), \(z)]" }
}
