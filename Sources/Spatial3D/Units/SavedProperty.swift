/// A property of a value in its encoded form: a key that is the same in every release, and the value's key path.
///
/// A list of them encodes and decodes a value. An absent key leaves a default as it is, so that a file from before a
/// property was added still loads.
package struct SavedProperty<Root> {
  fileprivate let encode: (Root, inout KeyedEncodingContainer<SavedKey>) throws -> Void
  fileprivate let decode: (inout Root, KeyedDecodingContainer<SavedKey>) throws -> Void
}

/// The key of a property in an encoded value: its name.
package struct SavedKey: CodingKey, ExpressibleByStringLiteral {
  package let stringValue: String
  package var intValue: Int? { nil }

  package init(stringLiteral value: String) { stringValue = value }
  package init(stringValue: String) { self.stringValue = stringValue }
  package init?(intValue: Int) { nil }
}

/// A number, or several numbers, that have to be finite in a file.
package protocol FiniteCheckable {
  var isFinite: Bool { get }
}

extension Float: FiniteCheckable {}
extension SIMD3<Float>: FiniteCheckable {}
extension Gain: FiniteCheckable {
  package var isFinite: Bool { rawValue.isFinite }
}
extension Decibels: FiniteCheckable {
  package var isFinite: Bool { rawValue.isFinite }
}

extension SavedProperty {
  /// A property with a default.
  package init<Value: Codable>(_ key: SavedKey, _ path: WritableKeyPath<Root, Value>) {
    encode = { try $1.encode($0[keyPath: path], forKey: key) }
    decode = { root, values in
      if let value = try values.decodeIfPresent(Value.self, forKey: key) { root[keyPath: path] = value }
    }
  }

  /// A property with `nil` as its default, which has no key.
  package init<Value: Codable>(optional key: SavedKey, _ path: WritableKeyPath<Root, Value?>) {
    encode = { try $1.encodeIfPresent($0[keyPath: path], forKey: key) }
    decode = { $0[keyPath: path] = try $1.decodeIfPresent(Value.self, forKey: key) }
  }

  /// A key of an earlier form of a file, which throws an error with the key that has replaced it.
  package init(former key: SavedKey, nowNamed present: SavedKey) {
    encode = { _, _ in }
    decode = { _, values in
      guard !values.contains(key) else {
        throw DecodingError.dataCorruptedError(
          forKey: key,
          in: values,
          debugDescription: "The key \"\(key.stringValue)\" is now named \"\(present.stringValue)\"."
        )
      }
    }
  }

  /// A number with a default, or a vector; a value that is not finite throws an error.
  package init<Value: Codable & FiniteCheckable>(_ key: SavedKey, _ path: WritableKeyPath<Root, Value>) {
    self.init(key, path, isRequired: false)
  }

  /// A number without a default: a file without it throws an error.
  package init<Value: Codable & FiniteCheckable>(required key: SavedKey, _ path: WritableKeyPath<Root, Value>) {
    self.init(key, path, isRequired: true)
  }

  private init<Value: Codable & FiniteCheckable>(
    _ key: SavedKey,
    _ path: WritableKeyPath<Root, Value>,
    isRequired: Bool
  ) {
    encode = { root, values in
      let value = root[keyPath: path]
      guard value.isFinite else {
        let context = EncodingError.Context(
          codingPath: values.codingPath + [key],
          debugDescription: "The \(key.stringValue) is not finite."
        )
        throw EncodingError.invalidValue(value, context)
      }
      try values.encode(value, forKey: key)
    }
    decode = { root, values in
      guard isRequired || values.contains(key), try !values.decodeNil(forKey: key) || isRequired else { return }
      let value = try values.decode(Value.self, forKey: key)
      guard value.isFinite else { throw Self.notFinite(key, in: values) }
      root[keyPath: path] = value
    }
  }

  private static func notFinite(_ key: SavedKey, in values: KeyedDecodingContainer<SavedKey>) -> DecodingError {
    .dataCorruptedError(forKey: key, in: values, debugDescription: "The \(key.stringValue) is not finite.")
  }

  /// A time with a default, in seconds, to the nanosecond.
  package init(seconds key: SavedKey, _ path: WritableKeyPath<Root, Duration>) {
    encode = { try $1.encode($0[keyPath: path] / .seconds(1), forKey: key) }
    decode = { root, values in
      if let seconds = try values.decodeIfPresent(Double.self, forKey: key) {
        guard seconds.isFinite else { throw Self.notFinite(key, in: values) }
        root[keyPath: path] = .nanoseconds(Int64(saturating: (seconds * 1e9).rounded()))
      }
    }
  }
}

extension Array {
  /// Encodes these properties of a value.
  package func encode<Root>(_ root: Root, to encoder: any Encoder) throws where Element == SavedProperty<Root> {
    var values = encoder.container(keyedBy: SavedKey.self)
    for property in self { try property.encode(root, &values) }
  }

  /// Decodes these properties; an absent one has its value in `defaults`.
  package func decode<Root>(_ defaults: Root, from decoder: any Decoder) throws -> Root
  where Element == SavedProperty<Root> {
    let values = try decoder.container(keyedBy: SavedKey.self)
    var root = defaults
    for property in self { try property.decode(&root, values) }
    return root
  }
}
