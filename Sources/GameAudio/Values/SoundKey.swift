internal import Spatial3D

/// The name of a sound in a ``SoundBank``.
///
/// ```swift
/// extension SoundKey {
///   static let step: SoundKey = "step"
///   static let bell: SoundKey = "bell"
///   static let song: SoundKey = "song"
/// }
/// ```
public struct SoundKey: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The name, unique in a bank.
  public let name: String

  /// A key that was computed, such as the name of a file.
  public init(_ name: String) { self.name = name }

  /// A key of a literal.
  public init(stringLiteral name: String) { self.name = name }
}

extension SoundKey: Comparable, CustomStringConvertible {
  /// The order of the names.
  public static func < (left: SoundKey, right: SoundKey) -> Bool { left.name < right.name }

  /// The ``name``.
  public var description: String { name }
}

extension SoundKey: Codable, CodingKeyRepresentable {
  /// Decodes the name.
  public init(from decoder: any Decoder) throws { name = try String(from: decoder) }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

  /// The name that is a key of a dictionary in a file.
  public init?<Key: CodingKey>(codingKey: Key) { name = codingKey.stringValue }

  /// The key of a dictionary in a file: the name.
  public var codingKey: any CodingKey { SavedKey(stringValue: name) }
}
