import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The loudness of a sound over its time.
@Suite struct EnvelopeTests {
  @Test func `Each level is the mean power of a window of 20 ms, over all channels`() throws {
    var random = SplitMix64(seed: 33)
    for _ in 0..<300 {
      let rate = Int.random(in: 40...2_000, using: &random)
      let channels = Int.random(in: 1...3, using: &random)
      let format: PCMFormat =
        channels == 1
        ? .mono(sampleRate: rate)
        : channels == 2 ? .stereo(sampleRate: rate) : PCMFormat(sampleRate: rate, layout: .surround51)
      let count = Int.random(in: 0...400, using: &random)
      let samples = (0..<count * format.channelCount).map { _ in Float.random(in: -1...1, using: &random) }
      let envelope = Envelope(try PCMBuffer(samples: samples, format: format))
      let window = rate / 50 == 0 ? 1 : rate / 50
      #expect(envelope.windowFrames == window)
      let levels = stride(from: 0, to: count, by: window).map { start in
        let part = samples[(start * format.channelCount)..<(min(start + window, count) * format.channelCount)]
        return (part.map { $0 * $0 }.reduce(0, +) / Float(part.count)).squareRoot()
      }
      #expect(envelope.levels.count == levels.count)
      #expect(zip(envelope.levels, levels).allSatisfy { abs($0 - $1) < 1e-4 })
      #expect(envelope.peak == envelope.levels.max() ?? 0)
      for frame in [0, window - 1, window, count / 2, count - 1, count, count + window] where !levels.isEmpty {
        let index = max(frame, 0) / window
        #expect(envelope.level(at: Double(frame)) == (index < levels.count ? envelope.levels[index] : 0), "\(frame)")
        let ahead = envelope.levels.dropFirst(index).prefix(13).max() ?? 0
        #expect(envelope.highestLevel(from: Double(frame)) == ahead, "\(frame)")
      }
    }
  }

  @Test func `A channel that is loud alone counts`() throws {
    let samples = (0..<2_000).map { Float($0 % 2) }
    let envelope = Envelope(try PCMBuffer(samples: samples, format: .stereo(sampleRate: 1_000)))
    #expect(envelope.levels.allSatisfy { abs($0 - Float(0.5).squareRoot()) < 1e-5 } && envelope.levels.count == 50)
  }

  @Test func `The look-ahead contains the beginning of the loop while a repetition is left`() throws {
    // A second at 1,000 Hz: loud from 0.2 s to 0.3 s, where the loop begins.
    let samples = (0..<1_000).map { Float((200..<300).contains($0) ? 1 : 0) }
    let envelope = Envelope(try PCMBuffer(samples: samples, format: .mono(sampleRate: 1_000)))
    let course = LogicalClock.Course(frameCount: 1_000, loopRange: 200..<900, repeats: .times(1))
    func level(at position: Double) -> Float { envelope.highestLevel(at: position, of: course) }
    #expect(level(at: 0) == 1 && level(at: 299) == 1 && level(at: 310) == 0 && level(at: 630) == 0)
    // 900 is followed by 200 in the first lap, and by 900 in the second.
    #expect(level(at: 660) == 1 && level(at: 899) == 1)
    #expect(level(at: 1_010) == 0 && level(at: 1_360) == 0 && level(at: 1_599) == 0 && level(at: 1_690) == 0)
  }
}
