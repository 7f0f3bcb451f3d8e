import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct GainTests {
  @Test func `A literal is the factor, and a level has its name`() {
    #expect(Gain.unity == 1 && Gain.silence == 0 && (0.5 as Gain).rawValue == 0.5 && Gain(2) == 2)
    #expect(Gain(rawValue: 0.25) == 0.25)
    #expect(Gain.decibels(0) == .unity && Gain.decibels(.silence) == .silence)
    #expect(abs(Gain.decibels(-20).rawValue - 0.1) < 1e-8 && abs((0.5 as Gain).decibels.rawValue + 6.0206) < 1e-4)
    #expect(Gain.silence.decibels == .silence && Gain.unity.decibels == 0 && Gain(-6).decibels.rawValue.isNaN)
  }

  @Test func `Gains multiply where their levels add up, and keep the order of their levels`() {
    var random = SplitMix64(seed: 38)
    for _ in 0..<10_000 {
      let levels = (0..<2).map { _ in Decibels(.random(in: -120...24, using: &random)) }
      let gains = levels.map { Gain.decibels($0) }
      var product = gains[0]
      product *= gains[1]
      #expect(product == gains[0] * gains[1])
      #expect(abs((product.decibels - levels[0] - levels[1]).rawValue) < 1e-4)
      if abs((levels[0] - levels[1]).rawValue) > 1e-4 { #expect((gains[0] < gains[1]) == (levels[0] < levels[1])) }
    }
  }

  @Test func `The text has the factor and the level to a tenth, and an unusable gain has its number alone`() {
    let texts: [(Gain, String)] = [
      (1, "1.0 (0.0 dB)"), (0.5, "0.5 (-6.0 dB)"), (0, "0.0 (-inf dB)"), (2, "2.0 (6.0 dB)"), (-6, "-6.0"),
      (Gain(.nan), "nan"), (Gain(.infinity), "inf"),
    ]
    for (gain, text) in texts { #expect(gain.description == text) }
  }

  @Test func `A negative gain changes nothing, and its diagnostic has the form of a level`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let log = DiagnosticLog()
    context.onDiagnostic = { log.add($0) }
    let buffer = try SoundBuffer(TestSignal.noise(duration: .seconds(1), format: Scenes.mono), in: context)
    let source = try SoundSource(playing: buffer, in: context)
    let unit = try EffectUnit(.distortion(.init()), in: context)
    let room = Reverb(room: RoomAcoustics())
    context.reverb = room
    let before = (context.listener, source.gain, source.gainLimits, source.cone, unit.gain, unit.effect)
    let calls: [(String, () -> Void)] = [
      ("source", { source.gain = -6 }), ("listener", { context.listener.gain = -6 }), ("unit", { unit.gain = -6 }),
      ("cone", { source.cone = Cone(outerGain: -6) }), ("limits", { source.gainLimits = -6...1 }),
      ("send", { try? SoundSource(in: context).setSendGain(-6, to: unit) }),
      ("sends", { try? SoundSource(in: context).effectSends = [EffectSend(to: unit, gain: -6)] }),
      ("distortion", { unit.effect = .distortion(.init(gain: -6)) }),
      ("room", { context.reverb?.room.lateGain = -6 }),
    ]
    for (name, call) in calls {
      let count = log.messages.count
      call()
      #expect(log.messages.count == count + 1, "\(name)")
      #expect(log.messages.last?.contains(".decibels(-6.0)") == true, "\(name): \(log.messages.last ?? "")")
    }
    #expect(before == (context.listener, source.gain, source.gainLimits, source.cone, unit.gain, unit.effect))
    #expect(context.reverb == room)
    #expect {
      try EffectUnit(.echo(.init()), gain: -6, in: context)
    } throws: {
      "\($0)".contains(".decibels(-6.0)")
    }
    #expect(throws: Never.self) { try context.playOnce(buffer, gain: -6) }
  }
}
