import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Lock order in the library: calls that lock a context before its device, beside calls that lock the device first.
///
/// A deadlock reaches the time limit.
@Suite(.hangLimit) struct LockOrderTests {
  /// Creates contexts on a device while another thread repeats a call.
  private func createContexts(on device: AudioDevice, during call: @escaping @Sendable () -> Void) throws {
    let (hasBegun, isOver) = (Flag(), Flag())
    let caller = Workers(count: 1) { _ in
      while !isOver.isRaised {
        call()
        hasBegun.raise()
      }
    }
    defer { isOver.raise() }
    try eventually("the calls have begun") { hasBegun.isRaised }
    for limit in 0..<12 { _ = try AudioContext(device: device, settings: OutputSettings(sourceLimit: 64 + limit % 2)) }
    isOver.raise()
    try eventually("the caller has ended") { caller.areDone }
  }

  private func loopingSource(in context: AudioContext) throws -> SoundSource {
    let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
    source.isLooping = true
    source.play()
    return source
  }

  @Test(arguments: [[], [.deviceClock], [.sourceLatency]] as [DisabledFeatures])
  func `Positions and latency may be read while contexts are created on a silent device`(disabled: DisabledFeatures)
    throws
  {
    let device = AudioDevice(handle: try DeviceHandle(silentDisabling: disabled), mixing: .byClock(ClockDrivenMixer()))
    let source = try loopingSource(in: AudioContext(device: device))
    let token = source.observe(.loop) { _ in }
    try createContexts(on: device) {
      _ = source.audibleTime
      _ = source.playbackTime
      source.pitch = source.pitch == 1 ? 1.5 : 1
    }
    token.cancel()
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"))
  func `Positions and latency may be read while contexts are created on an output, and while it is reopened`() throws {
    let device = try AudioDevice()
    let source = try loopingSource(in: AudioContext(device: device))
    try createContexts(on: device) {
      _ = source.audibleTime
      _ = source.playbackTime
    }
    let isOver = Flag()
    let reader = Workers(count: 1) { _ in while !isOver.isRaised { _ = source.audibleTime } }
    defer { isOver.raise() }
    for _ in 0..<10 { try device.move(to: nil) }
    isOver.raise()
    try eventually("the reader has ended") { reader.areDone }
  }

  @Test func `An effect unit may take another kind of effect while contexts are created`() throws {
    let device = try AudioDevice.silent
    let unit = try EffectUnit(.compressor, in: AudioContext(device: device))
    try createContexts(on: device) {
      for effect in [Effect.echo(.init()), .reverb(Reverb(.plate)), .compressor] { unit.effect = effect }
    }
  }
}
