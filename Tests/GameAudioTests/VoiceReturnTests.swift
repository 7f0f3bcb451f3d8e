import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The return of an emitter that was virtual, compared with an emitter that never was.
@Suite struct VoiceReturnTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// A mix of 4 s in which an emitter is virtual from 1 s to 3 s, or not at all.
  private func mix(
    isVirtualBetween: Bool,
    of emitter: (AudioWorld) -> Emitter,
    each frame: (Emitter, Int) -> Void = { _, _ in }
  ) throws -> (mix: PCMBuffer<Float>, events: [EmitterEvent]) {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let emitter = emitter(world)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    var samples: [Float] = []
    // 0 to 3 are seconds, of 60 frames of the game each.
    for index in 0..<240 {
      frame(emitter, index)
      emitter.gain = isVirtualBetween && (60..<180).contains(index) ? .silence : .unity
      samples += offline.render(frameCount: 800).samples
    }
    withExtendedLifetime(token) {}
    return (try PCMBuffer(samples: samples, format: offline.format), events.all)
  }

  /// The largest difference after the return, between an emitter that was virtual and an emitter that was not.
  private func error(
    of emitter: (AudioWorld) -> Emitter,
    each frame: (Emitter, Int) -> Void = { _, _ in }
  ) throws -> Float {
    let real = try mix(isVirtualBetween: false, of: emitter, each: frame)
    let virtual = try mix(isVirtualBetween: true, of: emitter, each: frame)
    #expect(virtual.mix.frames(60_000..<140_000).isSilent())
    #expect(virtual.events.filter { $0 == .becameVirtual }.count == 1)
    #expect(!virtual.mix.frames(150_000..<192_000).isSilent())
    return zip(real.mix.samples, virtual.mix.samples).dropFirst(150_000).map { abs($0 - $1) }.max() ?? 1
  }

  private func tone(_ duration: Duration, rate: Int) -> Sound {
    Sound(TestSignal.sine(frequency: 441, duration: duration, format: .mono(sampleRate: rate)))
  }

  @Test(arguments: [1, 1.37, 0.61, 2.5] as [Float], [48_000, 44_100, 22_050, 32_000])
  func `A loop returns after two seconds where it would have been`(pitch: Float, rate: Int) throws {
    let error = try error { world in
      let emitter = Emitter(playing: tone(.seconds(1), rate: rate), in: world)
      (emitter.position, emitter.pitch, emitter.repeats) = ([0, 0, -1], pitch, .forever)
      return emitter
    }
    #expect(error <= 0.035)
  }

  @Test(arguments: [1, 1.37, 0.61, 2.5] as [Float], [48_000, 44_100])
  func `A one-shot returns after two seconds where it would have been`(pitch: Float, rate: Int) throws {
    let error = try error { world in
      let emitter = Emitter(playing: tone(.seconds(11), rate: rate), in: world)
      (emitter.position, emitter.pitch) = ([0, 0, -1], pitch)
      return emitter
    }
    #expect(error <= 0.035)
  }

  @Test func `A loop with an introduction returns where it would have been`() throws {
    let error = try error { world in
      var sound = tone(.seconds(1), rate: 44_100)
      sound.loopRange = 10_000..<31_000
      let emitter = Emitter(playing: sound, in: world)
      (emitter.position, emitter.repeats) = ([0, 0, -1], .forever)
      return emitter
    }
    #expect(error <= 0.035)
  }

  @Test func `An emitter whose pitch changes while it is virtual returns where it would have been`() throws {
    let error = try error { world in
      let emitter = Emitter(playing: tone(.seconds(1), rate: 48_000), in: world)
      (emitter.position, emitter.repeats) = ([0, 0, -1], .forever)
      return emitter
    } each: { emitter, frame in
      if frame.isMultiple(of: 7) { emitter.pitch = 1 + Float(frame) / 500 }
    }
    #expect(error <= 0.035)
  }

  @Test func `An emitter that approaches returns with its shifted frequency in phase`() throws {
    let error = try error { world in
      var sound = tone(.seconds(1), rate: 48_000)
      sound.attenuation.rolloffFactor = 0
      let emitter = Emitter(playing: sound, in: world)
      (emitter.velocity, emitter.repeats) = ([0, 0, 30], .forever)
      return emitter
    } each: { emitter, frame in
      emitter.position = [0, 0, -200 + Float(frame) * 0.5]
    }
    #expect(error <= 0.035)
  }
}
