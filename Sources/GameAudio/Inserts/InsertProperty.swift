internal import SignalProcessing
internal import Spatial3D

/// The settings of an insert, with a list of their properties.
///
/// The list encodes and decodes the settings, and finds the numbers that a processor does not take as they are.
protocol InsertSettings: Sendable {
  /// The settings whose values stand for numbers that are NaN.
  static var standard: Self { get }
  static var properties: [InsertProperty<Self>] { get }

  /// The numbers that a processor does not take as they are, at a sample rate; `name` forms the name of the settings.
  func faults(named name: () -> String, sampleRate: Int) -> [ValueFault]

  /// The properties that differ from their defaults, each by its name and its value.
  var words: [String] { get }
}

/// A property of the settings of an insert: its key in a file, and the range of the processor.
///
/// The closures capture no settings: a list is made once for a type.
struct InsertProperty<Root: InsertSettings>: Sendable {
  /// The range of a property; some ranges depend on another property, or on the sample rate.
  typealias Limits<Value: Comparable> = @Sendable (Root, _ sampleRate: Int) -> ClosedRange<Value>
  typealias Path<Value> = any WritableKeyPath<Root, Value> & Sendable

  /// The fault of the property in some settings, whose name the closure forms, at a sample rate.
  let fault: @Sendable (Root, _ name: () -> String, _ sampleRate: Int) -> ValueFault?
  let encode: @Sendable (Root, inout KeyedEncodingContainer<SavedKey>) throws -> Void
  let decode: @Sendable (inout Root, KeyedDecodingContainer<SavedKey>) throws -> Void
  /// The name and the value; `nil` for the default.
  let words: @Sendable (Root) -> String?
}

extension InsertProperty {
  /// A number; a file without a required number throws an error.
  init(_ key: SavedKey, _ path: Path<Float>, isRequired: Bool = false, in range: @escaping Limits<Float>) {
    fault = Self.fault(key, path, in: range)
    words = Self.words(key, path, isRequired: isRequired)
    encode = { root, values in
      let number = root[keyPath: path].encodable ?? Root.standard[keyPath: path]
      if isRequired || number != Root.standard[keyPath: path] { try values.encode(number, forKey: key) }
    }
    decode = { root, values in
      if isRequired {
        root[keyPath: path] = try values.decode(Float.self, forKey: key)
      } else if let number = try values.decodeIfPresent(Float.self, forKey: key) {
        root[keyPath: path] = number
      }
    }
  }

  init(_ key: SavedKey, _ path: Path<Float>, in range: ClosedRange<Float>) {
    self.init(key, path) { _, _ in range }
  }

  /// A level; a file has its text with the unit, or its number of decibels.
  init(level key: SavedKey, _ path: Path<Decibels>, in range: ClosedRange<Decibels>) {
    fault = Self.fault(key, path) { _, _ in range }
    words = Self.words(key, path)
    encode = { root, values in
      let level = root[keyPath: path]
      guard level != Root.standard[keyPath: path], !level.rawValue.isNaN else { return }
      try values.encode(level, forKey: key)
    }
    decode = { root, values in
      guard values.contains(key), try !values.decodeNil(forKey: key) else { return }
      if let number = try? values.decode(Float.self, forKey: key) {
        root[keyPath: path] = Decibels(number)
      } else {
        root[keyPath: path] = try values.decode(Decibels.self, forKey: key)
      }
    }
  }

  /// A time; a file has its seconds, to the nanosecond.
  init(seconds key: SavedKey, _ path: Path<Duration>, in range: @escaping Limits<Duration>) {
    fault = Self.fault(key, path, in: range)
    words = Self.words(key, path)
    encode = { root, values in
      let time = root[keyPath: path]
      if time != Root.standard[keyPath: path] { try values.encode(time / .seconds(1), forKey: key) }
    }
    decode = { root, values in
      guard let seconds = try values.decodeIfPresent(Double.self, forKey: key) else { return }
      root[keyPath: path] = .nanoseconds(Int64(saturating: (seconds * 1e9).rounded()))
    }
  }

