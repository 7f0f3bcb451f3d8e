import GameAudio
import Spatial3D
import TestSupport
import Testing

/// The encoded form of inserts is a contract with files of released games: change no text of a golden.
@Suite struct InsertCodableTests {
  @Test func `Each kind has its golden form, and its defaults are left out`() throws {
    var bypassed = Insert.compressor(threshold: -20, ratio: 4)
    (bypassed.mix, bypassed.isBypassed) = (0.5, true)
    try expectGolden(
      bypassed,
      #"{"compressor":{"ratio":4,"threshold":"-20.0 dB"},"isBypassed":true,"mix":0.5}"#
    )
    try expectGolden(
      Insert.equalizer([.init(.highPass, 90), .init(.bell, 2_500, level: -3, q: 0.5)]),
      """
      {"equalizer":{"bands":[{"frequency":90,"shape":"highPass"},\
      {"frequency":2500,"level":"-3.0 dB","q":0.5,"shape":"bell"}]}}
      """
    )
    try expectGolden(
      [Insert(.gate(.init())), .limiter(ceiling: -2, isTruePeak: false), .leveler(target: -16)],
      #"[{"gate":{}},{"limiter":{"ceiling":"-2.0 dB","isTruePeak":false}},{"leveler":{"target":"-16.0 dB"}}]"#
    )
    try expectGolden(
      [Insert.distortion(.tube, drive: 6), .bitCrusher(bits: 12), .width(0.5)],
      #"[{"distortion":{"curve":"tube","drive":"6.0 dB"}},{"bitCrusher":{"bits":12}},{"width":{"width":0.5}}]"#
    )
    try expectGolden(
      [Insert.delay(.milliseconds(250), feedback: 0.5, mix: 1), .chorus(.vibrato, mix: 1)],
      """
      [{"delay":{"feedback":0.5,"time":0.25}},{"chorus":{"delay":0.004,"depth":0.0005,"rate":5.5,"voices":1}}]
      """
    )
    try expectGolden([Insert.convolution("hall.wav")], #"[{"convolution":{"path":"hall.wav"},"mix":0.3}]"#)
    try expectGolden([Insert.closure("half") { _, _ in }], #"[{"custom":"half"}]"#)
  }

  @Test(arguments: kindNames)
  func `Random inserts come back equal`(name: String) throws {
    var random = SplitMix64(seed: 31)
    let inserts = (0..<1_000).map { _ in Insert.random(name, &random) }
    #expect(try decode(json(inserts)) == inserts)
    let kinds = inserts.map(\.kind)
    #expect(try decode(json(kinds)) == kinds)
  }

  @Test func `A level in a file is a text with its unit, or a number of decibels`() throws {
    let insert = try decode(#"{"compressor":{"threshold":-20,"ratio":3},"mix":0.5}"#, as: Insert.self)
    var expected = Insert.compressor(threshold: -20)
    expected.mix = 0.5
    #expect(insert == expected)
    #expect(try decode(#"{"compressor":{"threshold":"-20 dB"},"mix":0.5}"#) == expected)
    #expect(try decode(#"{"compressor":{"threshold":null}}"#) == Insert.compressor())
  }

  @Test func `A file has the number that an insert uses for a number that is not finite`() throws {
    var compressor = Insert.Compressor(threshold: Decibels(.nan), ratio: .infinity)
    compressor.keyHighPass = .nan
    let equalizer = Insert.equalizer([.init(.bell, .nan, level: .silence, q: -.infinity)])
    let mix = Insert(.compressor(compressor), mix: .nan)
    #expect(try json(mix) == #"{"compressor":{"ratio":3.4028235e+38}}"#)
    #expect(
      try json(equalizer)
        == #"{"equalizer":{"bands":[{"frequency":1000,"level":"-inf dB","q":-3.4028235e+38,"shape":"bell"}]}}"#
    )
    for insert in [mix, equalizer] {
      let decoded = try decode(json(insert), as: Insert.self)
      #expect(try json(decoded) == json(insert))
    }
  }

  @Test func `A time that is too long for a file keeps its effect`() throws {
    let times: [Duration] = [Duration(attoseconds: .min), .seconds(Int64.max), Duration(attoseconds: .max)]
    for time in times {
      let decoded = try decode(json(Insert.Delay(time)), as: Insert.Delay.self)
      #expect(decoded.time < .zero ? time < .zero : decoded.time > .seconds(1_000_000_000))
    }
    #expect(try decode(#"{"time":1e300}"#, as: Insert.Delay.self).time > .seconds(1_000_000_000))
  }

  @Test func `A text of another form is refused with its path`() {
    func failure<Value: Decodable>(_ type: Value.Type, _ json: String) -> (path: String, sentence: String) {
      do {
        return ("", "decoded \(try decode(json, as: type))")
      } catch let error as DecodingError {
        let path = error.context.map { $0.codingPath.map(\.stringValue).joined(separator: ".") }
        return (path ?? "", "\(error)")
      } catch {
        return ("", "\(error)")
      }
    }
    let none = failure(Insert.self, #"{"compresor":{}}"#)
    #expect(none.sentence.contains("An insert has one kind of equalizer, compressor"))
    #expect(failure(Insert.self, #"{"gate":{},"delay":{}}"#).sentence.contains("this one has gate, delay"))
    #expect(failure([Insert].self, #"[{"gate":{"ratio":"10"}}]"#).path == "Index 0.gate.ratio")
    #expect(failure(Insert.self, #"{"gate":{"threshold":"loud"}}"#).path == "gate.threshold")
    #expect(failure(Insert.self, #"{"gate":{"attack":"fast"}}"#).path == "gate.attack")
    #expect(failure(Insert.self, #"{"gate":[]}"#).path == "gate")
    #expect(failure(Insert.self, #"{"custom":{}}"#).path == "custom")
    #expect(failure(Insert.self, #"{"gate":{},"mix":"half"}"#).path == "mix")
    #expect(failure(Insert.self, #"{"equalizer":{"bands":[{"shape":"bell"}]}}"#).sentence.contains("frequency"))
    #expect(failure(Insert.self, #"{"equalizer":{"bands":[{"frequency":90}]}}"#).sentence.contains("shape"))
    let shape = failure(Insert.self, #"{"equalizer":{"bands":[{"shape":"hump","frequency":9}]}}"#)
    #expect(shape.path == "equalizer.bands.Index 0.shape")
    #expect(failure(Insert.self, "7").path == "")
  }
}

extension DecodingError {
  fileprivate var context: Context? {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context): context
    case .dataCorrupted(let context): context
    @unknown default: nil
    }
  }
}
