import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The loudness of a sound over its time, against the samples themselves.
@Suite struct EnvelopeTests {
  /// A sound of up to 1.2 s with loud and silent parts, and its format.
  private static func sound(using random: inout SplitMix64) throws -> PCMBuffer<Float> {
    let channels = Int.random(in: 1...2, using: &random)
    let rate = [200, 1_000, 1_025].randomElement(using: &random) ?? 200
    let format = channels == 1 ? PCMFormat.mono(sampleRate: rate) : .stereo(sampleRate: rate)
    var samples: [Float] = []
    while samples.count < Int.random(in: 0...1_200, using: &random) * channels {
      let level: Float = Bool.random(using: &random) ? 0 : .random(in: 0...1, using: &random)
      for _ in 0..<Int.random(in: 1...40, using: &random) * channels {
        samples.append(.random(in: -1...1, using: &random) * level)
      }
    }
    return try PCMBuffer(samples: samples, format: format)
  }

  /// The root mean square of some frames of a sound, all channels together.
  private static func level(_ sound: PCMBuffer<Float>, _ frames: Range<Int>) -> Float {
    let part = sound.frames(frames.clamped(to: 0..<sound.frameCount)).samples
    guard !part.isEmpty else { return 0 }
    return (part.reduce(0) { $0 + $1 * $1 } / Float(part.count)).squareRoot()
  }

  @Test func `Each window has the level of its frames, the last one too`() throws {
    var random = SplitMix64(seed: 301)
    for _ in 0..<300 {
      let sound = try Self.sound(using: &random)
      let envelope = Envelope(sound)
      let window = sound.format.sampleRate / 50
      #expect(envelope.windowFrames == window)
      #expect(envelope.levels.count == (sound.frameCount + window - 1) / window)
      for (index, level) in envelope.levels.enumerated() {
        let expected = Self.level(sound, window * index..<window * (index + 1))
        #expect(abs(level - expected) < 1e-5)
        #expect(envelope.level(at: Double(window * index)) == level)
        #expect(envelope.level(at: Double(window * (index + 1)) - 0.01) == level)
      }
      #expect(envelope.peak == envelope.levels.max() ?? 0)
      guard !envelope.levels.isEmpty else { continue }
      #expect(envelope.level(at: -5) == envelope.levels[0])
      #expect(envelope.level(at: Double(window * envelope.levels.count)) == 0 && envelope.level(at: 1e9) == 0)
    }
  }

  @Test func `The highest level is that of the present window and of the twelve behind it`() throws {
    var random = SplitMix64(seed: 302)
    for _ in 0..<300 {
      let envelope = Envelope(try Self.sound(using: &random))
      guard !envelope.levels.isEmpty else { continue }
      for _ in 0..<20 {
        let index = Int.random(in: 0..<envelope.levels.count + 4, using: &random)
        let place = Double(index * envelope.windowFrames) + .random(in: 0..<0.99, using: &random)
        #expect(envelope.highestLevel(from: place) == envelope.levels.dropFirst(index).prefix(13).max() ?? 0)
      }
    }
  }

  @Test func `The highest level of a course is never below that of the frames that it plays`() throws {
    var random = SplitMix64(seed: 303)
    for _ in 0..<400 {
      let sound = try Self.sound(using: &random)
      guard sound.frameCount > 0 else { continue }
      let envelope = Envelope(sound)
      let first = Int.random(in: 0..<sound.frameCount, using: &random)
      let loop = first..<Int.random(in: (first + 1)...sound.frameCount, using: &random)
      let repeats = Repeats(integerLiteral: .random(in: -1...3, using: &random))
      let course = LogicalClock.Course(frameCount: sound.frameCount, loopRange: loop, repeats: repeats)
      let reach = 13 * envelope.windowFrames
      for _ in 0..<10 {
        let position = Double.random(in: 0..<(course.length ?? 4_000), using: &random)
        let highest = envelope.highestLevel(at: position, of: course)
        let place = course.place(of: position)
        // With a lap in its reach, the course also has the beginning of the loop.
        let ahead = envelope.highestLevel(from: place)
        let again = max(ahead, envelope.highestLevel(from: Double(loop.lowerBound)))
        let hasLap = course.laps(at: position + Double(reach)) > course.laps(at: position)
        // A loop of a frame begins again at the same position.
        if hasLap, loop.count > 1 { #expect(highest == again) }
        if !hasLap { #expect(highest == ahead) }
      }
    }
  }

  @Test func `A sound whose samples are not known is as loud as a full-scale sine throughout`() {
    let envelope = Envelope(unknownAt: 44_100)
    #expect(envelope.windowFrames == 882 && abs(envelope.peak - 0.70711) < 1e-4)
    #expect(envelope.level(at: 1e9) == envelope.peak && envelope.highestLevel(from: 1e9) == envelope.peak)
    #expect(envelope.highestLevel(at: 1e9, of: .init(frameCount: 5)) == envelope.peak)
    #expect(Envelope(unknownAt: 0).windowFrames == 1)
  }

  @Test func `Samples that are no numbers count as silence, and huge ones as 24 dB`() throws {
    let format = PCMFormat.mono(sampleRate: 50)
    let envelope = Envelope(try PCMBuffer(samples: [.nan, .infinity, 0.5, 1e20], format: format))
    #expect(envelope.levels == [0, 0, 0.5, 16] && envelope.peak == 16)
  }

  @Test func `An unknown sound has windows of 20 ms, one frame at least`() {
    for (rate, frames) in [(48_000, 960), (44_100, 882), (50, 1), (49, 1), (0, 1)] {
      let envelope = Envelope(unknownAt: rate)
      #expect(envelope.windowFrames == frames && envelope.levels.isEmpty && envelope.peak == Float(0.5).squareRoot())
      #expect(envelope.level(at: 1e9) == envelope.peak && envelope.highestLevel(from: 1e9) == envelope.peak)
    }
  }
}
