import Foundation
import Spatial3DTesting
import Testing

@testable import GameAudio

/// Sounds in memory that have another rate than the mix: which are converted, and how.
@Suite struct RateMatchTests {
  private static func sine(_ frequency: Double, frames: Int, rate: Int) -> [Float] {
    (0..<frames).map { 0.5 * Float(sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  private static func sound(_ samples: [Float], rate: Int = 44_100) throws -> PCMBuffer<Float> {
    try PCMBuffer(samples: samples, format: .mono(sampleRate: rate))
  }

  private static func load(
    _ pcm: PCMBuffer<Float>,
    _ loopRange: Range<Int>? = nil,
    converts: Bool = true
  ) throws -> LoadedSound {
    let context = try OfflineRenderer(format: .stereo(sampleRate: 48_000)).context
    let content = Sound(pcm).variations[0]
    let key = LoadKey(content: content.identity, isPlaced: true, loopRange: loopRange)
    return try LoadedSound(content, key, convertsRate: converts, in: context)
  }

  @Test func `A sound of another rate has the rate of the mix, and the same duration`() throws {
    for (rate, frames, expected) in [(44_100, 44_100, 48_000), (22_050, 11_025, 24_000), (96_000, 9_601, 4_801)] {
      let pcm = try Self.sound(Self.sine(300, frames: frames, rate: rate), rate: rate)
      let loaded = try Self.load(pcm)
      #expect(loaded.sampleRate == 48_000 && loaded.frameCount == expected && loaded.loopRange == 0..<expected)
      #expect(loaded.stored.frameCount == frames && loaded.stored.loopRange == 0..<frames)
      #expect(loaded.origin?.mixRate == 48_000)
      #expect(loaded.byteCount == expected * 4)
      let old = try Self.load(pcm, converts: false)
      #expect(old.sampleRate == rate && old.frameCount == frames && old.origin == nil)
    }
  }

  @Test func `A sound at the rate of the mix keeps its samples`() throws {
    let pcm = try Self.sound(Self.sine(300, frames: 1_001, rate: 48_000), rate: 48_000)
    #expect(RateMatch(of: pcm, loopRange: nil, to: 48_000) == .none)
    #expect(RateMatch(of: pcm, loopRange: 7..<500, to: 48_000) == .none)
    #expect(try Self.load(pcm).frameCount == 1_001)
  }

  @Test(arguments: [11_025..<44_100, 0..<44_100, 1..<22_052, 10_000..<31_000, 43..<20_000])
  func `A loop begins and lasts as named, each within half a frame of the mix`(range: Range<Int>) throws {
    let loaded = try Self.load(try Self.sound(Self.sine(300, frames: 44_100, rate: 44_100)), range)
    let ratio = 48_000 / 44_100.0
    #expect(loaded.sampleRate == 48_000)
    #expect(abs(Double(loaded.loopRange.lowerBound) - Double(range.lowerBound) * ratio) <= 0.5)
    #expect(abs(Double(loaded.loopRange.count) - Double(range.count) * ratio) <= 0.5)
    #expect(loaded.stored.loopRange == range && loaded.outerLoopRange == nil)
  }

  @Test func `A short loop whose length would change keeps its rate, and one that fits whole frames does not`() throws {
    let pcm = try Self.sound(Self.sine(300, frames: 44_100, rate: 44_100))
    for (range, isConverted) in [
      (0..<147, true), (0..<148, false), (100..<541, true), (0..<1_001, false), (5..<9_300, true),
    ] {
      #expect((RateMatch(of: pcm, loopRange: range, to: 48_000) == .around(range)) == isConverted, "\(range)")
      let error = RateMatch.roundingError(range.count, from: 44_100, to: 48_000)
      #expect((error <= 5e-5) == isConverted, "\(range)")
      let loaded = try Self.load(pcm, range)
      #expect(loaded.loopRange == range || isConverted)
    }
    // A sound without a loop may change ten times as much.
    for (frames, isConverted) in [(100, false), (147, true), (900, true), (2_001, true)] {
      let match = RateMatch(of: try Self.sound(Array(pcm.samples[..<frames])), loopRange: nil, to: 48_000)
      #expect((match != .none) == isConverted, "\(frames)")
    }
  }

  @Test func `The end of a sound is converted with its beginning where one continues into the other`() throws {
    // Whole periods continue. A sound that begins at once after silence does not.
    let whole = try Self.sound(Self.sine(441, frames: 4_400, rate: 44_100))
    let attack = try Self.sound([Float](repeating: 0.8, count: 2_000) + [Float](repeating: 0, count: 2_410))
    let silence = try Self.sound([Float](repeating: 0, count: 4_410))
    #expect(RateMatch(of: whole, loopRange: nil, to: 48_000) == .around(0..<4_400))
    #expect(RateMatch(of: attack, loopRange: nil, to: 48_000) == .once)
    #expect(RateMatch(of: silence, loopRange: nil, to: 48_000) == .once)
    #expect(RateMatch(of: try Self.sound([0.5]), loopRange: nil, to: 88_200) == .around(0..<1))
    // A silent channel does not decide, and a channel with an attack does.
    let sides = [
      ("silence", [Float](repeating: 0, count: 4_400), true), ("attack", Array(attack.samples[..<4_400]), false),
    ]
    for (name, right, continues) in sides {
      let samples = zip(whole.samples, right).flatMap { [$0, $1] }
      let stereo = try PCMBuffer<Float>(samples: samples, format: .stereo(sampleRate: 44_100))
      #expect(RateMatch.continuesIntoItself(stereo) == continues, "\(name)")
    }
  }

  @Test func `A sound that cannot be converted stays as it is`() throws {
    for rate in [0, -1, 999, 384_001] {
      let pcm = try PCMBuffer<Float>(samples: [0, 0, 0], format: .mono(sampleRate: rate))
      #expect(RateMatch(of: pcm, loopRange: nil, to: 48_000) == .none)
    }
    let empty = PCMBuffer<Float>(format: .mono(sampleRate: 44_100))
    #expect(RateMatch(of: empty, loopRange: nil, to: 48_000) == .none)
  }

  @Test func `A sample that is not finite is reported at each rate of the mix`() throws {
    for value in [Float.nan, .infinity, 2e6] {
      var samples = [Float](repeating: 0, count: 4_410)
      samples[1_000] = value
      let error = #expect(throws: AudioError.self) { try Self.load(try Self.sound(samples)) }
      #expect(error?.code == .invalidSamples)
    }
  }

  @Test func `A sound that would take more than a buffer holds keeps its rate`() {
    var sound = PCMBuffer<Float>(format: .mono(sampleRate: 1_000))
    sound.append(frames: 1_500_000) { span in for _ in 0..<1_500_000 { span.append(0) } }
    #expect(RateMatch(of: sound, loopRange: nil, to: 48_000) == .once)
    #expect(RateMatch(of: sound, loopRange: nil, to: 384_000) == .none)
  }

  @Test(arguments: [nil, 0..<22_050, 4_410..<26_460, 4_463..<26_513, 100..<22_150] as [Range<Int>?])
  func `An emitter that repeats a converted sound plays the tone without a step`(range: Range<Int>?) throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    var sound = Sound(try Self.sound(Self.sine(440, frames: 44_100, rate: 44_100)))
    sound.loopRange = range
    let emitter = Emitter(playing: sound, in: world)
    emitter.repeats = .forever
    emitter.play()
    let mix = offline.render(frameCount: 192_000).samples
    #expect(Self.error(mix, range) < 1e-4)
    // The playback time is a time of the file, after four laps.
    let place = emitter.playbackTime / .seconds(1)
    let lap = Double((range ?? 0..<44_100).count) / 44_100
    let begin = Double(range?.lowerBound ?? 0) / 44_100
    let expected = begin + (4 - begin).truncatingRemainder(dividingBy: lap)
    let distance = abs(place - expected)
    #expect(min(distance, lap - distance) < 0.001)
  }

  /// The largest difference from the tone, which is at its time where the loop begins.
  private static func error(_ mix: [Float], _ range: Range<Int>?) -> Float {
    let begin = Double(range?.lowerBound ?? 0) / 44_100
    let shift = begin - (begin * 48_000).rounded() / 48_000
    return mix.indices.dropFirst(1_024).map { frame in
      abs(mix[frame] - 0.5 * Float(sin(2 * .pi * 440 * (Double(frame) / 48_000 + shift))))
    }.max() ?? 1
  }

  @Test(arguments: [4_410..<26_460, 4_463..<26_513, 100..<22_150])
  func `An emitter that passes its loop range once plays the tone without a step`(range: Range<Int>) throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    var sound = Sound(try Self.sound(Self.sine(440, frames: 44_100, rate: 44_100)))
    sound.loopRange = range
    let emitter = Emitter(playing: sound, in: world)
    emitter.play()
    // The last frames of the sound are next to the silence behind its end.
    let mix = offline.render(frameCount: 47_800).samples
    #expect(Self.error(mix, range) < 1e-4)
  }

  @Test func `Samples whose conversion no source plays keep their rate`() throws {
    let steps = (0..<4_410).map { $0 / 441 % 2 == 0 ? Float(1e6) : -1e6 }
    let loaded = try Self.load(try Self.sound(steps))
    #expect(loaded.sampleRate == 44_100 && loaded.frameCount == 4_410)
  }

  @Test func `Samples of another length, rate or number of channels have another source`() throws {
    let pcm = try Self.sound(Self.sine(300, frames: 4_410, rate: 44_100))
    let sound = try Self.load(pcm)
    #expect(sound.hasSameSource(as: try Self.load(pcm, converts: false)))
    let others = [
      try Self.sound(Array(pcm.samples.dropLast())), try Self.sound(pcm.samples, rate: 48_000),
      try PCMBuffer<Float>(samples: pcm.samples.flatMap { [$0, $0] }, format: .stereo(sampleRate: 44_100)),
      try Self.sound([]),
    ]
    for other in others { #expect(!sound.hasSameSource(as: try Self.load(other))) }
    #expect(!sound.hasSameSource(as: try Self.load(pcm, 10..<4_000)))
  }

  @Test func `A loop range outside of the sound is reported in frames of the file`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: offline.context)
    var sound = Sound(try Self.sound(Self.sine(440, frames: 44_100, rate: 44_100)))
    sound.loopRange = 22_050..<50_000
    let emitter = Emitter(playing: sound, in: world)
    emitter.play()
    offline.render(frameCount: 512)
    #expect(reports.all.map(\.code) == [.loopRangeIgnored])
    #expect(reports.all.first?.message.contains("44100") == true)
  }
}
