import Foundation
import Spatial3D
import Spatial3DTesting

/// A tone that rises by an octave in five seconds, so that its pitch reveals the position in the sound.
struct Siren {
  private static let duration = 40
  private static let lowest = 100.0
  private static let secondsPerOctave = 5.0

  let source: SoundSource

  init(in context: AudioContext) throws {
    let octaves = Double(Self.duration) / Self.secondsPerOctave
    let tone = TestSignal.sweep(
      from: Self.lowest,
      to: Self.lowest * exp2(octaves),
      duration: .seconds(Self.duration),
      format: .mono(sampleRate: 48_000)
    )
    source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
    source.position = [1, 0, -1]
  }

  /// The position in the sound at the middle of a part of the mix, in seconds; `nil` for silence.
  static func place(in heard: PCMBuffer<Float>) -> Double? {
    let middle = heard.frames(heard.frameCount / 2 - 4_096..<heard.frameCount / 2 + 4_096)
    guard !middle.isSilent(below: -60) else { return nil }
    let frequency = middle.spectrum(ofChannel: 1, windowFrames: 4_096).strongestFrequency
    return frequency.map { log2($0 / lowest) * secondsPerOctave }
  }
}