  init(seconds key: SavedKey, _ path: Path<Duration>, in range: ClosedRange<Duration>) {
    self.init(seconds: key, path) { _, _ in range }
  }

  /// A whole number.
  init(count key: SavedKey, _ path: Path<Int>, in range: ClosedRange<Int>) {
    let plain = InsertProperty(key, path)
    fault = Self.fault(key, path) { _, _ in range }
    (encode, decode, words) = (plain.encode, plain.decode, plain.words)
  }

  /// A property of which a processor takes each value.
  init<Value: Codable & Equatable & Sendable>(_ key: SavedKey, _ path: Path<Value>, isRequired: Bool = false) {
    fault = { _, _, _ in nil }
    words = Self.words(key, path, isRequired: isRequired)
    encode = { root, values in
      let value = root[keyPath: path]
      if isRequired || value != Root.standard[keyPath: path] { try values.encode(value, forKey: key) }
    }
    decode = { root, values in
      if isRequired {
        root[keyPath: path] = try values.decode(Value.self, forKey: key)
      } else if let value = try values.decodeIfPresent(Value.self, forKey: key) {
        root[keyPath: path] = value
      }
    }
  }

  private static func words<Value: Equatable & Sendable>(
    _ key: SavedKey,
    _ path: Path<Value>,
    isRequired: Bool = false
  ) -> @Sendable (Root) -> String? {
    { root in
      let value = root[keyPath: path]
      return isRequired || value != Root.standard[keyPath: path] ? "\(key.stringValue) \(value)" : nil
    }
  }

  /// Finds a number out of its range; without a fault it forms no name.
  private static func fault<Value: RangedValue & Sendable>(
    _ key: SavedKey,
    _ path: Path<Value>,
    in range: @escaping Limits<Value>
  ) -> @Sendable (Root, () -> String, Int) -> ValueFault? {
    { root, name, sampleRate in
      ValueFault(root[keyPath: path], in: range(root, sampleRate), Root.standard[keyPath: path]) {
        "\(name()).\(key.stringValue)"
      }
    }
  }
}

extension ValueFault {
  /// A number outside of a range, or NaN, for which a processor uses `standard`; `nil` for a number in the range.
  init?<Value: RangedValue>(
    _ value: Value,
    in range: ClosedRange<Value>,
    _ standard: Value,
    _ property: () -> String
  ) {
    // NaN alone differs from itself.
    guard value == value else {
      self.init(unusable: property(), value.faultValue, .other("\(standard.faultValue) is used"))
      return
    }
    guard value.differs(from: range.nearest(to: value)) else { return nil }
    self.init(property(), value, in: range)
  }
}

extension InsertSettings {
  func faults(named name: () -> String, sampleRate: Int) -> [ValueFault] {
    var faults: [ValueFault] = []
    for property in Self.properties { faults.add(property.fault(self, name, sampleRate)) }
    return faults
  }

  var words: [String] { Self.properties.compactMap { $0.words(self) } }

  /// Encodes the properties that differ from their defaults.
  func encodeProperties(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: SavedKey.self)
    for property in Self.properties { try property.encode(self, &values) }
  }

  /// Decodes the properties; an absent property has its default.
  static func decodeProperties(from decoder: any Decoder) throws -> Self {
    let values = try decoder.container(keyedBy: SavedKey.self)
    var settings = standard
    for property in properties { try property.decode(&settings, values) }
    return settings
  }
}

// MARK: - Numbers

extension Float {
  /// The number that a file has: the nearest finite number, and `nil` for NaN.
  var encodable: Float? {
    isNaN ? nil : Swift.min(Swift.max(self, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
  }
}

extension ClosedRange<Float> {
  /// The frequencies of a filter at a sample rate, in hertz: 10 to 0.49 of the rate.
  static func filterFrequencies(_ sampleRate: Int) -> ClosedRange<Float> {
    let highest = FilterBand(.bell, .infinity).limited(sampleRate: Double(sampleRate)).frequency
    return 10...Swift.max(Float(highest), 10)
  }
}
