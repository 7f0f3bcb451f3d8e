import Foundation
import Spatial3D

/// Who growls, where, and how.
struct Beast: Sendable {
  let name: String
  let place: SIMD3<Float>

  /// The pitch of the voice, in hertz.
  let voice: Double

  /// How long a growl is.
  let seconds: Double

  static let all = [
    Beast(name: "The bear on the left", place: [-3, 0, -1], voice: 62, seconds: 1.2),
    Beast(name: "The wolf on the right", place: [3, 0, -1], voice: 118, seconds: 0.8),
    Beast(name: "The troll behind you", place: [0, 0, 2], voice: 41, seconds: 1.6),
  ]

  /// A growl: a rough tone that swells and dies.
  var growl: PCMBuffer<Float> {
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
  /// Those whose turn it is, one after the other.
  func cycle(_ count: Int) -> [Beast] { (0..<count).map { self[$0 % self.count] } }
}
