import Foundation

func encoded(_ value: some Encodable) throws -> Data { try JSONEncoder().encode(value) }

func decoded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
  try JSONDecoder().decode(type, from: data)
}
