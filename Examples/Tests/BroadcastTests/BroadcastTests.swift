import FileDecode
import Foundation
import GameAudio
import Stage
import Testing

@testable import broadcast

@Suite struct BroadcastTests {
  @Test func `The programme has the loudness of EBU R 128, and its file has the mix`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "broadcast-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let output = OutputFile(folder.appending(path: "broadcast.wav").path)
    try output.prepare()
    let recording = try Recording(to: output)
    #expect(recording.lines.count == Programme.steps)
    let file = try AudioFile(opening: output.path).readAll()
    // The file has 16 bits.
    #expect(file.frameCount == recording.mix.frameCount && file.frameCount == 30 * 48_000)
    let largest = zip(file.samples, recording.mix.samples).map { abs($0 - $1) }.max()
    #expect(try #require(largest) <= 1 / 32_768)
    #expect(recording.mix.samples.allSatisfy { abs($0) <= powf(10, -0.05) + 1e-6 })
    // Each part ends within 1 LU of the target, though the parts come in 20 dB apart.
    for part in [3, 7, 14] { #expect(recording.lines[part].contains("-22.") || recording.lines[part].contains("-23.")) }
    #expect(recording.report.contains("lost 0 frames"))
  }

  @Test func `The parts of the programme come in far apart, and none clips`() throws {
    let parts = [try Voices.speaker(), try Voices.caller(), try Voices.concert()].map { part in
      let peak = part.samples.map(abs).max() ?? 0
      #expect(peak > 0.02 && peak < 1)
      return peak
    }
    #expect(parts[2] / parts[1] > 5)
  }
}
