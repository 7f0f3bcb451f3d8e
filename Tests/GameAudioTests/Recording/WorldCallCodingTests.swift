import Foundation
import Spatial3DTesting
import Testing

@testable import GameAudio

/// A call of a game that is encoded and decoded equals the call.
@Suite struct WorldCallCodingTests {
  private static let first = EmitterKey(slot: 3, number: 8)
  private static let second = EmitterKey(slot: 0, number: 9)
  private static let bus = BusIndex(2)
  private static let fade = Fade(.milliseconds(250), .equalPower)
  private static let sound: Sound = {
    var sound = Sound(anyOf: ["steps/1.ogg", "steps/2.ogg"], streamed: true)
    sound.limit = PlaybackLimit(3, spacing: .milliseconds(40))
    return sound
  }()

  private static func emitterCalls(_ effect: CallEffect) -> [EmitterCall] {
    [
      .make(sound, isPlaced: true, bus: bus, isOnce: false), .follow(second), .play(at: nil), .play(at: .seconds(2)),
      .stop(fade), .pause(.none), .fade(.decibels(-6), fade), .seek(.milliseconds(125)), .position([1, -2, 0.1]),
      .velocity([0, 0, 9]), .derivesVelocity(true), .gain(.silence), .gain(.decibels(-0.1)), .pitch(0.7),
      .priority(.mustBeHeard), .repeats(.forever), .repeats(3), .behavior(.stop), .direction([0, 1, 0]),
      .cone(Cone(innerAngle: 30, outerAngle: 90)), .radius(4), .occlusion(-12.5), .obstruction(0), .bus(bus),
      .send(effect, .decibels(-3), fade), .send(effect, nil, .none),
    ]
  }

  private static let playerCalls: [PlayerCall] = [
    .make(sound, bus: bus), .play(at: nil), .play(at: .seconds(5)), .pause, .stop, .prepare,
    .crossfade(to: second, fade), .fadeOut(fade), .fadeIn(fade), .fade(.unity, fade), .seek(.seconds(1)),
    .schedule(sound, .afterQueue, .forever), .schedule(sound, .now, 0), .schedule(sound, .atLoopEnd, 1),
    .schedule(sound, .at(.milliseconds(10)), 2), .volume(.decibels(-1)), .pan(-0.3), .pitch(1.25), .repeats(7),
    .loopRange(5..<9), .loopRange(nil), .priority(.normal), .bus(bus),
  ]

  private static func busCalls(_ effect: CallEffect) -> [BusCall] {
    [
      .gain(.decibels(3)), .fade(.silence, fade), .pitch(0.5), .filter(ToneFilter(low: -3, high: -20)), .mute(true),
      .solo(false), .limit(PlaybackLimit(4)), .limit(nil), .pause(fade), .resume(.none),
      .send(effect, .unity, fade),
      .duck(
        under: .main,
        Ducking(by: -6, attack: .milliseconds(125), hold: .milliseconds(250), release: .milliseconds(500))
      ), .duck(under: .main, nil), .mutesWithOtherAudio(true),
      .inserts([.compressor(threshold: -20), .delay(.milliseconds(250))], fade), .inserts([], fade),
    ]
  }

  private static let worldCalls: [WorldCall] = [
    .release(first), .move(MovedEmitters([(first, SIMD3(1, 2, 3)), (second, .zero)])),
    .makeBus(index: bus, "steps", parent: .main, isDirect: true),
    .apply(MixSnapshot(lines: ["music": MixSnapshot.Line(gain: .decibels(-6))]), fade),
    .listener(Listener(position: [1, 0, 0])), .listeners([Listener(), Listener(position: [0, 0, 4])]),
    .zones([ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom))]), .zones([]),
    .portals([Portal(between: "hall", and: nil, at: [0, 1, 0])]),
    .wallOcclusion(-40), .rays([EmitterRays(subject: first, occlusion: -3, obstruction: 0)]), .seed(.max),
    .streamLimit(4), .rateConversion(false), .openUpdate, .closeUpdate,
    .playTogether([first, second], at: .seconds(3)),
    .keepSamples(bank: 77), .pausePlayers, .beginInterruption(isStanding: true),
    .endInterruption(shouldResume: true, rewind: .milliseconds(500)),
    .endInterruption(shouldResume: false, rewind: nil),
    .otherAudio(isPlaying: true), .limiter(Insert.Limiter(ceiling: -3)), .limiter(nil),
    .loudnessTarget(Insert.Leveler(target: -16)), .loudnessTarget(nil),
  ]

  @Test func `Each call is equal after its way through a file`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let unit = try EffectUnit(.reverb(Reverb(.smallRoom)), in: offline.context)
    let effect = CallEffect(unit)
    let calls =
      Self.worldCalls + Self.emitterCalls(effect).map { .emitter(Self.first, $0) }
      + Self.playerCalls.map { .player(Self.first, $0) } + Self.busCalls(effect).map { .bus(Self.bus, $0) }
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    encoder.outputFormatting = [.sortedKeys]
    decoder.userInfo[try #require(CallEffect.units)] = [unit.number: unit]
    for call in calls {
      let data = try encoder.encode(call)
      let decoded = try decoder.decode(WorldCall.self, from: data)
      #expect(try encoder.encode(decoded) == data, "\(call)")
      #expect(decoded.words(buses: []) == call.words(buses: []) && decoded.number == call.number)
      #expect(decoded.units.allSatisfy { $0 === unit } && decoded.units.count == call.units.count)
      // A decoded sound is no copy of another sound.
      guard !"\(call)".contains("Sound") else { continue }
      #expect("\(decoded)" == "\(call)")
    }
  }

  @Test func `A call is not decoded without its effect unit`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let unit = try EffectUnit(.reverb(Reverb(.smallRoom)), in: offline.context)
    let data = try JSONEncoder().encode(WorldCall.bus(.main, .send(CallEffect(unit), nil, .none)))
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(WorldCall.self, from: data) }
  }

  @Test func `A call with samples is not encoded`() {
    let sound = Sound(TestSignal.noise(duration: .milliseconds(10), format: .mono(sampleRate: 48_000)))
    let call = WorldCall.player(Self.first, .make(sound, bus: .main))
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(call) }
  }
}
