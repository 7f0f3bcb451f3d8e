import Foundation

extension FileDescription: Encodable {
  /// The descriptions as an array of objects with the same keys; unknown values are null.
  static func json(_ descriptions: [FileDescription]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return escaped(String(decoding: try encoder.encode(descriptions), as: UTF8.self))
  }

  /// JSON without characters that control a terminal or turn the direction of a text.
  ///
  /// The characters are none of JSON's own, so they are inside of strings. The encoder escapes the characters below
  /// U+0020.
  private static func escaped(_ json: String) -> String {
    json.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar.value {
      case 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encode(self.container, forKey: .container)
    try container.encode(codec, forKey: .codec)
    try container.encode(sampleRate, forKey: .sampleRate)
    try container.encode(channels, forKey: .channels)
    try container.encode(layout, forKey: .layout)
    try container.encode(bitDepth, forKey: .bitDepth)
    try container.encode(duration, forKey: .duration)
    try container.encode(size, forKey: .size)
    try container.encode(bitRate, forKey: .bitRate)
    try container.encode(validFrames, forKey: .validFrames)
    try container.encode(primingFrames, forKey: .primingFrames)
    try container.encode(remainderFrames, forKey: .remainderFrames)
    try container.encode(totalFrames, forKey: .totalFrames)
    try container.encode(packets, forKey: .packets)
    try container.encode(framesPerPacket, forKey: .framesPerPacket)
    try container.encode(trimSource, forKey: .trimSource)
    try container.encode(loops, forKey: .loops)
    try container.encode(markers, forKey: .markers)
    try container.encode(tags, forKey: .tags)
    try container.encode(peak, forKey: .peak)
    try container.encode(loudness, forKey: .loudness)
    try container.encode(truncated, forKey: .truncated)
    try container.encode(error, forKey: .error)
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case file, container, codec, sampleRate, channels, layout, bitDepth, duration, size, bitRate
    case validFrames, primingFrames, remainderFrames, totalFrames, packets, framesPerPacket, trimSource
    case loops, markers, tags, peak, loudness, truncated, error
  }
}

extension FileDescription.Loop {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(start, forKey: .start)
    try container.encode(end, forKey: .end)
    try container.encode(direction, forKey: .direction)
    try container.encode(playCount, forKey: .playCount)
  }

  private enum CodingKeys: String, CodingKey { case start, end, direction, playCount }
}

extension FileDescription.Marker {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(frame, forKey: .frame)
    try container.encode(name, forKey: .name)
  }

  private enum CodingKeys: String, CodingKey { case frame, name }
}
