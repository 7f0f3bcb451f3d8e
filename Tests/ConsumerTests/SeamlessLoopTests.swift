import FileDecode
import Foundation
import Spatial3D
import Testing

/// That a file loops without a seam, whatever its codec puts around the sound.
@Suite struct SeamlessLoopTests {
  private static let rate = 48_000
  /// 200 periods of 480 Hz: 100 frames each.
  private static let frameCount = 20_000

  private func sine(_ frame: Int) -> Float {
    0.5 * Float(sin(2 * .pi * Double(frame % 100) / 100))
  }

  private static let kinds: [(String, AudioEncoding)] = [
    ("a.wav", .int16), ("a.wav", .float32), ("a.aiff", .int16), ("a.caf", .int24), ("a.caf", .alac), ("a.flac", .int16),
    ("a.ogg", .vorbis), ("a.opus", .opus), ("a.mp3", .mp3),
  ]

  @Test(arguments: kinds)
  func `A sine of whole periods is one sine for ten laps`(name: String, encoding: AudioEncoding) throws {
    let folder = NSTemporaryDirectory() + "SeamlessLoopTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let format = PCMFormat.mono(sampleRate: Self.rate)
    let original = try PCMBuffer(samples: (0..<Self.frameCount).map(sine), format: format)
    var writer = try AudioFileWriter(creating: folder + "/" + name, format: format, encoding: encoding)
    try writer.write(original)
    try writer.close()

    var renderer = try OfflineRenderer(format: .stereo(sampleRate: Self.rate))
    let buffer = try SoundBuffer(reading: AudioFile(opening: folder + "/" + name), in: renderer.context)
    #expect(buffer.frameCount == Self.frameCount)
    let source = try SoundSource(playing: buffer, in: renderer.context)
    source.isLooping = true
    source.isListenerRelative = true
    source.position = [0, 0, -1]
    source.play()
    let mix = renderer.render(frameCount: 10 * Self.frameCount).channel(0)

    // What the renderer makes of the gain is told from the middle of the first lap.
    let middle = 8_000..<12_000
    let gain =
      zip(mix[middle], middle.map(sine)).reduce(0) { $0 + $1.0 * $1.1 } / middle.reduce(0) { $0 + sine($1) * sine($1) }
    func deviation(_ range: Range<Int>) -> Float {
      range.map { abs(mix[$0] / gain - sine($0)) }.max() ?? 1
    }
    let elsewhere = deviation(500..<Self.frameCount - 500)
    for lap in 1..<10 {
      let seam = lap * Self.frameCount
      // The rounding of the mix is a millionth.
      #expect(deviation(seam - 64..<seam + 64) <= elsewhere + 1e-6, "lap \(lap)")
    }
  }

  @Test func `A file's own loop becomes that of a buffer`() throws {
    func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    // A WAV file of 1,000 frames, of which 100 to 899 loop.
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
