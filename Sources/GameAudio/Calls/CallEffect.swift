internal import Spatial3D

/// The effect unit that a call names.
///
/// Encoded as its position in the order in which effects were made: ``EffectUnit/number``.
struct CallEffect: Sendable, Codable {
  let unit: EffectUnit

  init(_ unit: EffectUnit) { self.unit = unit }

  /// The key of the units by their numbers, in the information of a decoder.
  static let units = CodingUserInfoKey(rawValue: "Spatial3D.effectUnits")

  /// Decodes the number of a unit that the decoder knows.
  ///
  /// Throws a `DecodingError` for any other number.
  init(from decoder: any Decoder) throws {
    let number = try Int(from: decoder)
    let units = Self.units.flatMap { decoder.userInfo[$0] as? [Int: EffectUnit] }
    guard let unit = units?[number] else {
      let context = DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "The decoder has no effect unit of the number \(number)."
      )
      throw DecodingError.dataCorrupted(context)
    }
    self.unit = unit
  }

  func encode(to encoder: any Encoder) throws { try unit.number.encode(to: encoder) }
}
