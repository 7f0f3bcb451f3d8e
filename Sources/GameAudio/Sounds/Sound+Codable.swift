internal import Spatial3D

extension Sound: Codable {
  private static var savedProperties: [SavedProperty<Self>] {
    [
      SavedProperty("choice", \.choice), SavedProperty("pitchVariation", \.pitchVariation),
      SavedProperty("levelVariation", \.levelVariation), SavedProperty("attenuation", \.attenuation),
      SavedProperty(optional: "rolloffCurve", \.rolloffCurve), SavedProperty(optional: "silentBeyond", \.silentBeyond),
      SavedProperty(optional: "loopRange", \.loopRange), SavedProperty(optional: "limit", \.limit),
      SavedProperty("loudnessOfMany", \.loudnessOfMany),
    ]
  }

  /// Decodes the `path` of a file or the `paths` of several, whether they are `streamed`, and the properties by their
  /// names; an absent property has its default.
  ///
  /// A range is a list of its two ends, such as `"levelVariation": ["-3 dB", "0 dB"]`. The decoded sound is no copy of
  /// another sound: its limit counts its own copies. Throws a `DecodingError` for an object without a path.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: SavedKey.self)
    let paths = try Self.paths(in: values)
    let isStreamed = try values.decodeIfPresent(Bool.self, forKey: "streamed") ?? false
    self = try Self.savedProperties.decode(Sound(anyOf: paths, streamed: isStreamed), from: decoder)
  }

  private static func paths(in values: KeyedDecodingContainer<SavedKey>) throws -> [String] {
    guard let paths = try values.decodeIfPresent([String].self, forKey: "paths") else {
      return [try values.decode(String.self, forKey: "path")]
    }
    guard !paths.isEmpty, !values.contains("path") else {
      throw DecodingError.dataCorruptedError(
        forKey: "paths",
        in: values,
        debugDescription: "A sound has one \"path\", or several \"paths\"."
      )
    }
    return paths
  }

  /// Encodes the path or the paths, and the properties by their names.
  ///
  /// A sound of a bank is encoded with its paths, without its key. Throws an `EncodingError` for a sound of samples or
  /// of a reader, which has no path.
  public func encode(to encoder: any Encoder) throws {
    if let content = variations.first(where: { $0.path == nil }) {
      let sentence = "\(content.name) has no path: only a sound of files can be encoded."
      throw EncodingError.invalidValue(
        self,
        EncodingError.Context(codingPath: encoder.codingPath, debugDescription: sentence)
      )
    }
    let paths = variations.compactMap(\.path)
    var values = encoder.container(keyedBy: SavedKey.self)
    if paths.count == 1 {
      try values.encode(paths[0], forKey: "path")
    } else {
      try values.encode(paths, forKey: "paths")
    }
    try values.encode(variations[0].isStreamed, forKey: "streamed")
    try Self.savedProperties.encode(withFiniteNumbers, to: encoder)
  }

  /// The sound with finite numbers of the same effect, because a file has no infinite number and no NaN.
  private var withFiniteNumbers: Sound {
    var sound = self
    sound.pitchVariation = pitchVariation.clamped(to: -48...48)
    sound.levelVariation = levelVariation.usable
    sound.attenuation = attenuation.usable
    if silentBeyond?.isFinite == false { sound.silentBeyond = nil }
    return sound
  }
}

extension Sound.Choice: Codable {
  private enum Key: String, CodingKey { case avoidingLast, weights }

  /// Decodes `"sequence"`, or an object such as `{"avoidingLast": 1}` or `{"weights": [2, 1, 1]}`.
  ///
  /// Throws a `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    if let value = try? decoder.singleValueContainer(), let text = try? value.decode(String.self) {
      guard text == "sequence" else {
        throw DecodingError.dataCorruptedError(
          in: value,
          debugDescription:
            "\"\(text)\" is not a choice: it is \"sequence\", {\"avoidingLast\": 1} or {\"weights\": [2, 1, 1]}."
        )
      }
      self = .sequence
      return
    }
    let values = try decoder.container(keyedBy: Key.self)
    if let weights = try values.decodeIfPresent([Float].self, forKey: .weights) {
      self = .weighted(weights)
    } else {
      self = .random(avoidingLast: try values.decode(Int.self, forKey: .avoidingLast))
    }
  }

  /// Encodes the name, or an object with the number or the weights; a weight that is not finite is 0.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .random(let count):
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(count, forKey: .avoidingLast)
    case .sequence:
      var value = encoder.singleValueContainer()
      try value.encode("sequence")
    case .weighted(let weights):
      var values = encoder.container(keyedBy: Key.self)
      try values.encode(weights.map { $0.isFinite ? $0 : 0 }, forKey: .weights)
    }
  }
}
