import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The return of an emitter that was virtual, compared with one that never was.
@Suite struct VoiceReturnTests {
  /// A mix of 4 s in which an emitter is virtual from 1 s to 3 s, or not at all.
  private func mix(
    of sound: Sound,
    pitch: Float,
    repeats: Repeats,
    isVirtualBetween: Bool
  ) throws -> (mix: PCMBuffer<Float>, events: [EmitterEvent]) {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voices: 1)
    let emitter = Emitter(playing: sound, in: world)
    (emitter.position, emitter.pitch, emitter.repeats) = ([0, 0, -1], pitch, repeats)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    var samples = offline.render(.seconds(1)).samples
    if isVirtualBetween { world.listener.position = [0, 0, 1e6] }
    samples += offline.render(.seconds(2)).samples
    world.listener.position = .zero
    samples += offline.render(.seconds(1)).samples
    withExtendedLifetime(token) {}
    return (try PCMBuffer(samples: samples, format: offline.format), events.all)
  }

  @Test(arguments: [1, 1.37, 0.61, 2.5] as [Float], [48_000, 44_100, 22_050])
  func `A loop returns after two seconds where it would have been`(pitch: Float, rate: Int) throws {
    let tone = TestSignal.sine(
      frequency: 441,
      duration: .seconds(1),
      format: .mono(sampleRate: rate)
    )
    let real = try mix(of: Sound(tone), pitch: pitch, repeats: .forever, isVirtualBetween: false)
    let virtual = try mix(of: Sound(tone), pitch: pitch, repeats: .forever, isVirtualBetween: true)
    #expect(virtual.mix.frames(60_000..<140_000).isSilent())
    #expect(virtual.events.filter { $0 == .becameVirtual }.count == 1)
    let error = zip(real.mix.samples, virtual.mix.samples).dropFirst(150_000).map { abs($0 - $1) }.max() ?? 1
    #expect(error <= 0.035)
    #expect(!virtual.mix.frames(150_000..<192_000).isSilent())
  }
}
