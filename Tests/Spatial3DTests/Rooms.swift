import Spatial3DTesting
import TestSupport

@testable import Spatial3D

/// Rooms that tests listen to.
enum Rooms {
  static let rate = 48_000
  static let mono = PCMFormat.mono(sampleRate: rate)

  /// What a room answers to an impulse, with nothing dry.
  static func response(
    of reverb: Reverb,
    seconds: Double,
    forcing missing: MissingParts = MissingParts()
  ) throws -> [Float] {
    var renderer = try OfflineRenderer(format: mono, forcing: missing)
    renderer.context.reverb = reverb
    return try response(in: &renderer, seconds: seconds)
  }

  /// What a scene answers to an impulse that goes into its room alone.
  static func response(in renderer: inout OfflineRenderer, seconds: Double) throws -> [Float] {
    let impulse = TestSignal.impulse(duration: .milliseconds(10), format: mono)
    let source = try SoundSource(playing: SoundBuffer(impulse, in: renderer.context), in: renderer.context)
    source.reverbSendLevel = 1
    // A reverb that was changed settles first.
    _ = renderer.render(.milliseconds(250))
    source.play()
    return renderer.render(frameCount: Int(seconds * Double(rate))).channel(0)
  }
}
