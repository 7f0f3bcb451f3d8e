import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Mixes that begin or end inside the crossfade of a reverb, which crashes OpenAL Soft 1.19.
@Suite(.hangLimit) struct ReverbCrossfadeTests {
  private func wetNoise(in context: AudioContext) throws -> SoundSource {
    let noise = TestSignal.noise(duration: .milliseconds(200), format: Rooms.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
    source.isLooping = true
    source.reverbBlend = 1
    source.play()
    return source
  }

  @Test func `A mix of any length up to the crossfade's may follow a change of room`() throws {
    for frames in 1...130 {
      var renderer = try OfflineRenderer(format: Rooms.mono)
      let source = try wetNoise(in: renderer.context)
      renderer.context.reverb = Reverb(.mediumHall)
      renderer.render(frameCount: 1_024)
      renderer.context.reverb = Reverb(.plate)
      let mix = [renderer.render(frameCount: frames), renderer.render(frameCount: 2_048)]
      #expect(mix.map(\.frameCount) == [frames, 2_048])
      #expect(mix.allSatisfy { $0.samples.allSatisfy(\.isFinite) }, "\(frames) frames after the change")
      #expect(mix[1].samples.suffix(512).contains { abs($0) > 1e-4 }, "the room is silent")
      #expect(source.state == .playing)
    }
  }

  @Test(arguments: UInt64(0)..<6)
  func `Rooms, effect units and the speed of sound may change between mixes of random lengths`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    let source = try wetNoise(in: context)
    let unit = try EffectUnit(.reverb(Reverb(.smallRoom)), in: context)
    source.effectSends = [EffectSend(to: unit)]
    for _ in 0..<400 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: context.reverb = RoomPreset.allCases.randomElement(using: &random).map { Reverb($0) }
      case 1: context.reverb = nil
      case 2: unit.effect = .reverb(Reverb(efx: EFXPreset.allCases.randomElement(using: &random) ?? .generic))
      case 3: unit.effect = .echo(.init())
      case 4: context.speedOfSound = Float.random(in: 100...1_000, using: &random)
      default: unit.gain = Gain(.random(in: 0...1, using: &random))
      }
      let mix = renderer.render(frameCount: Int.random(in: 1..<200, using: &random))
      #expect(mix.samples.allSatisfy { $0.isFinite })
    }
  }

  @Test(arguments: [false, true])
  func `A source starts at its frame after a change of room`(lacksDelay: Bool) throws {
    for frame in [1, 2, 3, 5, 49, 50, 51, 126, 127, 129, 500] {
      var renderer = try OfflineRenderer(format: Rooms.mono, disabling: lacksDelay ? [.startDelay] : [])
      let context = renderer.context
      let wet = try wetNoise(in: context)
      context.reverb = Reverb(.mediumHall)
      renderer.render(frameCount: 4_800)
      context.reverb = Reverb(.plate)
      let started = try SoundSource(playing: Scenes.silence(frames: 48_000, in: context), in: context)
      started.play(at: Rooms.mono.duration(ofFrames: 4_800 + frame))
      let mix = renderer.render(frameCount: 4_800)
      #expect(mix.samples.allSatisfy { $0.isFinite })
      #expect(started.playbackFrame == 4_800 - frame)
      #expect(wet.state == .playing)
    }
  }

  @Test func `A silent device cuts its mixes for scheduled starts while rooms change`() async throws {
    let context = try AudioContext(device: .silent)
    let wet = try wetNoise(in: context)
    for start in 0..<24 {
      context.reverb = Reverb(start.isMultiple(of: 2) ? .mediumHall : .plate)
      let source = try SoundSource(playing: Scenes.silence(frames: 10, in: context), in: context)
      // The next blocks of 20 ms apply the change.
      source.play(at: context.clock + .microseconds(20_000 + start * 731))
      await source.waitUntilStopped()
    }
    #expect(wet.state == .playing)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A placeholder mixes rooms in blocks of any length`() async throws {
    // A block has 110 frames, which is no multiple of 4.
    let device = AudioDevice(handle: try DeviceHandle(opening: nil))
    let context = try AudioContext(device: device, settings: OutputSettings(sampleRate: 11_025))
    let wet = try wetNoise(in: context)
    context.lose()
    try await eventually("the placeholder is in place") { device.inspector.isOnPlaceholder }
    for change in 0..<20 {
      context.reverb = Reverb(change.isMultiple(of: 2) ? .mediumHall : .plate)
      let clock = context.clock
      try await eventually("the room has changed") { context.clock >= clock + .milliseconds(30) }
    }
    #expect(wet.state == .playing)
  }
}
