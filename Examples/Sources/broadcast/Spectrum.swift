import GameAudio
import Synchronization

/// The share of low frequencies in the sound of a tap, as a light show would use it.
final class Spectrum: Sendable {
  private struct State: Sendable {
    var (frames, lost) = (0, 0)
    /// The memory of a low pass at 500 Hz.
    var low: Float = 0
    var (power, lowPower) = (Double(0), Double(0))
  }

  private let state = Mutex(State())

  /// The number of frames that were received.
  var frameCount: Int { state.withLock { $0.frames } }

  /// The number of frames that the tap lost.
  var lostFrames: Int { state.withLock { $0.lost } }

  /// The share of the power below about 500 Hz, in percent.
  var lowShare: Int { state.withLock { $0.power > 0 ? Int((100 * $0.lowPower / $0.power).rounded()) : 0 } }

  /// Takes the next chunk; a thread of the tap calls it.
  func append(_ chunk: MixChunk) {
    let (samples, channels) = (chunk.samples.samples, chunk.samples.format.channelCount)
    let factor = 2 * Float.pi * 500 / Float(chunk.samples.format.sampleRate)
    state.withLock { state in
      state.frames += chunk.samples.frameCount
      state.lost += chunk.lostFrames
      for index in stride(from: 0, to: samples.count, by: channels) {
        let value = samples[index]
        state.low += factor * (value - state.low)
        state.power += Double(value * value)
        state.lowPower += Double(state.low * state.low)
      }
    }
  }
}
