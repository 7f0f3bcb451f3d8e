internal import Foundation
package import Testing

/// The JSON text of a value, with sorted keys.
package func json(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}

/// The value of a JSON text.
package func decode<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
  try JSONDecoder().decode(type, from: Data(json.utf8))
}

/// Checks that a value has a JSON text, and that the text has the value.
package func expectGolden<Value: Codable & Equatable>(
  _ value: Value,
  _ golden: String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(try json(value) == golden, sourceLocation: sourceLocation)
  #expect(try decode(golden) == value, sourceLocation: sourceLocation)
}
