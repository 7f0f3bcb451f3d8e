import GameAudio
import Spatial3D
import Spatial3DTesting
import Testing

/// Calls whose arguments have no effect, and the sentences about them.
@Suite struct MessageTests {
  private let reports = Collected<Diagnostic>()
  private let context: AudioContext
  private let world: AudioWorld
  private static let samples = TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))

  init() throws {
    context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    world = AudioWorld(in: context, voiceLimit: 2)
    let reports = reports
    context.onDiagnostic = { reports.append($0) }
  }

  private var sentences: [String] { reports.all.map(\.message) }

  @Test func `A bus that exists reports another kind and another parent once`() {
    let (music, sfx) = (world.mixer.makeBus("music"), world.mixer.makeBus("sfx"))
    let steps = world.mixer.makeBus("steps", in: sfx)
    for _ in 0..<2 {
      #expect(world.mixer.makeBus("music", kind: .direct) == music && music.kind == .spatial)
      #expect(world.mixer.makeBus("steps", in: music) == steps && steps.parent == sfx)
    }
    #expect(reports.all.map(\.code) == [.busExists, .busExists])
    #expect(
      sentences.first?.hasPrefix("The bus music exists, and is of the kind spatial: the kind direct has no") == true
    )
    #expect(sentences.last?.hasPrefix("The bus steps exists, and is in sfx: the parent music has no effect.") == true)
    #expect("\(steps)" == "steps")
  }

  @Test func `A bus that is asked for as it is, or by its name, is not reported`() {
    let ui = world.mixer.makeBus("ui", kind: .direct)
    let steps = world.mixer.makeBus("steps", in: ui)
    _ = (world.mixer.makeBus("ui"), world.mixer.makeBus("ui", kind: .direct), world.mixer.makeBus("steps", in: ui))
    _ = (world.mixer.makeBus("steps"), world.mixer.makeBus("main"), steps)
    #expect(sentences.isEmpty)
  }

  @Test func `A loop range that ends outside of its sound is reported once`() {
    var sound = Sound(Self.samples)
    sound.loopRange = 12_000..<9_264_600
    for _ in 0..<2 { world.playOnce(sound) }
    #expect(reports.all.map(\.code) == [.loopRangeIgnored])
    let beginning =
      "The loop range 12000..<9264600 is not inside of A sound in memory, which has 48000 frames: 12000..<48000"
    #expect(sentences.first?.hasPrefix(beginning) == true)
    sound.loopRange = 12_000..<48_000
    world.playOnce(sound)
    #expect(sentences.count == 1)
  }

  /// A reader whose own loop range ends outside of its frames.
  private struct LoopingReader: PCMReader, Sendable {
    private var reader = SampleReader(MessageTests.samples)
    var format: PCMFormat { reader.format }
    var frameCount: Int? { reader.frameCount }
    var loopRange: Range<Int>? { 12_000..<90_000 }

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      reader.read(into: &buffer, maxFrames: maxFrames)
    }

    mutating func seek(toFrame frame: Int) { reader.seek(toFrame: frame) }
  }

  @Test func `A loop range of a reader that ends outside of its frames is reported once`() {
    let sound = Sound(streaming: "theme") { LoopingReader() }
    for _ in 0..<2 { _ = Emitter(playing: sound, in: world) }
    #expect(reports.all.map(\.code) == [.loopRangeIgnored])
    let beginning =
      "The loop range 12000..<90000 is not inside of theme, which has 48000 frames: 12000..<48000 repeats."
    #expect(sentences.first?.hasPrefix(beginning) == true)
  }

  @Test func `An emitter that the next choice gives a voice has no decibels to gain`() {
    let emitters = (0..<2).map { index in
      let emitter = Emitter(playing: Sound(Self.samples), in: world)
      emitter.repeats = .forever
      emitter.gain = .decibels(Decibels(-Float(index)))
      emitter.play()
      return emitter
    }
    let third = Emitter(playing: Sound(Self.samples), in: world)
    third.gain = .decibels(-12)
    third.play()
    let sentence = world.explain(third).description
    #expect(sentence.hasPrefix("Silent: needs ") && sentence.contains(" dB more for a voice, "))
    emitters[0].stop(.none)
    #expect(third.isVirtual)
    #expect(world.explain(third).description.hasPrefix("Silent: gets a voice at the next choice, "))
    #expect(
      world.snapshot().emitters.contains { "\($0.silence.map { "\($0)" } ?? "")" == "gets a voice at the next choice" }
    )
    third.gain = .silence
    let silent = world.explain(third).description
    #expect(silent.hasPrefix("Silent: one of its factors is silence, rank "))
  }
}
