extension Insert: Codable {
  private enum Key: String, CodingKey { case mix, isBypassed }

  /// Decodes an object with the name of the kind, such as `{"gate": {"threshold": "-40 dB"}, "mix": 0.5}`.
  ///
  /// A level is a text with its unit, or a number of decibels; a time is a number of seconds. An absent value has its
  /// default. Throws a `DecodingError` for an object without a kind, and for an object with several kinds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    self.init(try Kind(from: decoder), mix: try values.decodeIfPresent(Float.self, forKey: .mix) ?? 1)
    isBypassed = try values.decodeIfPresent(Bool.self, forKey: .isBypassed) ?? false
  }

  /// Encodes the kind, and the values that differ from their defaults.
  ///
  /// A file has finite numbers alone. NaN is left out, because an insert then uses the default. An infinite number is
  /// encoded as the largest number.
  public func encode(to encoder: any Encoder) throws {
    try kind.encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    if let mix = mix.encodable, mix != 1 { try values.encode(mix, forKey: .mix) }
    if isBypassed { try values.encode(true, forKey: .isBypassed) }
  }
}

extension Insert.Kind: Codable {
  /// The name of a kind, in files and in reports.
  enum Name: String, CodingKey, CaseIterable {
    case equalizer, compressor, gate, limiter, leveler, convolution, distortion, bitCrusher, delay, chorus, width,
      custom
  }

  /// The name of the kind.
  var name: Name {
    switch self {
    case .equalizer: .equalizer
    case .compressor: .compressor
    case .gate: .gate
    case .limiter: .limiter
    case .leveler: .leveler
    case .convolution: .convolution
    case .distortion: .distortion
    case .bitCrusher: .bitCrusher
    case .delay: .delay
    case .chorus: .chorus
    case .width: .width
    case .custom: .custom
    }
  }

  /// Decodes an object with the name of the kind, such as `{"gate": {"threshold": "-40 dB"}}`.
  ///
  /// Throws a `DecodingError` for an object without a kind, and for an object with several kinds.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Name.self)
    let names = Name.allCases.filter(values.contains)
    guard names.count == 1 else {
      let list = Name.allCases.map(\.rawValue).joined(separator: ", ")
      let found = names.isEmpty ? "none" : names.map(\.rawValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: "An insert has one kind of \(list); this one has \(found)."
        )
      )
    }
    switch names[0] {
    case .equalizer: self = .equalizer(try values.decode(Insert.Equalizer.self, forKey: .equalizer))
    case .compressor: self = .compressor(try values.decode(Insert.Compressor.self, forKey: .compressor))
    case .gate: self = .gate(try values.decode(Insert.Gate.self, forKey: .gate))
    case .limiter: self = .limiter(try values.decode(Insert.Limiter.self, forKey: .limiter))
    case .leveler: self = .leveler(try values.decode(Insert.Leveler.self, forKey: .leveler))
    case .convolution: self = .convolution(try values.decode(Insert.Convolution.self, forKey: .convolution))
    case .distortion: self = .distortion(try values.decode(Insert.Distortion.self, forKey: .distortion))
    case .bitCrusher: self = .bitCrusher(try values.decode(Insert.BitCrusher.self, forKey: .bitCrusher))
    case .delay: self = .delay(try values.decode(Insert.Delay.self, forKey: .delay))
    case .chorus: self = .chorus(try values.decode(Insert.Chorus.self, forKey: .chorus))
    case .width: self = .width(try values.decode(Insert.Width.self, forKey: .width))
    case .custom: self = .custom(try values.decode(Insert.Custom.self, forKey: .custom))
    }
  }

  /// Encodes an object with the name of the kind.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Name.self)
    switch self {
    case .equalizer(let settings): try values.encode(settings, forKey: .equalizer)
    case .compressor(let settings): try values.encode(settings, forKey: .compressor)
    case .gate(let settings): try values.encode(settings, forKey: .gate)
    case .limiter(let settings): try values.encode(settings, forKey: .limiter)
    case .leveler(let settings): try values.encode(settings, forKey: .leveler)
    case .convolution(let settings): try values.encode(settings, forKey: .convolution)
    case .distortion(let settings): try values.encode(settings, forKey: .distortion)
    case .bitCrusher(let settings): try values.encode(settings, forKey: .bitCrusher)
    case .delay(let settings): try values.encode(settings, forKey: .delay)
    case .chorus(let settings): try values.encode(settings, forKey: .chorus)
    case .width(let settings): try values.encode(settings, forKey: .width)
    case .custom(let custom): try values.encode(custom, forKey: .custom)
    }
  }
}
