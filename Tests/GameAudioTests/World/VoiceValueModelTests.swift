import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The values that a source gets, computed from the properties of its emitter, its buses and its sound.
@Suite struct VoiceValueModelTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  /// A kind of emitter, whose values have rules of their own.
  enum Kind: CaseIterable { case placed, curved, reaching, mono, direct, directMono }

  private static func sound(_ kind: Kind) -> Sound {
    let format = kind == .direct ? stereo : PCMFormat.mono(sampleRate: 48_000)
    var sound = Sound(TestSignal.sine(frequency: 400, duration: .milliseconds(50), format: format))
    sound.attenuation = DistanceAttenuation(referenceDistance: 2, maximumDistance: 90, rolloffFactor: 1.5)
    if kind == .curved { sound.rolloffCurve = RolloffCurve([.init(1, 3), .init(20, -18), .init(60, -40)]) }
    if kind == .reaching || kind == .mono { sound.silentBeyond = 50 }
    return sound
  }

  @Test(arguments: Kind.allCases)
  func `The values of a voice are those of the properties`(kind: Kind) throws {
    var random = SplitMix64(seed: 91)
    let offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let isDirect = kind == .direct || kind == .directMono
    let outer = world.mixer.makeBus("outer")
    let bus = world.mixer.makeBus("inner", in: outer, kind: isDirect ? .direct : .spatial)
    let sound = Self.sound(kind)
    let emitter = kind == .mono ? world.playOnce(sound, on: bus) : Emitter(playing: sound, in: world, on: bus)
    let isPlaced = [.placed, .curved, .reaching].contains(kind)
    func number(_ range: ClosedRange<Float>) -> Float { .random(in: range, using: &random) }
    func vector(_ size: Float) -> SIMD3<Float> { [number(-size...size), number(-size...size), number(-size...size)] }
    var clamped = 0
    for round in 0..<300 {
      emitter.gain = .decibels(Decibels(number(-40...24)))
      (outer.gain, bus.gain) = (.decibels(Decibels(number(-30...12))), .decibels(Decibels(number(-30...12))))
      (emitter.pitch, outer.pitch, bus.pitch) = (number(0.01...100), number(0.25...4), number(0.25...4))
      bus.filter = ToneFilter(low: Decibels(number(-40...0)), high: Decibels(number(-40...0)))
      outer.filter = ToneFilter(low: Decibels(number(-40...0)), high: 0)
      (emitter.position, emitter.velocity, emitter.direction) = (vector(60), vector(20), vector(3))
      (emitter.radius, emitter.cone) = (number(0...3), Cone(innerAngle: number(0...180), outerAngle: 200))
      (emitter.occlusion, emitter.obstruction) = (Decibels(number(-90...0)), Decibels(number(-90...0)))
      world.listener.position = vector(10)
      if round.isMultiple(of: 10) {
        (emitter.gain, outer.gain, bus.gain) = (.decibels(24), .decibels(12), .decibels(12))
        emitter.position = world.listener.position + [1, 0, 0]
      }
      let values = emitter.inspector.values
      var gain = (emitter.gain * outer.gain * bus.gain).rawValue
      if isPlaced {
        let distance = (emitter.position - world.listener.position).length
        if kind == .curved { gain *= sound.rolloffCurve?.level(at: distance).factor ?? 0 }
        if kind == .reaching { gain *= min(max((50 - distance) / 5, 0), 1) }
      } else if kind != .direct {
        gain *= PanLaw.middleGain
      }
      #expect(abs(values.gain - min(gain, 16)) <= 1e-4 * min(gain, 16) + 1e-7)
      if gain > 16 { clamped += 1 }
      let pitch = emitter.pitch * outer.pitch * bus.pitch
      #expect(abs(values.pitch - min(max(pitch, 1e-4), 255)) <= 1e-4 * pitch)
      #expect(values.position == (isPlaced ? emitter.position : .zero))
      #expect(values.velocity == (isPlaced ? emitter.velocity : .zero) && values.direction == emitter.direction)
      #expect(values.radius == (isPlaced ? emitter.radius : 0) && values.cone == emitter.cone)
      #expect(values.occlusion == emitter.occlusion && values.obstruction == emitter.obstruction)
      #expect(values.isPlaced == isPlaced && values.isDirect == isDirect && values.angles == StereoAngles())
      let low = max(bus.filter.low.rawValue + outer.filter.low.rawValue, -60)
      #expect(abs(values.filter.low.rawValue - low) < 1e-4 && values.filter.high == bus.filter.high)
      if isPlaced {
        #expect(values.law == (kind == .curved ? DistanceAttenuation(rolloffFactor: 0) : sound.attenuation))
      }
      #expect([values.sendsVersion, values.busSendsVersion] == [0, 0] && values.sendingBus == nil)
    }
    #expect(clamped >= 30)
  }

  @Test func `The sends of an emitter and of its bus have versions, which a change raises`() throws {
    let offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("music")
    let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    let emitter = Emitter(playing: Self.sound(.placed), in: world, on: bus)
    func values() -> VoiceValues { emitter.inspector.values }
    func sends() -> [Float] { emitter.inspector.sends.map(\.gain) }
    func power() -> Float { emitter.inspector.sendPower }
    #expect(values().sendsVersion == 0 && sends() == [] && power() == 0)
    emitter.send(to: unit, gain: .unity)
    let first = values().sendsVersion
    #expect(first > 0 && values().sendingBus == nil && sends() == [1] && power() == 1)
    // A send is no louder than its sound.
    emitter.send(to: unit, gain: .decibels(6))
    #expect(values().sendsVersion > first && sends() == [1])
    emitter.send(to: unit, gain: .decibels(-6))
    #expect(sends() == [Decibels(-6).factor] && abs(power() - 0.2512) < 1e-4)
    emitter.send(to: unit, gain: nil)
    #expect(sends() == [] && power() == 0)
    bus.send(to: unit, gain: .decibels(-12))
    #expect(values().busSendsVersion > 0 && values().sendingBus == 1 && sends() == [Decibels(-12).factor])
    #expect(abs(power() - Decibels(-24).factor) < 1e-4)
    bus.send(to: unit, gain: .decibels(6))
    #expect(sends() == [1])
    // A fade of the emitter's own send begins at the send of its bus.
    emitter.send(to: unit, gain: .decibels(-20), Fade(.seconds(1)))
    #expect(sends() == [1])
    bus.send(to: unit, gain: nil)
    #expect(world.inspector.state.playback.scene.mixer.buses[1].sends.isEmpty && sends() == [1])
    emitter.send(to: unit, gain: nil, Fade(.seconds(1)))
    emitter.send(to: unit, gain: nil)
    #expect(sends() == [] && world.inspector.fadeCount == 0)
    // A fade that removes a send which does not exist begins none.
    emitter.send(to: unit, gain: nil, Fade(.seconds(1)))
    bus.send(to: unit, gain: nil, Fade(.seconds(1)))
    #expect(world.inspector.fadeCount == 0 && world.inspector.busFadeCount == 0)
  }
}
