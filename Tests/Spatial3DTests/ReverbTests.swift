import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Rooms in rendered mixes.
@Suite struct ReverbTests {
  @Test func `The default context has no reverb, and only a send makes a reverb audible`() throws {
    func mix(_ reverb: Reverb?, send: Float) throws -> [Float] {
      var renderer = try OfflineRenderer(format: Scenes.stereo)
      renderer.context.reverb = reverb
      let source = try Scenes.noise(in: renderer.context, at: [1, 0, -1])
      source.reverbBlend = send
      return renderer.render(frameCount: 9_600).samples
    }
    let dry = try mix(nil, send: 0)
    #expect(try mix(nil, send: 1) == dry)
    #expect(try mix(Reverb(.cathedral), send: 0) == dry)
    #expect(try mix(Reverb(.cathedral), send: 0.2) != dry)
  }

  @Test(arguments: RoomPreset.allCases)
  func `The measured decay time of a room is the stated one`(preset: RoomPreset) throws {
    let room = RoomAcoustics(preset)
    let samples = try Rooms.response(of: Reverb(preset), seconds: room.decayTime / .seconds(1) + 0.3)
    let response = try PCMBuffer(samples: samples, format: Rooms.mono)
    // The times are at middle frequencies.
    let times = try [500.0, 1_000].map { try response.reverberationTime(.t30, octaveBand: $0) / .seconds(1) }
    let measured = (times[0] + times[1]) / 2
    #expect(abs(.seconds(measured) / room.decayTime - 1) < 0.15, "\(measured)")
  }

  @Test func `Times of presets are what is written, to the microsecond`() {
    #expect(RoomAcoustics(EFXPreset.generic) == RoomAcoustics())
    #expect(RoomAcoustics(EFXPreset.cave).decayTime == .milliseconds(2_910))
    #expect(RoomAcoustics(EFXPreset.cave).reflectionsDelay == .milliseconds(15))
    #expect(RoomAcoustics(RoomPreset.cathedral).decayTime == .milliseconds(5_500))
    #expect(EffectParameters(.echo(Effect.Echo()))?.values == [0.1, 0.1, 0.5, 0.5, -1])
    for (preset, row) in zip(EFXPreset.allCases, EFXPreset.table) { #expect(RoomAcoustics(preset).parameters == row) }
  }

  @Test func `Within rooms, halls and chambers the larger decay longer`() {
    func times(_ presets: [RoomPreset]) -> [Duration] { presets.map { RoomAcoustics($0).decayTime } }
    for family in [
      times([.smallRoom, .mediumRoom, .largeRoom, .largeRoom2]), times([.mediumHall, .largeHall, .largeHall2]),
      times([.mediumHall2, .largeHall2]), times([.mediumHall3, .largeHall2]),
      times([.mediumChamber, .largeChamber, .cathedral]),
    ] {
      #expect(zip(family, family.dropFirst()).allSatisfy { $0 * 1.1 < $1 })
    }
  }

  @Test(arguments: [RoomPreset.smallRoom, .largeHall])
  func `Levels are exact over the whole range`(preset: RoomPreset) throws {
    let reference = energy(of: try Rooms.response(of: Reverb(preset), seconds: 0.5))
    for level in stride(from: Float(-40), through: 40, by: 5) {
      var renderer = try OfflineRenderer(format: Rooms.mono)
      renderer.context.reverb = Reverb(preset, level: Decibels(level))
      #expect(renderer.context.reverbResolution?.level.rawValue == level)
      let measured = energy(of: try Rooms.response(in: &renderer, seconds: 0.5))
      #expect(abs(measured - reference - Double(level)) < 0.2, "\(level)")
    }
  }

  @Test func `Every room preset reaches the highest level, and three EFX presets report a lower one`() {
    let limits = EffectLimits(version: nil, rate: 48_000)
    func reached(_ reverb: Reverb) -> Float {
      ReverbPlan(for: reverb, canChain: true, limits: limits).resolution(of: reverb, limits).level.rawValue
    }
    #expect(RoomPreset.allCases.allSatisfy { reached(Reverb($0, level: 40)) == 40 })
    let ends = EFXPreset.allCases.map { reached(Reverb(efx: $0, level: 40)) }.filter { $0 < 40 }
    #expect(ends.count == 3 && ends.allSatisfy { $0 > 36.9 }, "\(ends)")
  }

  @Test(arguments: [Float(-10), 20, 30, 40])
  func `The level of a room changes neither the dry sound nor the send to another effect`(level: Float) throws {
    func render(_ level: Float?, gain: Gain) throws -> PCMBuffer<Float> {
      var renderer = try OfflineRenderer(format: Scenes.stereo)
      let context = renderer.context
      let source = try Scenes.noise(in: context, at: [1, 0, -1])
      source.gainLimits = 0.05...0.8
      source.gain = gain
      let unit = try EffectUnit(.echo(Effect.Echo()), in: context)
      source.effectSends = [EffectSend(to: unit, gain: 0.5)]
      if let level { context.reverb = Reverb(.mediumRoom, level: Decibels(level)) }
      // Next to nothing of the room is audible, but the context raises the source for it.
      source.reverbBlend = 1e-6
      return renderer.render(frameCount: 9_600)
    }
    for gain in [0.01, 0.5, 4] as [Gain] {
      let (plain, raised) = (try render(nil, gain: gain), try render(level, gain: gain))
      let difference = zip(plain.samples, raised.samples).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < 1e-4, "\(gain): \(difference)")
    }
  }

