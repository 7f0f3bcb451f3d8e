import Foundation
import TestSupport
import Testing

@testable import Spatial3D

@Suite struct DecodingTests {
  private func decode<Value: Decodable>(_ json: String, as type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf",
      negativeInfinity: "-inf",
      nan: "nan"
    )
    return try decoder.decode(type, from: Data(json.utf8))
  }

  /// The text of the `DecodingError` for a file.
  private func failure<Value: Decodable>(_ type: Value.Type, _ json: String) -> String {
    do {
      return "decoded \(try decode(json, as: type))"
    } catch DecodingError.dataCorrupted(let context) {
      return (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: ": ")
    } catch {
      return "\(error)"
    }
  }

  @Test func `An absent key or null is the default`() throws {
    #expect(try decode("{}") == Listener())
    #expect(try decode(#"{"gain": null, "position": [1, 2, 3]}"#) == Listener(position: [1, 2, 3]))
    #expect(try decode(#"{"up": [1, 0, 0]}"#) == Orientation(forward: [0, 0, -1], up: [1, 0, 0]))
    #expect(try decode("{}") == PolarPosition())
    #expect(try decode("{}") == Cone())
    #expect(try decode(#"{"maximumDistance": 9}"#) == DistanceAttenuation(maximumDistance: 9))
    #expect(try decode("{}") == StereoAngles())
    #expect(try decode("{}") == ParametricEqualizer())
    #expect(try decode("{}") == RoomAcoustics())
    #expect(try decode("{}") == Reverb(room: RoomAcoustics()))
    #expect(try decode("{}") == OutputSettings())
    #expect(try decode(#"{"echo": {}}"#) == Effect.echo(.init()))
    #expect(try decode(#"{"chorus": {}}"#) == Effect.chorus(.chorus))
    #expect(try decode(#"{"flanger": {}}"#) == Effect.flanger(.flanger))
    #expect(try decode(#"{"distortion": {}}"#) == Effect.distortion(.init()))
    #expect(try decode(#"{"equalizer": {"low": {"cutoff": 90}}}"#) == Effect.equalizer(.init(low: .init(cutoff: 90))))
    #expect(try decode(#"{"pitchShifter": {}}"#) == Effect.pitchShifter(.init()))
    #expect(try decode(#"{"frequencyShifter": {}}"#) == Effect.frequencyShifter(.init()))
    #expect(try decode(#"{"ringModulator": {}}"#) == Effect.ringModulator(.init()))
  }

  @Test func `An unknown key of a newer release is ignored`() throws {
    #expect(try decode(#"{"left": -20, "height": [4]}"#) == StereoAngles(left: -20))
  }

  @Test func `A number out of range is clamped`() throws {
    #expect(try decode(#"{"gain": "99x", "position": [2e9, 0, 0]}"#) == Listener(position: [1e9, 0, 0], gain: 16))
    #expect(try decode(#"{"innerAngle": -1, "outerGain": "2x"}"#) == Cone(innerAngle: 0, outerGain: 1))
    #expect(try decode(#"{"left": -999}"#) == StereoAngles(left: -180))
    #expect(try decode(#"{"decayTime": 1e300, "lateDelay": -1e300}"#) == RoomAcoustics(decay: 20, lateDelay: 0))
    #expect(try decode(#"{"level": "-99 dB"}"#) == Reverb(room: RoomAcoustics(), level: -40))
    #expect(try decode(#"{"echo": {"feedback": 1}}"#) == Effect.echo(.init(feedback: 0.9999)))
    var flanger = Effect.Modulation.flanger
    flanger.delay = .milliseconds(4)
    #expect(try decode(#"{"flanger": {"delay": 0.016}}"#) == Effect.flanger(flanger))
    #expect(try decode(#"{"sampleRate": 1, "sourceLimit": -5}"#) == OutputSettings(sampleRate: 8_000, sourceLimit: 1))
    #expect(try decode(#"[{"ambisonic": 9}, {"discrete": 0}]"#) == [ChannelLayout.ambisonic(order: 3), .discrete(1)])
  }

  @Test func `Directions of an orientation are taken as its initializer takes them`() throws {
    #expect(try decode(#"{"forward": [3, 0, 0], "up": [3, 3, 0]}"#) == Orientation(forward: [1, 0, 0], up: [0, 1, 0]))
    #expect(try decode(#"{"forward": [0, 0, 0]}"#, as: Orientation.self).isUsable == false)
  }

  @Test func `A number that is not finite throws an error with its place`() {
    for number in ["nan", "inf", "-inf"] {
      let text = "\"\(number)\""
      #expect(failure(Listener.self, #"{"gain": \#(text)}"#).hasPrefix("gain: "))
      #expect(
        failure(Listener.self, #"{"orientation": {"up": [0, \#(text), 0]}}"#)
          == "orientation: up: The up is not finite."
      )
      #expect(failure(PolarPosition.self, #"{"distance": \#(text)}"#) == "distance: The distance is not finite.")
      #expect(
        failure(Effect.self, #"{"pitchShifter": {"semitones": \#(text)}}"#)
          == "pitchShifter: semitones: The semitones is not finite."
      )
      #expect(failure(RoomAcoustics.self, #"{"decayTime": \#(text)}"#) == "decayTime: The decayTime is not finite.")
    }
    #expect(failure(Reverb.self, #"{"level": "-inf dB"}"#) == "level: The level is not finite.")
  }

  @Test func `An unknown name throws an error with the name`() {
    #expect(failure(RoomPreset.self, #""cathedrall""#).contains("RoomPreset from invalid String value cathedrall"))
    #expect(failure(DistanceAttenuation.self, #"{"model": "steep"}"#).hasPrefix("model: "))
    #expect(
      failure(Decibels.self, #""loud""#)
        == #""loud" is neither a factor of 0 or more nor a level: a factor is written as "0.5x", a level as "-6 dB"."#
    )
    #expect(failure(OutputSettings.HRTF.self, #""maybe""#).hasPrefix(#""maybe" is not an HRTF setting"#))
    #expect(failure(ChannelLayout.self, #""5.1 surround""#).hasPrefix(#""5.1 surround" is not a channel layout"#))
    #expect(failure(Effect.self, #"{"fuzz": {}}"#).hasPrefix("An effect has one key of reverb, echo,"))
    #expect(failure(Effect.self, #"{"echo": {}, "compressor": {}}"#).hasPrefix("An effect has one key"))
    #expect(failure(Effect.self, #"{"equalizer": {"low": {"level": "3 dB"}}}"#).contains("cutoff"))
  }

  @Test func `A value that is not finite cannot be encoded`() {
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Cone(innerAngle: .nan)) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Decibels(.nan)) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Reverb(.plate, level: .silence)) }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(Listener(velocity: [0, .infinity, 0])) }
  }

  @Test func `A gain and a level have their unit in a file, and either can be written as the other`() throws {
    #expect(
      try decode(#"["0.5x", "0x", "1e-3x", "-20 dB", "-inf dB"]"#) == [0.5, 0, 1e-3, Gain.decibels(-20), .silence]
    )
    #expect(try decode(#"["-6.5 dB", "+3 dB", "0.1x", "0x"]"#) == [-6.5, 3, -20, Decibels.silence])
    for text in ["0.5", "-6", "1", "1e300"] {
      #expect(failure(Gain.self, text).contains(#"has no unit: a factor is written as "0.5x", a level as "-6 dB"."#))
      #expect(failure(Decibels.self, text).contains("has no unit"))
    }
    for text in ["-0.5x", "nanx", "infx", "nan dB", "0.5 x", "-6dB", "x", " dB", "", "50 %"] {
      #expect(failure(Gain.self, "\"\(text)\"").contains("is neither a factor of 0 or more nor a level"), "\(text)")
    }
    #expect(failure(Gain.self, #""900 dB""#) == "The factor of this level is not finite.")
    for gain in [-1, Gain(.nan), Gain(.infinity)] {
      #expect(throws: EncodingError.self) { try JSONEncoder().encode(Listener(gain: gain)) }
    }
  }

  @Test func `An unlimited distance is encoded as the largest number`() throws {
    let decoded = try roundTrip(DistanceAttenuation(maximumDistance: .infinity))
    #expect(decoded == DistanceAttenuation())
  }

  private func roundTrip<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  @Test func `Any values decode as encoded, clamped to their ranges`() throws {
    var random = SplitMix64(seed: 1)
    func number() -> Float {
      Float.random(in: -1...1, using: &random)
        * Float(sign: .plus, exponent: .random(in: -20...20, using: &random), significand: 1)
    }
    func time() -> Duration { .nanoseconds(Int64.random(in: -1_000...30_000_000_000, using: &random)) }
    func vector() -> SIMD3<Float> { [number(), number(), number()] }
    var failures = 0
    for _ in 0..<2_000 {
      let listener = Listener(
        position: vector(),
        velocity: vector(),
        orientation: Orientation(forward: vector(), up: vector()),
        gain: Gain(abs(number()))
      )
      var room = RoomAcoustics()
      (room.density, room.gain, room.lateGain, room.highFrequencyReference) = (
        number(), Gain(abs(number())), Gain(abs(number())), number()
      )
      (room.decayTime, room.lateDelay, room.echoTime) = (time(), time(), time())
      (room.reflectionsPan, room.latePan) = (vector(), vector())
      let reverb = Reverb(room: room, level: Decibels(number()), equalizer: .init(frequency: number()))
      let cone = Cone(innerAngle: number(), outerAngle: number(), outerGain: Gain(abs(number())))
      let attenuation = DistanceAttenuation(
        referenceDistance: number(),
        maximumDistance: number(),
        rolloffFactor: number(),
        model: DistanceModel.allCases.randomElement(using: &random)
      )
      let polar = PolarPosition(azimuth: number(), elevation: number(), distance: number())
      let echo = Effect.echo(.init(delay: time(), otherSideDelay: time(), damping: number(), spread: number()))
      let level = Decibels(number())
      let isSame =
        try roundTrip(listener) == listener.clamped && roundTrip(reverb) == reverb.clamped
        && roundTrip(cone) == cone.clamped && roundTrip(attenuation) == attenuation.clamped
        && roundTrip(polar) == polar && roundTrip(echo) == echo.clamped && roundTrip(level) == level
      if !isSame { failures += 1 }
    }
    #expect(failures == 0)
  }

  @Test func `Every preset decodes as encoded`() throws {
    for preset in EFXPreset.allCases {
      #expect(try roundTrip(RoomAcoustics(preset)) == RoomAcoustics(preset).clamped, "\(preset)")
    }
    for preset in RoomPreset.allCases {
      #expect(try roundTrip(Reverb(preset)) == Reverb(preset).clamped, "\(preset)")
    }
  }

  @Test func `The modes of a suspension are ordered from the weakest to the strongest`() {
    #expect(SuspensionMode.allCases.sorted() == [.mute, .freeze, .queue])
    #expect(SuspensionMode.mute < .freeze && SuspensionMode.freeze < .queue && !(SuspensionMode.queue < .queue))
  }
}

extension RoomAcoustics {
  fileprivate init(decay: Int, lateDelay: Int) {
    self.init()
    decayTime = .seconds(decay)
    self.lateDelay = .seconds(lateDelay)
  }
}
