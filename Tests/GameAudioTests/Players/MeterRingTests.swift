import PCM
import TestSupport
import Testing

@testable import GameAudio

/// The levels of the windows of a player's meter, against sums over all samples.
@Suite struct MeterRingTests {
  private static let rate = 8_000
  private static let windowFrames = 160

  @Test(arguments: [ChannelLayout.mono, .stereo, .bFormat2D, .quad, .surround51, .surround61, .surround71])
  func `Each channel has the mean power and the peak of its samples, in blocks of any size`(
    layout: ChannelLayout
  ) throws {
    let format = PCMFormat(sampleRate: Self.rate, layout: layout)
    let channels = format.channelCount
    var random = SplitMix64(seed: UInt64(channels))
    let samples = (0..<10 * Self.windowFrames * channels).map { _ in Float.random(in: -1...1, using: &random) }
    var ring = MeterRing(format)
    var position = 0
    while position < 10 * Self.windowFrames {
      let count = min(Int.random(in: 1...300, using: &random), 10 * Self.windowFrames - position)
      let block = samples[position * channels..<(position + count) * channels]
      ring.add(try PCMBuffer(samples: Array(block), format: format), at: position)
      position += count
    }
    for window in 0..<10 {
      let frames = window * Self.windowFrames..<(window + 1) * Self.windowFrames
      let readings = ring.readings(at: frames.lowerBound + 7, gain: 1)
      for channel in 0..<channels {
        let own = frames.map { samples[$0 * channels + channel] }
        let power = own.reduce(Float(0)) { $0 + $1 * $1 } / Float(own.count)
        let peak = own.reduce(Float(0)) { max($0, abs($1)) }
        let expected = MeterReading(average: power.squareRoot(), peak: peak)
        #expect(abs(readings[channel].average.rawValue - expected.average.rawValue) < 0.001)
        #expect(readings[channel].peak == expected.peak)
      }
    }
  }

  @Test func `A window that is read again replaces what it had`() throws {
    let format = PCMFormat.mono(sampleRate: Self.rate)
    var ring = MeterRing(format)
    ring.add(try PCMBuffer(samples: Array(repeating: 0.5, count: Self.windowFrames), format: format), at: 0)
    ring.add(try PCMBuffer(samples: Array(repeating: 0.25, count: Self.windowFrames), format: format), at: 0)
    #expect(ring.readings(at: 0, gain: 1) == [MeterReading(average: 0.25, peak: 0.25)])
  }

  @Test func `A position behind the last window has its level, and one that was read too long ago has none`() throws {
    let format = PCMFormat.mono(sampleRate: Self.rate)
    var ring = MeterRing(format)
    #expect(ring.level(at: 0) == 0)
    for window in 0..<200 {
      let level = window == 199 ? Float(0.25) : 0.5
      let samples = [Float](repeating: level, count: Self.windowFrames)
      ring.add(try PCMBuffer(samples: samples, format: format), at: window * Self.windowFrames)
    }
    #expect(ring.level(at: 0) == 0)
    #expect(ring.level(at: 198 * Self.windowFrames) == 0.5)
    #expect(ring.level(at: 199 * Self.windowFrames) == 0.25)
    #expect(ring.level(at: 5_000 * Self.windowFrames) == 0.25)
    #expect(ring.readings(at: 5_000 * Self.windowFrames, gain: 1) == [.silence])
  }

  @Test func `The last 128 windows are known, and none before them`() throws {
    let format = PCMFormat.mono(sampleRate: Self.rate)
    var ring = MeterRing(format)
    func level(of window: Int) -> Float { Float(window + 1) / 1_000 }
    for window in 0..<300 {
      let samples = [Float](repeating: level(of: window), count: Self.windowFrames)
      ring.add(try PCMBuffer(samples: samples, format: format), at: window * Self.windowFrames)
      for age in [0, 1, 60, 127] where age <= window {
        let position = (window - age) * Self.windowFrames + 3
        #expect(abs(ring.level(at: position) - level(of: window - age)) < 1e-6, "\(window), \(age)")
      }
      if window >= 128 {
        let position = (window - 128) * Self.windowFrames
        #expect(ring.level(at: position) == 0 && ring.readings(at: position, gain: 1) == [.silence], "\(window)")
      }
    }
    // A position before the beginning has the level of the beginning; a part of a window counts its own frames.
    var short = MeterRing(format)
    short.add(try PCMBuffer(samples: [0.5, 0.5, 0.5], format: format), at: 0)
    #expect(short.level(at: -9) == 0.5 && short.readings(at: -9, gain: 2) == [MeterReading(average: 1, peak: 1)])
    short.add(try PCMBuffer(samples: [0], format: format), at: 3)
    #expect(abs(short.level(at: 0) - Float(0.75).squareRoot() / 2) < 1e-6)
    #expect(MeterRing(.stereo(sampleRate: 0)).readings(at: 0, gain: 1) == [.silence, .silence])
  }
}
