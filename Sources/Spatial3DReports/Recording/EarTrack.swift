import Glibc
import PCM

/// The power at each ear in steps of a sixtieth of a second.
struct EarTrack: Sendable {
  private let format: PCMFormat
  private let stepFrames: Int
  /// The sums of squares of each step, left and right.
  private var sums: [SIMD2<Double>] = []
  private var framesOfLast = 0

  init(format: PCMFormat) {
    self.format = format
    stepFrames = max(format.sampleRate / 60, 1)
  }

  /// Appends a piece of the mix; both ears have the one channel of a mono mix.
  mutating func append(_ mix: PCMBuffer<Float>) {
    let channels = mix.format.channelCount
    for frame in stride(from: 0, to: mix.samples.count, by: channels) {
      if sums.isEmpty || framesOfLast == stepFrames {
        sums.append(.zero)
        framesOfLast = 0
      }
      let sample = SIMD2(Double(mix.samples[frame]), Double(mix.samples[frame + channels - 1]))
      sums[sums.count - 1] += sample * sample
      framesOfLast += 1
    }
  }

  /// The levels around moments, each of the energy in about an eighth of a second, slow enough for the eye.
  func ears(at moments: [Double]) -> ListeningPage.Ears {
    let powers = moments.map(power(at:))
    return ListeningPage.Ears(left: powers.map { 10 * log10($0.x) }, right: powers.map { 10 * log10($0.y) })
  }

  private func power(at moment: Double) -> SIMD2<Double> {
    let middle = Int(moment * Double(format.sampleRate) / Double(stepFrames))
    let steps = sums.indices.clamped(to: middle - 4..<middle + 4)
    guard !steps.isEmpty else { return .zero }
    let frames = steps.count * stepFrames - (steps.contains(sums.count - 1) ? stepFrames - framesOfLast : 0)
    return sums[steps].reduce(.zero, +) / Double(max(frames, 1))
  }
}
