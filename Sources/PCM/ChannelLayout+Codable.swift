extension ChannelLayout: Codable {
  private enum CodingKeys: String, CodingKey {
    case ambisonic
    case discrete
  }

  private static let named: [String: ChannelLayout] = [
    "mono": .mono, "stereo": .stereo, "quad": .quad, "surround51": .surround51, "surround61": .surround61,
    "surround71": .surround71, "bFormat2D": .bFormat2D, "bFormat3D": .bFormat3D,
  ]

  /// Decodes the name of a layout, such as `"surround51"`, or the key `ambisonic` or `discrete` with its number.
  ///
  /// Throws a `DecodingError` for another name. A number out of range is clamped.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    guard let name = try? value.decode(String.self) else {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      self =
        if let order = try values.decodeIfPresent(Int.self, forKey: .ambisonic) {
          .ambisonic(order: order)
        } else {
          .discrete(try values.decode(Int.self, forKey: .discrete))
        }
      return
    }
    guard let layout = Self.named[name] else {
      let names = Self.named.keys.sorted().joined(separator: ", ")
      throw DecodingError.dataCorruptedError(
        in: value,
        debugDescription:
          "\"\(name)\" is not a channel layout: it is one of \(names), or has the key ambisonic or discrete."
      )
    }
    self = layout
  }

  /// Encodes the name of the layout in this API, such as `"surround51"`, `{"ambisonic": 2}` or `{"discrete": 3}`.
  public func encode(to encoder: any Encoder) throws {
    if let name = Self.named.first(where: { $0.value == self })?.key {
      try name.encode(to: encoder)
    } else if let order = (1...3).first(where: { .ambisonic(order: $0) == self }) {
      try ["ambisonic": order].encode(to: encoder)
    } else {
      try ["discrete": channelCount].encode(to: encoder)
    }
  }
}
