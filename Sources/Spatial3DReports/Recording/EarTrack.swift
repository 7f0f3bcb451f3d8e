import Glibc
import PCM
internal import Spatial3DTesting

/// The power at each ear in steps of a sixtieth of a second.
struct EarTrack: Sendable {
  private let format: PCMFormat
  private let stepFrames: Int
  /// The sums of squares of each step.
  private var left: [Double] = []
  private var right: [Double] = []
  private var framesOfLast = 0

  init(format: PCMFormat) {
    self.format = format
    stepFrames = max(format.sampleRate / 60, 1)
  }

  /// Appends a piece of the mix; the left and the right ear share the channel of a mono mix.
  mutating func append(_ mix: PCMBuffer<Float>) {
    let channels = mix.format.channelCount
    var start = 0
    while start < mix.frameCount {
      if left.isEmpty || framesOfLast == stepFrames {
        left.append(0)
        right.append(0)
        framesOfLast = 0
      }
      let count = min(stepFrames - framesOfLast, mix.frameCount - start)
      let end = (start + count) * channels
      left[left.count - 1] += mix.samples.sumOfSquares(in: start * channels..<end, every: channels)
      right[right.count - 1] += mix.samples.sumOfSquares(in: (start + 1) * channels - 1..<end, every: channels)
      framesOfLast += count
      start += count
    }
  }

  /// The levels around moments, each of the energy in about an eighth of a second, slow enough for the eye.
  func ears(at moments: [Double]) -> ListeningPage.Ears {
    ListeningPage.Ears(left: moments.map { level(of: left, at: $0) }, right: moments.map { level(of: right, at: $0) })
  }

  private func level(of sums: [Double], at moment: Double) -> Double {
    let middle = Int(moment * Double(format.sampleRate) / Double(stepFrames))
    let steps = sums.indices.clamped(to: middle - 4..<middle + 4)
    guard !steps.isEmpty else { return -.infinity }
    let frames = steps.count * stepFrames - (steps.contains(sums.count - 1) ? stepFrames - framesOfLast : 0)
    return 10 * log10(sums[steps].reduce(0, +) / Double(max(frames, 1)))
  }
}
