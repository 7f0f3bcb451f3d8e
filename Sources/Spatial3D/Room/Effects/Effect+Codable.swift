extension Effect: Codable {
  private enum CodingKeys: String, CodingKey, CaseIterable {
    case reverb
    case echo
    case chorus
    case flanger
    case distortion
    case compressor
    case equalizer
    case pitchShifter
    case frequencyShifter
    case ringModulator
  }

  /// Decodes one key, the name of the case, with the properties of the effect; one out of range is clamped.
  public init(from decoder: any Decoder) throws {
    let effects = try decoder.container(keyedBy: CodingKeys.self)
    guard let kind = effects.allKeys.first, effects.allKeys.count == 1 else {
      let names = CodingKeys.allCases.map(\.stringValue).joined(separator: ", ")
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "An effect has one key of \(names).")
      )
    }
    let effect: Effect =
      switch kind {
      case .reverb: .reverb(try effects.decode(Reverb.self, forKey: kind))
      case .echo: .echo(try effects.decode(Echo.self, forKey: kind))
      case .chorus: .chorus(try effects.decode(Modulation.self, forKey: kind))
      case .flanger: .flanger(try Modulation(from: effects.superDecoder(forKey: kind), defaults: .flanger))
      case .distortion: .distortion(try effects.decode(Distortion.self, forKey: kind))
      case .compressor: .compressor
      case .equalizer: .equalizer(try effects.decode(Equalizer.self, forKey: kind))
      case .pitchShifter: .pitchShifter(try effects.decode(PitchShifter.self, forKey: kind))
      case .frequencyShifter: .frequencyShifter(try effects.decode(FrequencyShifter.self, forKey: kind))
      case .ringModulator: .ringModulator(try effects.decode(RingModulator.self, forKey: kind))
      }
    self = effect.clamped
  }

  /// Encodes one key, the name of the case, with the properties of the effect.
  public func encode(to encoder: any Encoder) throws {
    var effects = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .reverb(let effect): try effects.encode(effect, forKey: .reverb)
    case .echo(let effect): try effects.encode(effect, forKey: .echo)
    case .chorus(let effect): try effects.encode(effect, forKey: .chorus)
    case .flanger(let effect): try effects.encode(effect, forKey: .flanger)
    case .distortion(let effect): try effects.encode(effect, forKey: .distortion)
    case .compressor: _ = effects.nestedContainer(keyedBy: SavedKey.self, forKey: .compressor)
    case .equalizer(let effect): try effects.encode(effect, forKey: .equalizer)
    case .pitchShifter(let effect): try effects.encode(effect, forKey: .pitchShifter)
    case .frequencyShifter(let effect): try effects.encode(effect, forKey: .frequencyShifter)
    case .ringModulator(let effect): try effects.encode(effect, forKey: .ringModulator)
    }
  }
}
