import Foundation
import Spatial3D

/// A beast: its name, its position and its growl.
struct Beast: Sendable {
  let name: String
  let place: SIMD3<Float>

  /// The samples of its growl.
  let growl: PCMBuffer<Float>

  /// Three beasts, with growls from files as far as there are any.
  static func all(growling files: [PCMBuffer<Float>] = []) -> [Beast] {
    let voices =
      files
      + [growl(at: 62, seconds: 1.2), growl(at: 118, seconds: 0.8), growl(at: 41, seconds: 1.6)].dropFirst(files.count)
    let places: [(String, SIMD3<Float>)] = [
      ("The bear on the left", [-3, 0, -1]),
      ("The wolf on the right", [3, 0, -1]),
      ("The troll behind you", [0, 0, 2]),
    ]
    return zip(places, voices).map { Beast(name: $0.0, place: $0.1, growl: $1) }
  }

  /// A growl: a rough tone that swells and decays, at a pitch in hertz.
  private static func growl(at voice: Double, seconds: Double) -> PCMBuffer<Float> {
    let rate = 48_000
    let count = Int(seconds * Double(rate))
    var pcm = PCMBuffer<Float>(format: .mono(sampleRate: rate))
    pcm.append(frames: count) { output in
      for frame in 0..<count {
        let time = Double(frame) / Double(rate)
        let shape = sin(.pi * time / seconds)
        let rattle = 0.6 + 0.4 * sin(2 * .pi * 23 * time)
        let tone = (1...9).reduce(0.0) { $0 + sin(2 * .pi * voice * Double($1) * time) / Double($1) }
        output.append(Float(0.4 * shape * rattle * tone))
      }
    }
    return pcm
  }
}

extension [Beast] {
  /// The beasts in turns, one after the other.
  func cycle(_ count: Int) -> [Beast] { (0..<count).map { self[$0 % self.count] } }
}
