import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Deferred updates on one thread while contexts with other settings restart the device on another.
///
/// If updates stay deferred from a restart to the next mix, the library's effects write to freed memory: a crash ends
/// the process.
@Suite(.hangLimit) struct RestartTests {
  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `Updates may be deferred while contexts restart an output`() throws {
    try restart(try AudioDevice())
  }

  @Test func `Updates may be deferred while contexts restart a silent device`() throws {
    try restart(try AudioDevice.silent)
  }

  private func restart(_ device: AudioDevice) throws {
    let context = try AudioContext(device: device)
    let unit = try EffectUnit(.echo(.init()), in: context)
    let sources = try (0..<32).map { _ in
      let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
      (source.isLooping, source.reverbBlend, source.effectSends) = (true, 1, [EffectSend(to: unit)])
      source.play()
      return source
    }
    let isOver = Flag()
    defer { isOver.raise() }
    let updates = Workers(count: 1) { _ in
      var count: Float = 0
      while !isOver.isRaised {
        count += 1
        context.withDeferredUpdates {
          for source in sources { source.position = [count, 0, -1] }
          context.listener.position = [0, count, 0]
        }
        if Int(count) % 8 == 0 { unit.effect = Int(count) % 16 == 0 ? .compressor : .reverb(Reverb(.plate)) }
      }
    }
    for number in 0..<24 {
      let rate = number.isMultiple(of: 2) ? 22_050 : 48_000
      let other = try AudioContext(device: device, settings: OutputSettings(sampleRate: rate))
      let clock = other.clock
      try eventually("the restarted device mixes") { other.clock != clock }
    }
    isOver.raise()
    try eventually("the updates have ended") { updates.areDone }
  }

  @Test func `Updates are deferred except from a restart to the end of the next mix`() throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device)
    #expect(context.libraryDefersUpdates)
    context.suspend()
    let other = try AudioContext(device: device, settings: OutputSettings(sampleRate: 22_050))
    #expect(!context.libraryDefersUpdates && !other.libraryDefersUpdates)
    let clock = context.clock
    context.resume()
    try eventually("the resumed device mixes") { context.clock != clock }
    #expect(context.libraryDefersUpdates && other.libraryDefersUpdates)
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `A context without settings leaves a suspended output as it is`() throws {
    let device = try AudioDevice()
    let settings = OutputSettings(sampleRate: 22_050, sourceLimit: 40)
    let context = try AudioContext(device: device, settings: settings)
    context.suspend()
    let other = try AudioContext(device: device)
    context.resume()
    #expect(context.output.sampleRate == 22_050 && other.output.sampleRate == 22_050)
  }

  @Test func `A deferred update reaches the library before the first mix behind a restart, and after it`() throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device)
    let source = try SoundSource(in: context)
    context.suspend()
    let other = try AudioContext(device: device, settings: OutputSettings(sampleRate: 22_050))
    func move(to position: SIMD3<Float>) -> SIMD3<Float> {
      context.withDeferredUpdates { (source.position, source.gain) = (position, 0.5) }
      return source.libraryValues.position
    }
    #expect(move(to: [1, 2, 3]) == [1, 2, 3])
    let clock = context.clock
    context.resume()
    try eventually("the resumed device mixes") { context.clock != clock }
    #expect(move(to: [4, 5, 6]) == [4, 5, 6])
    withExtendedLifetime(other) {}
  }
}
