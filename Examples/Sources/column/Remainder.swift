import Foundation
import Spatial3D
import Spatial3DTesting

/// The direct sound and the room's response behind obstacles, in decibels relative to nothing in between.
struct Remainder {
  /// The centres of the bands, in hertz: thirds of an octave.
  static let frequencies = (-10...12).map { 1_000 * pow(2, Double($0) / 3) }

  /// The spectra for each of ``Between/all``: of the direct sound, then of the room alone.
  let direct: [Spectrum]
  let room: [Spectrum]

  /// Measures with white noise, which contains all frequencies.
  init() throws {
    let noise = TestSignal.noise(duration: .seconds(2), format: .mono(sampleRate: 48_000), amplitude: 0.5)
    direct = try Between.all.map { try Self.spectrum(of: noise, behind: $0, inRoomAlone: false) }
    room = try Between.all.map { try Self.spectrum(of: noise, behind: $0, inRoomAlone: true) }
  }

  private static func spectrum(
    of noise: PCMBuffer<Float>,
    behind between: Between,
    inRoomAlone: Bool
  ) throws -> Spectrum {
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    if inRoomAlone { renderer.context.reverb = Stand.room }
    let source = try SoundSource(playing: SoundBuffer(noise, in: renderer.context), in: renderer.context)
    source.position = Stand.place
    source.reverbBlend = 1  // Of no effect without a room.
    (source.obstruction, source.occlusion) = (between.obstruction, between.occlusion)
    source.isLooping = true
    source.play()
    renderer.render(.milliseconds(500))
    return renderer.render(.milliseconds(1_500)).spectrum(ofChannel: 0)
  }

  /// The change by one of ``Between/all`` in a third of an octave around a frequency, in decibels.
  func change(of spectra: [Spectrum], at frequency: Double, behind index: Int) -> Double {
    let band = frequency * pow(2, -1.0 / 6)...frequency * pow(2, 1.0 / 6)
    return Double((spectra[index].level(in: band) - spectra[0].level(in: band)).rawValue)
  }
}
