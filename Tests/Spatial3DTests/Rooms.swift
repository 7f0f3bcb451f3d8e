import Spatial3DTesting
import TestSupport

@testable import Spatial3D

/// Rooms for tests of their response.
enum Rooms {
  static let rate = 48_000
  static let mono = PCMFormat.mono(sampleRate: rate)

  /// The response of a room to an impulse, without the direct sound.
  static func response(
    of reverb: Reverb,
    seconds: Double,
    disabling disabled: DisabledFeatures = []
  ) throws -> [Float] {
    var renderer = try OfflineRenderer(format: mono, disabling: disabled)
    renderer.context.reverb = reverb
    return try response(in: &renderer, seconds: seconds)
  }

  /// The response of a scene to an impulse that goes only into its room.
  static func response(in renderer: inout OfflineRenderer, seconds: Double) throws -> [Float] {
    let impulse = TestSignal.impulse(duration: .milliseconds(10), format: mono)
    let source = try SoundSource(playing: SoundBuffer(impulse, in: renderer.context), in: renderer.context)
    source.reverbBlend = 1
    // A changed reverb settles first.
    _ = renderer.render(.milliseconds(250))
    source.play()
    return renderer.render(frameCount: Int(seconds * Double(rate))).channel(0)
  }
}