  @Test func `A level that changes alone keeps the slot and glides`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    context.reverb = Reverb(.largeHall, level: -40)
    let slot = context.inspector.roomSlot
    for level in stride(from: Float(-40), through: 10, by: 1) {
      context.reverb?.level = Decibels(level)
      _ = renderer.render(frameCount: 64)
    }
    #expect(context.inspector.roomSlot == slot)
    #expect(context.reverb == Reverb(.largeHall, level: 10))
    #expect(context.reverbResolution?.level == 10)
  }

  @Test func `Wet alone has nothing direct, and dry and wet keep their power`() throws {
    var renderer = try OfflineRenderer(format: Scenes.mono)
    var room = RoomAcoustics()
    (room.gain, room.reflectionsGain, room.lateGain) = (0, 0, 0)
    let source = try Scenes.noise(in: renderer.context)
    renderer.context.reverb = Reverb(room: room)
    func level() -> Double {
      _ = renderer.render(frameCount: 4_096)
      return energy(of: renderer.render(frameCount: 24_000).channel(0))
    }
    let open = level()
    source.reverbBlend = 0.5
    #expect(abs(level() - open + 3.01) < 0.05)
    source.reverbBlend = 1
    #expect(level() < -200)
    renderer.context.reverb = nil
    #expect(abs(level() - open) < 0.05)
  }

  @Test func `Every one of the 113 EFX presets is applied unchanged and audible`() throws {
    #expect(EFXPreset.allCases.count == EFXPreset.table.count)
    for preset in EFXPreset.allCases {
      let room = RoomAcoustics(preset)
      // Pans of the published tables are up to a fifth longer than the library's limit.
      var clamped = room.clamped
      (clamped.reflectionsPan, clamped.latePan) = (room.reflectionsPan, room.latePan)
      #expect(clamped == room, "\(preset)")
    }
    var renderer = try OfflineRenderer(format: .mono(sampleRate: 16_000))
    for preset in EFXPreset.allCases {
      renderer.context.reverb = Reverb(efx: preset)
      #expect(energy(of: try Rooms.response(in: &renderer, seconds: 0.1)) > -120, "\(preset)")
    }
  }

  @Test func `A reverb out of range is the nearest in it, and what is not finite is refused`() throws {
    let renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    var room = RoomAcoustics()
    (room.decayTime, room.density, room.reflectionsPan) = (.seconds(99), -1, [3, 0, 4])
    room.latePan = [0, -3e30, 0]
    context.reverb = Reverb(room: room, level: 99, equalizer: .init(frequency: 1, bandwidth: 9, level: -99))
    let taken = try #require(context.reverb)
    #expect(
      // The square of a long pan is infinite.
      taken.room.latePan == [0, -1, 0] && taken.room.decayTime == .seconds(20) && taken.room.density == 0
        && taken.room.reflectionsPan == [0.6, 0, 0.8]
    )
    #expect(taken.level == 40 && taken.equalizer == .init(frequency: 10, bandwidth: 4, level: -18))
    context.onDiagnostic = { #expect($0.code == .valueNotUsable) }
    context.reverb = Reverb(.plate, level: Decibels(.nan))
    #expect(context.reverb == taken)
  }

  @Test func `A library without effects renders a dry scene and reports no reverb resolution`() throws {
    var renderer = try OfflineRenderer(format: Scenes.mono, disabling: [.effects])
    let source = try Scenes.noise(in: renderer.context)
    let dry = energy(of: renderer.render(frameCount: 24_000).channel(0))
    renderer.context.reverb = Reverb(.cathedral)
    source.reverbBlend = 1
    source.occlusion = -20
    #expect(renderer.context.reverb == Reverb(.cathedral))
    #expect(renderer.context.reverbResolution == nil)
    #expect(abs(energy(of: renderer.render(frameCount: 24_000).channel(0)) - dry) < 0.01)
    do throws(AudioError) {
      _ = try EffectUnit(.compressor, in: renderer.context)
      Issue.record("it was created")
    } catch {
      #expect(error.code == .notInLibrary)
    }
  }

  @Test func `A reverb without an effect slot logs a diagnostic and leaves the scene dry`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(failingCreation: 1))
    let diagnostics = DiagnosticLog()
    renderer.context.onDiagnostic = { diagnostics.add($0) }
    renderer.context.reverb = Reverb(.cathedral)
    #expect(diagnostics.codes == [.reverbUnavailable])
    #expect(renderer.context.reverbResolution == nil)
    renderer.context.reverb = Reverb(.cathedral)
    #expect(renderer.context.reverbResolution != nil)
  }
}
