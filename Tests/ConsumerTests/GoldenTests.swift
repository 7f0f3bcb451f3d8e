import FileDecode
import Foundation
import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct GoldenTests {
  @Test func `A golden mix opens as a sound file and holds the mix to the bit`() throws {
    let path = NSTemporaryDirectory() + "GoldenTests-" + UUID().uuidString + ".wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let mix = TestSignal.noise(duration: .milliseconds(100), format: offline.format)
    try GoldenMix(at: path).record(mix, renderedBy: RendererFingerprint(of: offline))

    let file = try AudioFile(opening: path).readAll()
    let difference = try file.difference(from: mix)
    #expect(difference.firstFrame == nil, "\(difference)")
    #expect(file.frameCount == mix.frameCount)
  }
}
