internal import Spatial3D

/// The name of a ``Bus`` in a world, as ``SoundKey`` is the name of a sound.
///
/// A string literal is a name. A game declares its names as static constants in an extension of this type.
public struct BusName: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// The name, unique in a world.
  public let name: String

  /// A name that was computed.
  public init(_ name: String) { self.name = name }

  /// A name of a literal.
  public init(stringLiteral name: String) { self.name = name }

  /// The name of ``Mixer/main``.
  public static let main: BusName = "main"
}

extension BusName: Comparable, CustomStringConvertible {
  /// The order of the names.
  public static func < (left: BusName, right: BusName) -> Bool { left.name < right.name }

  /// The ``name``.
  public var description: String { name }
}

extension BusName: Codable, CodingKeyRepresentable {
  /// Decodes the name.
  public init(from decoder: any Decoder) throws { name = try String(from: decoder) }

  /// Encodes the name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

  /// The name that is a key of a dictionary in a file.
  public init?<Key: CodingKey>(codingKey: Key) { name = codingKey.stringValue }

  /// The key of a dictionary in a file: the name.
  public var codingKey: any CodingKey { SavedKey(stringValue: name) }
}
