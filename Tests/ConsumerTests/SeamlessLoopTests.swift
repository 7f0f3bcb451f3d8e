import FileDecode
import Foundation
import Spatial3D
import Testing

/// Files of every codec loop without a seam, whatever padding the codec adds around the sound.
@Suite struct SeamlessLoopTests {
  /// A file that holds a sine of whole periods.
  private struct Sine: Sendable, CustomTestStringConvertible {
    let name: String
    /// The codec of the file; `nil` for a file that Scripts/make-fixtures made.
    var codec: AudioCodec?
    var rate: Int { codec == nil ? 44_100 : 48_000 }
    var period: Int { codec == nil ? 196 : 100 }
    var frameCount: Int { codec == nil ? 32 * 196 : 100 * 100 }
    var testDescription: String { codec.map { "\(name), \($0)" } ?? "fixture \(name)" }

    /// One frame of the endless sine; the sines of the fixtures start at a peak.
    func callAsFunction(_ frame: Int) -> Float {
      let angle = 2 * Double.pi * Double(frame % period) / Double(period)
      return codec == nil ? 0.45 * Float(cos(angle)) : 0.5 * Float(sin(angle))
    }

    /// The path of the file; writes it to the folder first if it is no fixture.
    func path(in folder: String) throws -> String {
      guard let codec else { return Bundle.module.bundleURL.appendingPathComponent("Fixtures/\(name)").path }
      let format = PCMFormat.mono(sampleRate: rate)
      let samples = (0..<frameCount).map { self($0) }
      var writer = try AudioFileWriter(creating: folder + "/" + name, format: format, codec: codec)
      try writer.write(PCMBuffer(samples: samples, format: format))
      try writer.close()
      return folder + "/" + name
    }
  }

  private static let sines =
    ([
      ("a.wav", .int16), ("a.wav", .float32), ("a.aiff", .int16), ("a.caf", .int24), ("a.caf", .alac),
      ("a.flac", .int16), ("a.ogg", .vorbis), ("a.opus", .opus), ("a.mp3", .mp3),
    ] as [(String, AudioCodec)]).map { Sine(name: $0.0, codec: $0.1) }
    + ["alaw.wav", "mulaw.wav", "ima.wav", "ms.wav", "ima4.aifc", "ima4.caf", "alac.m4a"].map { Sine(name: $0) }
    + aac

  #if LibAVCodec
    private static let aac = ["aac.m4a", "aac.caf"].map { Sine(name: $0) }
  #else
    private static let aac: [Sine] = []
  #endif

  @Test(arguments: sines, [false, true])
  private func `A loop over whole periods of a sine plays ten iterations without a seam`(
    _ sine: Sine,
    isStreamed: Bool
  ) throws {
    let folder = NSTemporaryDirectory() + "SeamlessLoopTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = try sine.path(in: folder)
    let length = sine.frameCount

    var renderer = try OfflineRenderer(format: .stereo(sampleRate: sine.rate))
    let source: SoundSource
    if isStreamed {
      source = try SoundSource(streaming: AudioFile(opening: path), in: renderer.context)
    } else {
      let buffer = try SoundBuffer(reading: AudioFile(opening: path), in: renderer.context)
      #expect(buffer.frameCount == length)
      source = try SoundSource(playing: buffer, in: renderer.context)
    }
    source.isLooping = true
    source.isListenerRelative = true
    source.position = [0, 0, -1]
    source.play()
    let mix = renderer.render(frameCount: 10 * length).channel(0)

    // The middle of the first iteration gives the gain that the renderer applies.
    let middle = 8 * sine.period..<24 * sine.period
    var (product, power) = (Float(0), Float(0))
    for frame in middle {
      product += mix[frame] * sine(frame)
      power += sine(frame) * sine(frame)
    }
    let gain = product / power
    func deviation(_ range: Range<Int>) -> Float {
      range.map { abs(mix[$0] / gain - sine($0)) }.max() ?? 1
    }
    let elsewhere = deviation(500..<length - 500)
    #expect(elsewhere < 0.2)
    let seams = (1..<10).map { iteration in deviation(iteration * length - 64..<iteration * length + 64) }
    // The mix rounds to about 1e-6.
    #expect(seams.max() ?? 1 <= elsewhere + 1e-6)
  }

  @Test func `A buffer adopts the loop range of its file`() throws {
    func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    // A WAV file of 1,000 frames with a loop of frames 100 to 899.
    let format: [UInt8] = [1, 0, 1, 0] + little(44_100) + little(88_200) + [2, 0, 16, 0]
    let data = (0..<1_000).flatMap { [UInt8($0 & 0xFF), 0] as [UInt8] }
    let loop = little(0) + little(0) + little(100) + little(899) + little(0) + little(0)
    let smpl = [UInt8](repeating: 0, count: 28) + little(1) + little(0) + loop
    let body =
      Array("WAVEfmt ".utf8) + little(16) + format + Array("data".utf8) + little(2_000) + data + Array("smpl".utf8)
      + little(UInt32(smpl.count)) + smpl
    let file = Array("RIFF".utf8) + little(UInt32(body.count)) + body

    let renderer = try OfflineRenderer(format: .stereo(sampleRate: 44_100))
    #expect(try SoundBuffer(reading: AudioFile(bytes: file), in: renderer.context).loopRange == 100..<900)
    let chosen = try SoundBuffer(reading: AudioFile(bytes: file), loopRange: 5..<10, in: renderer.context)
    #expect(chosen.loopRange == 5..<10)
    #expect(try SoundBuffer(AudioFile(bytes: file).readAll(), in: renderer.context).loopRange == 0..<1_000)
  }
}
