import FileDecode
import PCM
import SignalProcessing
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Convolutions with impulse responses from files.
@Suite(.hangLimit) struct ConvolutionInsertTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(5), format: .mono(sampleRate: 48_000)))

  /// Decaying noise with both channels of a hall.
  private static let hall = TestSignal.decayingNoise(
    reverberationTime: .milliseconds(300),
    duration: .milliseconds(400),
    format: stereo
  )

  private static func write(_ folder: SoundFolder, _ name: String, _ sound: PCMBuffer<Float>) throws -> String {
    let path = folder.path(name)
    var writer = try AudioFileWriter(creating: path, format: sound.format, codec: .float32)
    try writer.write(sound)
    try writer.close()
    return path
  }

  /// The mix of a second of noise with some inserts, and the reports of its world.
  private static func mix(_ inserts: [Insert], frames: Int = 48_000) throws -> (samples: [Float], reports: [Diagnostic])
  {
    var offline = try OfflineRenderer(format: stereo)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let world = AudioWorld(in: offline.context)
    world.mixer.main.inserts = inserts
    world.playOnce(noise, at: [1, 0, -1])
    let mix = offline.render(frameCount: frames).samples
    return (mix, reports.all)
  }

  private static func convolved(_ mix: [Float], by response: ImpulseResponse, mix share: Double) -> [Float] {
    var chain = ProcessorChain([ProcessorStep(.convolution(.init(response)), mix: share)], format: stereo)
    var result = mix
    var span = result.mutableSpan
    chain.process(&span, at: 0)
    return result
  }

  @Test func `A convolution has the response of its file, to the bit`() throws {
    let folder = try SoundFolder()
    let path = try Self.write(folder, "hall.wav", Self.hall)
    let dry = try Self.mix([]).samples
    let (wet, reports) = try Self.mix([.convolution(path, level: -3, mix: 0.4)])
    var preparation = ImpulseResponse.Preparation()
    preparation.gain = -3
    let channels = (0..<2).map { Self.hall.channel($0) }
    let response = ImpulseResponse(channels, preparation, sampleRate: 48_000)
    #expect(wet == Self.convolved(dry, by: response, mix: Double(Float(0.4))) && reports.isEmpty)
    #expect(wet != dry)
  }

  @Test func `White noise keeps its level, and a file of another rate has the same sound`() throws {
    let folder = try SoundFolder()
    let path = try Self.write(folder, "hall.wav", Self.hall)
    let slow = try AudioFile(opening: path, in: ClientFormat(sampleRate: 32_000, layout: .mono)).readAll()
    let other = try Self.write(folder, "slow.wav", slow)
    let dry = try Self.mix([], frames: 96_000).samples
    for path in [path, other] {
      let wet = try Self.mix([.convolution(path, mix: 1)], frames: 96_000).samples
      func level(_ samples: [Float]) throws -> Float {
        try PCMBuffer(samples: Array(samples.suffix(96_000)), format: Self.stereo).level.rawValue
      }
      // The slow file has two thirds of the frequencies, and its energy is 1.
      #expect(abs(try level(wet) - level(dry)) < 2)
    }
  }

  @Test func `A file that cannot be read is reported, and its insert leaves the sound as it is`() throws {
    let folder = try SoundFolder()
    let dry = try Self.mix([]).samples
    for path in [folder.path("none.wav"), ""] {
      let (mix, reports) = try Self.mix([.convolution(path, mix: 1)])
      #expect(mix == dry && reports.map(\.code) == [.responseUnavailable])
      #expect(reports[0].message.contains(path.isEmpty ? "insert" : "none.wav"))
    }
  }

  @Test func `An empty file is silence, and a long one ends where the insert lets it`() throws {
    let folder = try SoundFolder()
    let empty = try Self.write(folder, "empty.wav", PCMBuffer(format: Self.stereo))
    let (mix, reports) = try Self.mix([.convolution(empty, mix: 1)])
    #expect(mix.allSatisfy { $0 == 0 } && reports.isEmpty)
    let long = try Self.write(folder, "long.wav", TestSignal.noise(duration: .seconds(3), format: Self.stereo))
    var convolution = Insert.Convolution(long)
    convolution.longest = .milliseconds(100)
    let response = try ImpulseResponse(convolution, sampleRate: 48_000)
    #expect(response.frameCount == 4_800)
  }

  @Test func `A live world is silent behind the insert until the file is loaded, and then has its sound`() async throws
  {
    let folder = try SoundFolder()
    let path = try Self.write(folder, "hall.wav", Self.hall)
    let world = try AudioWorld(processing: true)
    let chunks = Collected<MixChunk>()
    let tap = world.mixer.main.tap(.afterInserts) { chunks.append($0) }
    world.mixer.main.inserts = [.convolution(path, mix: 1)]
    world.playOnce(Self.noise)
    try await eventually("the hall sounds", every: .milliseconds(20)) {
      chunks.all.contains { $0.samples.samples.contains { $0 != 0 } }
    }
    tap.cancel()
  }

  @Test func `A replay of a recording has the convolution, to the bit`() throws {
    let folder = try SoundFolder()
    let path = try Self.write(folder, "hall.wav", Self.hall)
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    world.mixer.main.inserts = [.convolution(path, mix: 0.5)]
    world.playOnce(Self.noise, at: [1, 0, -1])
    let mix = offline.render(.milliseconds(500)).samples
    recording.stop()
    var second = try OfflineRenderer(format: Self.stereo)
    let copy = AudioWorld(in: second.context)
    recording.replay(in: copy)
    #expect(second.render(.milliseconds(500)).samples == mix && mix.contains { $0 != 0 })
  }
}
