import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The encoded form of a sound is a contract with files of released games: change no text of a golden.
@Suite struct EncodedSoundTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// Expects two sounds to have the same files and the same settings.
  private func expectEqual(_ left: Sound, _ right: Sound, _ location: SourceLocation = #_sourceLocation) {
    #expect(left.variations.map(\.path) == right.variations.map(\.path), sourceLocation: location)
    #expect(left.variations.map(\.isStreamed) == right.variations.map(\.isStreamed), sourceLocation: location)
    #expect(left.choice == right.choice, sourceLocation: location)
    #expect(left.pitchVariation == right.pitchVariation, sourceLocation: location)
    #expect(left.levelVariation == right.levelVariation, sourceLocation: location)
    #expect(left.attenuation == right.attenuation, sourceLocation: location)
    #expect(left.rolloffCurve == right.rolloffCurve, sourceLocation: location)
    #expect(left.silentBeyond == right.silentBeyond, sourceLocation: location)
    #expect(left.loopRange == right.loopRange, sourceLocation: location)
    #expect(left.limit == right.limit, sourceLocation: location)
    #expect(left.loudnessOfMany == right.loudnessOfMany, sourceLocation: location)
  }

  private static var step: Sound {
    var step = Sound(anyOf: ["step1.ogg", "step2.ogg"])
    step.choice = .weighted([2, 0.5])
    step.pitchVariation = -1...1.5
    step.levelVariation = -3...0
    step.attenuation = DistanceAttenuation(referenceDistance: 2, maximumDistance: 40, model: .linearClamped)
    step.rolloffCurve = RolloffCurve([.init(1, 0), .init(40, -60)])
    step.silentBeyond = 40
    step.loopRange = 100..<48_000
    step.limit = PlaybackLimit(4, whenReached: .refuse, spacing: .milliseconds(40))
    step.loudnessOfMany = .compensated
    return step
  }

  private static let goldenStep = """
    {"attenuation":{"maximumDistance":40,"model":"linearClamped","referenceDistance":2,"rolloffFactor":1},\
    "choice":{"weights":[2,0.5]},"levelVariation":["-3.0 dB","0.0 dB"],\
    "limit":{"count":4,"spacing":0.04,"whenReached":"refuse"},"loopRange":[100,48000],\
    "loudnessOfMany":"compensated","paths":["step1.ogg","step2.ogg"],"pitchVariation":[-1,1.5],\
    "rolloffCurve":[{"distance":1,"level":"0.0 dB"},{"distance":40,"level":"-60.0 dB"}],\
    "silentBeyond":40,"streamed":false}
    """

  @Test func `A sound of files has its golden form`() throws {
    #expect(try json(Self.step) == Self.goldenStep)
    expectEqual(try decode(Self.goldenStep), Self.step)
    var song = Sound("theme.flac", streamed: true)
    song.attenuation.maximumDistance = 60
    let golden = """
      {"attenuation":{"maximumDistance":60,"referenceDistance":1,"rolloffFactor":1},\
      "choice":{"avoidingLast":1},"levelVariation":["0.0 dB","0.0 dB"],"loudnessOfMany":"added",\
      "path":"theme.flac","pitchVariation":[0,0],"streamed":true}
      """
    #expect(try json(song) == golden)
    expectEqual(try decode(golden), song)
    let choices = [Sound.Choice.random(avoidingLast: 2), .sequence, .weighted([1])]
    let goldenChoices = #"[{"avoidingLast":2},"sequence",{"weights":[1]}]"#
    #expect(try json(choices) == goldenChoices)
    #expect(try decode(goldenChoices) == choices)
  }

  @Test func `Keys are texts, and the sounds of a game are an object by their keys`() throws {
    #expect(try json([SoundKey("step"), "bell"]) == #"["step","bell"]"#)
    #expect(try decode(#"["step","bell"]"#) == [SoundKey("step"), "bell"])
    let sounds: [SoundKey: Sound] = ["step": Self.step]
    #expect(try json(sounds) == #"{"step":\#(Self.goldenStep)}"#)
    let decoded: [SoundKey: Sound] = try decode(#"{"step": \#(Self.goldenStep), "bell": {"path": "bell.ogg"}}"#)
    #expect(decoded.keys.sorted() == ["bell", "step"])
    expectEqual(try #require(decoded["step"]), Self.step)
    expectEqual(try #require(decoded["bell"]), Sound("bell.ogg"))
  }

  @Test func `An absent key is the default, and an unknown one is ignored`() throws {
    expectEqual(try decode(#"{"path": "bell.ogg"}"#), Sound("bell.ogg"))
    expectEqual(try decode(#"{"paths": ["bell.ogg"], "colour": "red", "limit": null}"#), Sound("bell.ogg"))
    var bell = Sound("bell.ogg", streamed: true)
    bell.limit = PlaybackLimit(1)
    bell.attenuation.rolloffFactor = 2
    expectEqual(
      try decode(#"{"path": "bell.ogg", "streamed": true, "limit": {}, "attenuation": {"rolloffFactor": 2}}"#),
      bell
    )
  }

  @Test func `Random settings come back`() throws {
    var random = SplitMix64(seed: 7)
    func tenths(_ range: ClosedRange<Int>) -> Float { Float(Int.random(in: range, using: &random)) / 10 }
    func isSet() -> Bool { .random(using: &random) }
    for _ in 0..<500 {
      let paths = (0..<Int.random(in: 1...4, using: &random)).map { "sounds/\($0) \"ä\".ogg" }
      var sound = Sound(anyOf: paths, streamed: isSet())
      sound.choice =
        isSet() ? .sequence : isSet() ? .random(avoidingLast: 2) : .weighted(paths.map { _ in tenths(0...90) })
      sound.pitchVariation = tenths(-480...0)...tenths(0...480)
      sound.levelVariation = Decibels(tenths(-960...0))...Decibels(tenths(0...240))
      sound.attenuation = DistanceAttenuation(
        referenceDistance: tenths(1...100),
        maximumDistance: isSet() ? .greatestFiniteMagnitude : tenths(1...9_000),
        rolloffFactor: tenths(0...50),
        model: isSet() ? nil : DistanceModel.allCases.randomElement(using: &random)
      )
      if isSet() {
        sound.rolloffCurve = RolloffCurve((0..<3).map { _ in .init(tenths(0...900), Decibels(tenths(-900...0))) })
      }
      if isSet() { sound.silentBeyond = tenths(1...9_000) }
      if isSet() {
        sound.loopRange = Int.random(in: 0...100, using: &random)..<Int.random(in: 100...9_000, using: &random)
      }
      if isSet() {
        let spacing = Duration.milliseconds(Int.random(in: 0...500, using: &random))
        let overflow = try #require(PlaybackLimit.Overflow.allCases.randomElement(using: &random))
        sound.limit = PlaybackLimit(Int.random(in: 1...9, using: &random), whenReached: overflow, spacing: spacing)
      }
      sound.loudnessOfMany = isSet() ? .added : .compensated
      expectEqual(try decode(try json(sound)), sound)
    }
  }

  @Test func `An infinite number becomes a finite one of the same effect`() throws {
    var sound = Sound("bell.ogg")
    sound.choice = .weighted([.nan, 1, .infinity])
    sound.pitchVariation = -Float.infinity...Float.infinity
    sound.silentBeyond = .infinity
    sound.levelVariation = Decibels(.nan)...3
    sound.attenuation = DistanceAttenuation(referenceDistance: .nan, rolloffFactor: .infinity)
    let decoded: Sound = try decode(try json(sound))
    #expect(decoded.choice == .weighted([0, 1, 0]))
    #expect(decoded.pitchVariation == -48...48 && decoded.silentBeyond == nil)
    #expect(decoded.levelVariation == 3...3)
    #expect(decoded.attenuation == DistanceAttenuation(referenceDistance: 1, rolloffFactor: 1e9))
  }

  @Test func `A sound without a path throws a sentence with its place`() throws {
    let noise = TestSignal.noise(duration: .milliseconds(10), format: Self.mono)
    let reader = Sound(streaming: "a synthesizer") { try AudioFile(opening: "/no/such/file.wav") }
    for (sound, name) in [
      (Sound(noise), "A sound in memory"), (reader, "a synthesizer"), (Sound(anyOf: []), "A sound of no file"),
    ] {
      let error = #expect(throws: EncodingError.self) { try json([SoundKey("step"): sound]) }
      guard case .invalidValue(_, let context)? = error else { continue }
      #expect(context.debugDescription == "\(name) has no path: only a sound of files can be encoded.")
      #expect(context.codingPath.map(\.stringValue) == ["step"])
    }
  }

  /// The keys that lead to the fault of a file.
  private func place(ofFaultIn json: String) -> String {
    let path: [any CodingKey]
    do {
      return "decoded \(try decode(json, as: Sound.self))"
    } catch DecodingError.keyNotFound(let key, let context) {
      path = context.codingPath + [key]
    } catch DecodingError.typeMismatch(_, let context) {
      path = context.codingPath
    } catch DecodingError.valueNotFound(_, let context) {
      path = context.codingPath
    } catch DecodingError.dataCorrupted(let context) {
      path = context.codingPath
    } catch {
      return "\(error)"
    }
    return path.first?.stringValue ?? "no key"
  }

  @Test(
    arguments: [
      ("{}", "path"), (#"{"path": 3}"#, "path"), (#"{"paths": []}"#, "paths"), (#"{"paths": "a.ogg"}"#, "paths"),
      (#"{"path": "a.ogg", "paths": ["b.ogg"]}"#, "paths"), (#"{"path": "a.ogg", "streamed": 1.5}"#, "streamed"),
      (#"{"path": "a.ogg", "choice": "often"}"#, "choice"), (#"{"path": "a.ogg", "choice": {}}"#, "choice"),
      (#"{"path": "a.ogg", "pitchVariation": [1, -1]}"#, "pitchVariation"),
      (#"{"path": "a.ogg", "levelVariation": [-3, 0]}"#, "levelVariation"),
      (#"{"path": "a.ogg", "levelVariation": ["0 dB"]}"#, "levelVariation"),
      (#"{"path": "a.ogg", "loopRange": [9, 1]}"#, "loopRange"),
      (#"{"path": "a.ogg", "limit": {"whenReached": "explode"}}"#, "limit"),
      (#"{"path": "a.ogg", "loudnessOfMany": "loud"}"#, "loudnessOfMany"),
    ] as [(String, String)]
  )
  func `A file that is no sound throws an error that names the key`(json: String, key: String) {
    #expect(place(ofFaultIn: json) == key)
  }

  @Test func `A sound of a bank is encoded with its files`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let bank = SoundBank(in: AudioWorld(in: offline.context))
    bank.define("step", Self.step)
    #expect(try json(try bank["step"]) == Self.goldenStep)
  }

  @Test func `A decoded sound plays the same samples`() throws {
    let folder = try SoundFolder()
    let path = try folder.write("noise.wav", TestSignal.noise(duration: .milliseconds(100), format: Self.mono))
    var sound = Sound(path)
    sound.levelVariation = -6...0
    let decoded: Sound = try decode(try json(sound))
    var mixes: [[Float]] = []
    for sound in [sound, decoded] {
      var offline = try OfflineRenderer(format: Self.mono)
      let emitter = AudioWorld(in: offline.context).playOnce(sound)
      mixes.append(offline.render(.milliseconds(200)).samples)
      withExtendedLifetime(emitter) {}
    }
    #expect(mixes[0] == mixes[1] && mixes[0].contains { $0 != 0 })
  }
}
