import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct ClickTests {
  private static let bands: [Double] = [100, 440, 1_000, 4_000, 12_000, 20_000]

  @Test(arguments: bands)
  func `Tones of a band have no clicks`(highest: Double) throws {
    var generator = SplitMix64(seed: UInt64(highest))
    for round in 0..<60 {
      var tones = Signals.randomTones(round % 8, upTo: highest, using: &generator)
      tones.append(.init(frequency: highest, amplitude: 0.1, phase: .random(in: 0...6.283, using: &generator)))
      let clicks = try Signals.mono(Signals.tones(tones, frameCount: 1_500)).clicks(highestFrequency: highest)
      #expect(clicks.isEmpty, "\(tones)")
    }
  }

  @Test(arguments: [100, 440, 1_000] as [Double])
  func `A jump of the amplitude is found at its frame`(highest: Double) throws {
    var generator = SplitMix64(seed: UInt64(highest) + 7)
    for _ in 0..<100 {
      var tones = Signals.randomTones(2, upTo: highest, using: &generator)
      tones.append(.init(frequency: highest, amplitude: 0.2, phase: .random(in: 0...6.283, using: &generator)))
      var samples = Signals.tones(tones, frameCount: 3_000)
      let frame = Int.random(in: 1_000..<2_000, using: &generator)
      let peak = samples.reduce(0) { max($0, abs($1)) }
      for index in frame..<samples.count { samples[index] += peak }
      let clicks = try Signals.mono(samples).clicks(highestFrequency: highest)
      #expect(clicks.map(\.frame) == [frame], "\(clicks), not \(frame)")
    }
  }

  @Test func `A tone that is cut off clicks, and one that fades does not`() throws {
    let (tone, silence) = (
      TestSignal.sine(frequency: 440, duration: .milliseconds(103), format: Signals.mono, amplitude: 0.3),
      [Float](repeating: 0, count: 2_000)
    )
    let cut = try Signals.mono(tone.samples + silence).clicks(highestFrequency: 440)
    #expect(cut.map(\.frame) == [tone.frameCount])
    #expect(cut.first.map { abs($0.step.factor - abs(tone.samples[tone.frameCount - 1])) < 1e-5 } == true)
    let faded = TestSignal.sine(
      frequency: 440,
      duration: .milliseconds(103),
      format: Signals.mono,
      amplitude: 0.3,
      fade: .milliseconds(10)
    )
    #expect(try Signals.mono(silence + faded.samples + silence).clicks(highestFrequency: 440).isEmpty)
  }

  @Test func `Each click is reported once with its channel, frame and level`() throws {
    let tone = Signals.tones([.init(frequency: 500, amplitude: 0.1)], frameCount: 10_000)
    var clicked = tone
    for frame in [3_000, 7_000] { clicked[frame] = 0.9 }
    let clicks = try Signals.stereo(tone, clicked).clicks(highestFrequency: 500)
    #expect(clicks.map(\.channel) == [1, 1])
    // The step up and the step down count as one click; at the zero crossing both are equally large.
    #expect(zip(clicks.map(\.frame), [3_000, 7_000]).allSatisfy { abs($0 - $1) <= 1 })
    let description = try #require(clicks.first?.description)
    #expect(description.hasPrefix("a step of -1.9 dB at frame "))
    #expect(description.contains("of channel 1, where "))
  }

  @Test func `A click below the audible level is not reported`() throws {
    let silence = [Float](repeating: 0, count: 1_000)
    #expect(try Signals.mono(silence + [9e-5] + silence).clicks(highestFrequency: 1_000).isEmpty)
    #expect(try Signals.mono(silence + [2e-4] + silence).clicks(highestFrequency: 1_000).count == 1)
  }

  @Test(arguments: [0, -1, 24_000, 50_000, .nan, .infinity] as [Double])
  func `A limit outside the band of the mix reports no clicks`(highest: Double) {
    let noise = TestSignal.noise(duration: .milliseconds(50), format: Signals.mono)
    #expect(noise.clicks(highestFrequency: highest).isEmpty)
    #expect(PCMBuffer<Float>(format: Signals.mono).clicks(highestFrequency: 100).isEmpty)
  }

  @Test(arguments: [.nan, .infinity, -.infinity] as [Float])
  func `A non-finite sample is one click with the limit of its surroundings`(sample: Float) throws {
    let tone = Signals.tones([.init(frequency: 100, amplitude: 0.5)], frameCount: 4_000)
    for broken in [[2_000], [2_000, 2_001], [2_000, 2_100]] {
      var samples = tone
      for frame in broken { samples[frame] = sample }
      let clicks = try Signals.mono(samples).clicks(highestFrequency: 100)
      #expect(clicks.map(\.frame) == [2_000], "\(clicks)")
      let click = try #require(clicks.first)
      #expect(click.step.rawValue == .infinity)
      // 3 tan(π / 480) times 0.5.
      #expect(abs(click.limit.rawValue + 40.16) < 0.01, "\(click)")
      #expect("\(click)" == "a step of inf dB at frame 2000 of channel 0, where -40.2 dB is the most")
    }
    // A non-finite sample does not hide another click.
    var samples = tone
    (samples[1_000], samples[3_000]) = (sample, 0.9)
    let frames = try Signals.mono(samples).clicks(highestFrequency: 100).map(\.frame)
    #expect(frames.first == 1_000 && frames.count == 2 && abs(frames[1] - 3_000) <= 1, "\(frames)")
    let nothing = try Signals.mono([Float](repeating: sample, count: 10)).clicks(highestFrequency: 100)
    #expect(nothing.map(\.limit.rawValue) == [-80])
  }

  @Test(arguments: [true, false])
  func `Each iteration of a loop has a click if the loop has a seam`(isSeamless: Bool) throws {
    var offline = try OfflineRenderer(format: Signals.stereo)
    // The tone has 480 periods of 100 frames, or a quarter of a period less.
    let frameCount = isSeamless ? 4_800 : 4_775
    let loop = try Signals.mono(Signals.tones([.init(frequency: 480, amplitude: 0.5)], frameCount: frameCount))
    let source = try SoundSource(playing: SoundBuffer(loop, in: offline.context), in: offline.context)
    source.isLooping = true
    source.play()
    let clicks = offline.render(frameCount: 20_000).clicks(highestFrequency: 480)
    #expect(clicks.map(\.frame) == (isSeamless ? [] : (1...4).flatMap { [$0 * frameCount, $0 * frameCount] }))
  }
}
