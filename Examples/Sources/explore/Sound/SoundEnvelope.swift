import Foundation
import Spatial3D

/// The level of a sound along its length, in windows of a thirtieth of a second.
struct SoundEnvelope: Hashable, Sendable {
  private let levels: [Double]
  private let windowFrames: Int
  private let sampleRate: Int

  /// The envelope of a sound with one channel.
  init(of sound: PCMBuffer<Float>) {
    sampleRate = sound.format.sampleRate
    windowFrames = max(sound.format.sampleRate / World.updateRate, 1)
    levels = stride(from: 0, to: sound.samples.count, by: windowFrames).map { [windowFrames] start in
      let window = sound.samples[start..<min(start + windowFrames, sound.samples.count)]
      return 10 * log10(window.reduce(0) { $0 + Double($1) * Double($1) } / Double(window.count))
    }
  }

  /// The level around a time in the sound.
  func level(at time: Duration) -> Double { level(atFrame: Int(time / .seconds(1) * Double(sampleRate))) }

  /// The level around a frame, in decibels relative to full scale; minus infinity outside of the sound.
  func level(atFrame frame: Int) -> Double {
    guard frame >= 0, levels.indices.contains(frame / windowFrames) else { return -.infinity }
    return levels[frame / windowFrames]
  }
}
