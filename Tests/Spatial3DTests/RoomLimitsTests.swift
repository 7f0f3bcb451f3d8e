import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Rooms that the library cannot compute without a change of their values.
@Suite struct RoomLimitsTests {
  /// A room of the default density, inside every range.
  private static let damped: RoomAcoustics = {
    var room = RoomAcoustics()
    (room.decayTime, room.highFrequencyDecayRatio) = (.milliseconds(700), 0.1)
    return room
  }()

  @Test func `A strongly damped room is audible, and its resolution reports the applied ratio`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    let source = try Scenes.noise(in: context)
    source.reverbBlend = 1
    context.reverb = Reverb(room: Self.damped)
    #expect(energy(of: renderer.render(frameCount: 9_600).channel(0)) > -20)
    #expect(context.reverb?.room == Self.damped)
    let room = try #require(context.reverbResolution?.room)
    #expect((room == Self.damped) == !context.inspector.limitsDamping)
    #expect(room.highFrequencyDecayRatio < 0.151)

    let unit = try EffectUnit(.reverb(Reverb(room: Self.damped)), in: context)
    source.effectSends = [EffectSend(to: unit)]
    #expect(renderer.render(frameCount: 4_800).channel(0).allSatisfy { $0.isFinite })
    #expect(unit.reverbResolution?.room == room)
    unit.effect = .reverb(Reverb(.cathedral))
    #expect(unit.reverbResolution?.room == RoomAcoustics(.cathedral))
  }

  @Test func `A fast speed of sound changes no room`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    var room = RoomAcoustics()
    (room.decayTime, room.airAbsorptionGain) = (.seconds(5), 0.892)
    let unit = try EffectUnit(.reverb(Reverb(room: room)), in: context)
    let source = try Scenes.noise(in: context)
    source.reverbBlend = 1
    source.effectSends = [EffectSend(to: unit)]
    context.reverb = Reverb(room: room)
    for speed: Float in [343.3, 1_480, 1e9, 0.001, 343.3] {
      context.speedOfSound = speed
      #expect(renderer.render(frameCount: 2_048).channel(0).allSatisfy { $0.isFinite })
      #expect(context.reverbResolution?.room == room, "\(speed)")
      #expect(unit.reverbResolution?.room == context.reverbResolution?.room)
    }
    context.speedOfSound = 1e9
    context.reverb = Reverb(room: Self.damped)
    #expect(renderer.render(frameCount: 2_048).channel(0).allSatisfy { $0.isFinite })
  }

  @Test func `Effects get the limits of a rate that another context requests`() async throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device)
    var equalizer = Effect.Equalizer()
    equalizer.band2 = .init(center: 8_000, level: 18)
    let unit = try EffectUnit(.equalizer(equalizer), in: context)
    #expect(context.inspector.rate(of: unit) == 48_000)
    let other = try AudioContext(device: device, settings: OutputSettings(sampleRate: 11_025))
    #expect(context.inspector.rate(of: unit) == 11_025)
    let third = try AudioContext(device: device, settings: OutputSettings(sampleRate: 44_100))
    #expect(context.inspector.rate(of: unit) == 44_100)
    withExtendedLifetime((other, third)) {}
  }

  @Test func `A lower rate moves an equalizer's band in the mix, and a higher rate moves it back`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    var equalizer = Effect.Equalizer()
    equalizer.band2 = .init(center: 8_000, width: 0.1, level: 18)
    let unit = try EffectUnit(.equalizer(equalizer), in: context)
    let tone = TestSignal.sine(frequency: 8_000, duration: .seconds(1), format: Rooms.mono)
    let source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
    (source.isLooping, source.obstruction, source.effectSends) = (true, -100, [EffectSend(to: unit)])
    source.play()
    func level() -> Double {
      _ = renderer.render(frameCount: 4_800)
      return energy(of: renderer.render(frameCount: 4_800).channel(0))
    }
    let boosted = level()
    context.inspector.reloadEffects(for: 11_025)
    #expect(level() < boosted - 12)
    context.inspector.reloadEffects(for: 48_000)
    #expect(abs(level() - boosted) < 0.1)
  }

  @Test func `A room whose low frequencies never decayed decays`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    var room = RoomAcoustics()
    (room.decayTime, room.lowFrequencyDecayRatio, room.density) = (.milliseconds(100), 2, 0)
    renderer.context.reverb = Reverb(room: room, level: 20)
    #expect(renderer.context.reverbResolution?.room.lowFrequencyDecayRatio == 1.9)
    let step = try PCMBuffer(samples: [Float](repeating: 1, count: 24_000), format: Rooms.mono)
    let source = try SoundSource(playing: SoundBuffer(step, in: renderer.context), in: renderer.context)
    source.reverbBlend = 1
    source.play()
    let mix = renderer.render(frameCount: 24_000).channel(0)
    _ = renderer.render(frameCount: 96_000)
    let rest = renderer.render(frameCount: 24_000).channel(0)
    #expect(energy(of: rest) < energy(of: mix) - 50)
  }
}
