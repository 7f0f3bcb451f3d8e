import Glibc
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Effects that sources feed beside their room.
@Suite struct EffectUnitTests {
  private static let effects: [Effect] = {
    var shifter = Effect.FrequencyShifter()
    (shifter.frequency, shifter.left, shifter.right) = (300, .up, .up)
    var distortion = Effect.Distortion()
    distortion.gain = 0.5
    var equalizer = Effect.Equalizer()
    equalizer.band1.level = 9
    return [
      .reverb(Reverb(efx: .cave)), .echo(.init()), .chorus(.chorus), .flanger(.flanger), .distortion(distortion),
      .compressor, .equalizer(equalizer), .pitchShifter(.init(semitones: 7)), .frequencyShifter(shifter),
      .ringModulator(.init()),
    ]
  }()

  /// A source of a tone that is audible through its effects alone.
  private func tone(
    _ frequency: Double = 1_000,
    in renderer: borrowing OfflineRenderer
  ) throws -> SoundSource {
    let sine = TestSignal.sine(frequency: frequency, duration: .milliseconds(500), format: Rooms.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: renderer.context), in: renderer.context)
    source.isLooping = true
    var silent = RoomAcoustics()
    (silent.gain, silent.reflectionsGain, silent.lateGain) = (0, 0, 0)
    renderer.context.reverb = Reverb(room: silent)
    source.reverbBlend = 1
    source.play()
    return source
  }

  private func level(_ renderer: inout OfflineRenderer, at frequency: Double = 1_000) -> Double {
    _ = renderer.render(frameCount: 24_000)
    return Double(renderer.render(frameCount: 24_000).level(at: frequency).rawValue)
  }

  private func renderer(sends: Int) throws -> OfflineRenderer {
    var settings = OutputSettings()
    settings.auxiliarySendLimit = sends
    return try OfflineRenderer(format: Rooms.mono, settings: settings)
  }

  @Test(arguments: effects)
  func `Each effect is audible until its unit is released`(effect: Effect) throws {
    var renderer = try self.renderer(sends: 4)
    let source = try tone(in: renderer)
    #expect(energy(of: renderer.render(frameCount: 9_600).channel(0)) < -100)
    var unit: EffectUnit? = try EffectUnit(effect, in: renderer.context)
    #expect(unit?.effect == effect)
    source.effectSends = unit.map { [EffectSend(to: $0)] } ?? []
    _ = renderer.render(frameCount: 24_000)
    #expect(energy(of: renderer.render(frameCount: 9_600).channel(0)) > 0)
    unit = nil
    source.effectSends = []
    _ = renderer.render(frameCount: 2_048)
    #expect(energy(of: renderer.render(frameCount: 9_600).channel(0)) < -100)
  }

  @Test func `Shifters, modulators and equalizers change a tone by the requested amounts`() throws {
    func shifted(_ effect: Effect, at frequency: Double) throws -> Double {
      var renderer = try self.renderer(sends: 4)
      let source = try tone(in: renderer)
      let unit = try EffectUnit(effect, in: renderer.context)
      source.effectSends = [EffectSend(to: unit)]
      return level(&renderer, at: frequency)
    }
    var up = Effect.FrequencyShifter()
    (up.frequency, up.left, up.right) = (300, .up, .up)
    #expect(try shifted(.frequencyShifter(up), at: 1_300) > shifted(.frequencyShifter(up), at: 1_000) + 20)
    #expect(
      try shifted(.pitchShifter(.init(semitones: 12)), at: 2_000)
        > shifted(.pitchShifter(.init(semitones: 12)), at: 1_000) + 10
    )
    let ring = Effect.ringModulator(.init())
    #expect(try shifted(ring, at: 1_440) > shifted(ring, at: 1_000) + 20)
    var raised = Effect.Equalizer()
    raised.band1 = .init(center: 1_000, width: 1, level: 12)
    let flat = try shifted(.equalizer(.init()), at: 1_000)
    #expect(abs(try shifted(.equalizer(raised), at: 1_000) - flat - 12) < 0.1)
  }

  @Test func `Each send has its own level and muffling, and occlusion is on all of them`() throws {
    var renderer = try self.renderer(sends: 4)
    let source = try tone(5_000, in: renderer)
    let unit = try EffectUnit(.equalizer(.init()), in: renderer.context)
    source.effectSends = [EffectSend(to: unit)]
    let open = level(&renderer, at: 5_000)
    source.effectSends[0].gain = 0.5
    #expect(abs(level(&renderer, at: 5_000) - open + 6.02) < 0.05)
    source.effectSends[0].highFrequencyLevel = -20
    #expect(abs(level(&renderer, at: 5_000) - open + 26.02) < 0.1)
    source.occlusion = -12
    #expect(abs(level(&renderer, at: 5_000) - open + 38.02) < 0.1)
    source.obstruction = -30
    #expect(abs(level(&renderer, at: 5_000) - open + 38.02) < 0.1)
    unit.gain = 0.1
    #expect(abs(level(&renderer, at: 5_000) - open + 58.02) < 0.1)
  }

  @Test func `Several units are fed at once, up to as many as the output grants`() throws {
    var renderer = try self.renderer(sends: 4)
    let context = renderer.context
    #expect(context.output.auxiliarySendLimit == 4)
    let diagnostics = DiagnosticLog()
    context.onDiagnostic = { diagnostics.add($0) }
    let source = try tone(in: renderer)
    context.reverb = nil
    source.occlusion = -100
    let units = try (0..<6).map { _ in try EffectUnit(.equalizer(.init()), in: context) }
    source.occlusion = 0
    var levels: [Double] = []
    for count in 0...4 {
      source.effectSends = units.prefix(count).map { EffectSend(to: $0) }
      levels.append(level(&renderer))
    }
    // The direct sound and each unit's sound are equal.
    for count in 1...4 { #expect(abs(levels[count] - levels[0] - 20 * log10(Double(count + 1))) < 0.1) }
    #expect(diagnostics.codes.isEmpty)
    source.effectSends = units.map { EffectSend(to: $0) }
    #expect(source.effectSends.count == 4 && diagnostics.codes == [.sendLimitExceeded])
    #expect(diagnostics.messages.first?.hasPrefix("2 of the effect sends") == true, "\(diagnostics.messages)")
    #expect(diagnostics.messages.first?.contains("the output grants 4") == true)
    #expect(abs(level(&renderer) - levels[4]) < 0.01)
    source.effectSends = units.reversed().map { EffectSend(to: $0) }
    #expect(source.effectSends.count == 4 && diagnostics.codes == [.sendLimitExceeded])
  }

  @Test func `A send to a unit of another context or a repeated unit is dropped and logged`() throws {
    let renderer = try self.renderer(sends: 4)
    let other = try self.renderer(sends: 4)
    let diagnostics = DiagnosticLog()
    renderer.context.onDiagnostic = { diagnostics.add($0) }
    let source = try tone(in: renderer)
    let unit = try EffectUnit(.compressor, in: renderer.context)
    source.effectSends = [
      EffectSend(to: unit), EffectSend(to: unit, gain: 0.5),
      EffectSend(to: try EffectUnit(.compressor, in: other.context)),
    ]
    #expect(source.effectSends == [EffectSend(to: unit)])
    for _ in 0..<3 { source.effectSends = [EffectSend(to: unit, gain: Gain(.nan))] }
    #expect(source.effectSends == [EffectSend(to: unit)])
    #expect(diagnostics.codes == [.sendLimitExceeded, .valueNotUsable])
  }

  @Test func `A context has 64 effect units, throws an error beyond them and reuses released ones`() throws {
    let renderer = try self.renderer(sends: 2)
    var units: [EffectUnit] = []
    do throws(AudioError) {
      while units.count < 100 { units.append(try EffectUnit(.compressor, in: renderer.context)) }
      Issue.record("there were 100")
    } catch {
      #expect(error.code == .effectLimitReached && units.count == 64)
    }
    units.removeLast(2)
    units.append(try EffectUnit(.echo(.init()), in: renderer.context))
    #expect(units.count == 63)
  }

  @Test func `A context may be created on a device of which another context has dropped its units`() throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device)
    for round in 1...3 {
      var units = try (0..<round).map { _ in try EffectUnit(.compressor, in: context) }
      units.removeFirst()
      let other = try AudioContext(device: device)
      #expect(try EffectUnit(.echo(.init()), in: other).gain == 1)
      units.removeAll()
      _ = try AudioContext(device: device)
    }
  }

  @Test func `A new unit keeps no state of a released unit`() throws {
    var renderer = try self.renderer(sends: 4)
    let source = try tone(in: renderer)
    func level(_ effect: Effect, gain: Gain) throws -> Double {
      let unit = try EffectUnit(effect, gain: gain, in: renderer.context)
      source.effectSends = [EffectSend(to: unit)]
      return self.level(&renderer)
    }
    let flat = try level(.equalizer(.init()), gain: 1)
    _ = try level(.ringModulator(.init()), gain: 0)
    #expect(abs(try level(.equalizer(.init()), gain: 1) - flat) < 0.1)
  }

  @Test func `A unit without a slot for its equalizer keeps its effect and logs a diagnostic`() throws {
    let disabled = DisabledFeatures(failingCreation: 2)
    let reverb = Effect.reverb(Reverb(.plate, equalizer: .init(frequency: 1_000, bandwidth: 1, level: 6)))
    let renderer = try OfflineRenderer(format: Rooms.mono, disabling: disabled)
    guard renderer.context.capabilities.contains(.effectTarget) else { return }
    let diagnostics = DiagnosticLog()
    renderer.context.onDiagnostic = { diagnostics.add($0) }
    let unit = try EffectUnit(.compressor, in: renderer.context)
    unit.effect = reverb
    #expect(unit.effect == .compressor && diagnostics.codes == [.effectUnavailable])
    unit.effect = reverb
    #expect(unit.effect == reverb && unit.reverbResolution?.equalizer == .exact)
    let other = try OfflineRenderer(format: Rooms.mono, disabling: disabled)
    #expect(throws: AudioError.self) { _ = try EffectUnit(reverb, in: other.context) }
  }

  @Test func `Effects out of range are the nearest in it, and what is not finite is refused`() throws {
    let renderer = try self.renderer(sends: 2)
    var echo = Effect.Echo()
    (echo.delay, echo.feedback, echo.spread) = (.seconds(9), -1, 3)
    let unit = try EffectUnit(.echo(echo), gain: 2, in: renderer.context)
    (echo.delay, echo.feedback, echo.spread) = (.milliseconds(207), 0, 1)
    #expect(unit.effect == .echo(echo) && unit.gain == 1)
    let diagnostics = DiagnosticLog()
    renderer.context.onDiagnostic = { diagnostics.add($0) }
    unit.effect = .pitchShifter(.init(semitones: .nan))
    for level: Decibels in [Decibels(.infinity), .silence, Decibels(.nan)] {
      var equalizer = Effect.Equalizer()
      equalizer.band2.level = level
      unit.effect = .equalizer(equalizer)
      #expect(!Effect.equalizer(equalizer).isFinite)
      equalizer = Effect.Equalizer()
      equalizer.low.level = level
      #expect(!Effect.equalizer(equalizer).isFinite)
      unit.gain = Gain(.nan)
    }
    unit.gain = Gain(.infinity)
    #expect(unit.effect == .echo(echo) && unit.gain == 1 && diagnostics.codes == [.valueNotUsable, .valueNotUsable])
    unit.effect = .pitchShifter(.init(semitones: 30))
    #expect(unit.effect == .pitchShifter(.init(semitones: 12.5)))
    for effect in Self.effects { #expect(effect.clamped == effect && effect.isFinite) }
    do throws(AudioError) {
      _ = try EffectUnit(.chorus(.chorus), gain: Gain(.nan), in: renderer.context)
      Issue.record("it was created")
    } catch {
      #expect(error.code == .valueNotUsable)
    }
  }

  @Test func `Sends to one unit with equal levels are equal, with one hash, and a unit has its context`() throws {
    let context = try self.renderer(sends: 2).context
    let units = try (0..<2).map { _ in try EffectUnit(.compressor, in: context) }
    #expect(units.allSatisfy { $0.context === context })
    let send = EffectSend(to: units[0], gain: 0.5, highFrequencyLevel: -3)
    let same = EffectSend(to: units[0], gain: 0.5, highFrequencyLevel: -3)
    #expect(send == same && send.hashValue == same.hashValue)
    let others = [EffectSend(to: units[0], gain: 0.5), EffectSend(to: units[1], gain: 0.5, highFrequencyLevel: -3)]
    #expect(Set([send, same] + others).count == 3)
  }

  @Test func `The reverb of a unit reports the same resolution as the reverb of the context`() throws {
    let renderer = try self.renderer(sends: 3)
    let reverb = Reverb(.largeHall, level: -3, equalizer: .init(frequency: 1_000, bandwidth: 2, level: -6))
    renderer.context.reverb = reverb
    let unit = try EffectUnit(.reverb(reverb), in: renderer.context)
    #expect(unit.reverbResolution != nil && unit.reverbResolution == renderer.context.reverbResolution)
    unit.effect = .compressor
    #expect(unit.reverbResolution == nil)
  }
}
