import Foundation
import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The encoded form of each setting is a contract with files of released games: change no text of a golden.
@Suite struct EncodedSettingTests {
  @Test func `Fades and duckers have their golden form`() throws {
    try expectGolden(Fade(.milliseconds(1_500), .equalPower), #"{"curve":"equalPower","duration":1.5}"#)
    try expectGolden(
      Ducking(by: -12, attack: .zero, hold: .milliseconds(250), release: .seconds(2)),
      #"{"attack":0,"depth":"-12.0 dB","hold":0.25,"release":2,"trigger":"playing"}"#
    )
    try expectGolden([Ducking.Trigger.level(above: -30), .playing], #"[{"level":"-30.0 dB"},"playing"]"#)
  }

  @Test func `Limits, priorities, repeats and curves have their golden form`() throws {
    try expectGolden(
      PlaybackLimit(4, whenReached: .virtualize, spacing: .milliseconds(40)),
      #"{"count":4,"spacing":0.04,"whenReached":"virtualize"}"#
    )
    try expectGolden([Priority.normal, .mustBeHeard, 0], "[50,100,0]")
    try expectGolden([Repeats.forever, .times(0), .times(3)], #"["forever",0,3]"#)
    try expectGolden(
      RolloffCurve([.init(1, 0), .init(40, -60), .init(50, .silence)]),
      #"[{"distance":1,"level":"0.0 dB"},{"distance":40,"level":"-60.0 dB"},{"distance":50,"level":"-96.0 dB"}]"#
    )
  }

  @Test func `Tempos, meters and grids have their golden form`() throws {
    try expectGolden([Tempo(120), Tempo(97.5)], "[120,97.5]")
    try expectGolden([Meter(7, 8), Meter(4, 4)], #"["7/8","4/4"]"#)
    try expectGolden([Grid.beat, .bar, .bars(4), .beats(1.5)], #"["beat","bar",{"bars":4},{"beats":1.5}]"#)
  }

  @Test func `Each tempo in beats a minute comes back exactly`() throws {
    var random = SplitMix64(seed: 120)
    let tempos = (0..<5_000).map { _ in Tempo(exp2(.random(in: 0...25, using: &random))) }
    #expect(try decode(json(tempos)) == tempos)
  }

  @Test func `An absent key is the default, and a value out of range is clamped`() throws {
    #expect(try decode("{}") == Fade.none)
    #expect(try decode(#"{"duration": 2}"#) == Fade(.seconds(2)))
    #expect(try decode(#"{"depth": "-12 dB"}"#) == Ducking(by: -12))
    #expect(try decode("{}") == PlaybackLimit(1))
    #expect(try decode("[500, -3]") == [Priority(100), Priority(0)])
    #expect(try decode("[0.5, 1e300]") == [Tempo(1), Tempo(60_000_000)])
    #expect(try decode(#""9999/9999""#) == Meter(256, 64))
    #expect(try decode("[]") == RolloffCurve([]))
    #expect(try decode("[[]]") == [RolloffCurve([])])
  }

  @Test func `A text of another form is refused with a sentence`() {
    func failure<Value: Decodable>(_ type: Value.Type, _ json: String) -> String {
      do {
        return "decoded \(try decode(json, as: type))"
      } catch {
        return "\(error)"
      }
    }
    #expect(failure(Ducking.self, "{}").contains("depth"))
    #expect(failure(Ducking.self, #"{"depth": -12}"#).contains("has no unit"))
    #expect(failure(Ducking.Trigger.self, #""always""#).contains(#""always" is not a trigger"#))
    #expect(failure(Meter.self, #""waltz""#).contains(#""waltz" is not a meter"#))
    #expect(failure(Meter.self, #""3/4/5""#).contains("is not a meter"))
    #expect(failure(Grid.self, #""phrase""#).contains(#""phrase" is not a grid"#))
    #expect(failure(Repeats.self, "-1").contains("a number of 0 or more, or \"forever\""))
    #expect(failure(Repeats.self, #""often""#).contains("a number of 0 or more, or \"forever\""))
    #expect(failure(RolloffCurve.self, #"[{"distance": 1, "level": -6}]"#).contains("has no unit"))
    #expect(failure(PlaybackLimit.self, #"{"whenReached": "explode"}"#).contains("explode"))
  }

  @Test func `Each reason of a silence has its golden form`() throws {
    try expectGolden(
      [
        SilenceReason.notPlaying, .waiting, .loading, .soloedElsewhere, .silencedBySession, .beyondReach,
      ],
      """
      [{"cause":"notPlaying"},{"cause":"waiting"},{"cause":"loading"},{"cause":"soloedElsewhere"},\
      {"cause":"silencedBySession"},{"cause":"beyondReach"}]
      """
    )
    try expectGolden(
      [SilenceReason.paused(by: "the bus menu"), .muted(by: "the bus sfx"), .suspended(.userPause)],
      """
      [{"by":"the bus menu","cause":"paused"},{"by":"the bus sfx","cause":"muted"},\
      {"by":"user pause","cause":"suspended"}]
      """
    )
    try expectGolden(
      [SilenceReason.tooQuiet(by: 3.5), .outranked(by: 0), .tooQuiet(by: Decibels(.infinity))],
      """
      [{"cause":"tooQuiet","lacking":"3.5 dB"},{"cause":"outranked","lacking":"0.0 dB"},\
      {"cause":"tooQuiet","lacking":"inf dB"}]
      """
    )
  }
}

/// The texts of worlds, emitters and players.
@Suite struct DescriptionTests {
  @Test func `An event of an emitter prints what happened`() {
    let events: [EmitterEvent] = [.ended(.stolen), .looped(3), .becameReal, .becameVirtual]
    #expect(events.map(\.description) == ["ended (stolen)", "looped 3×", "became real", "became virtual"])
  }

  @Test func `A reason of a silence prints its cause, or the level that is lacking`() {
    let reasons: [(SilenceReason, String)] = [
      (.notPlaying, "it does not play"), (.paused(by: "the bus menu"), "paused by the bus menu"),
      (.suspended(.userPause), "the context is suspended (user pause)"),
      (.tooQuiet(by: 3.54), "3.5 dB too quiet to have a voice"),
      (.tooQuiet(by: Decibels(.infinity)), "one of its factors is silence"),
      (.outranked(by: 3), "needs 3.0 dB more for a voice"),
      (.outranked(by: 0.04), "gets a voice at the next choice"),
    ]
    for (reason, text) in reasons { #expect(reason.description == text) }
  }

  @Test func `A world, an emitter and a player print what they are and do`() throws {
    let format = PCMFormat.mono(sampleRate: 48_000)
    let offline = try OfflineRenderer(format: format)
    let world = AudioWorld(in: offline.context, voiceLimit: 8)
    let sound = Sound(TestSignal.noise(duration: .seconds(1), format: format))
    let emitter = Emitter(playing: sound, in: world)
    #expect(emitter.description == "emitter 1 (A sound in memory): idle")
    #expect(world.description == "a world: 0 of 1 play, 8 voices")
    emitter.play()
    let player = try SoundPlayer(playing: sound, in: world)
    #expect(emitter.description == "emitter 1 (A sound in memory): playing")
    #expect(player.description == "a player (A sound in memory): idle")
    #expect(world.description == "a world: 1 of 2 play, 8 voices")
    #expect(Meter(6, 8).description == "6/8" && Tempo(90).description == "90.0 beats a minute")
  }
}
