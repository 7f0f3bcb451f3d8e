import FileDecode
import Foundation
import Spatial3D
import Testing

@Suite struct LoadingTests {
  @Test(arguments: [(AudioCodec.int16, 2), (.float32, 4)])
  func `A game loads a file into a buffer in one line, and 16 bits stay 16`(
    codec: AudioCodec,
    bytesPerSample: Int
  ) throws {
    let path = NSTemporaryDirectory() + "LoadingTests-" + UUID().uuidString + ".wav"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let format = PCMFormat.stereo(sampleRate: 44_100)
    var writer = try AudioFileWriter(creating: path, format: format, codec: codec)
    try writer.write(PCMBuffer(samples: [Float](repeating: 0.25, count: 20_000), format: format))
    try writer.close()

    let offline = try OfflineRenderer(format: format)
    let buffer = try SoundBuffer(reading: AudioFile(opening: path), in: offline.context)
    #expect(buffer.format == format)
    #expect(buffer.frameCount == 10_000)
    #expect(buffer.byteCount == 20_000 * bytesPerSample)
  }

  @Test func `A game plays a mix that the package renders, where there is an output`() throws {
    guard (try? AudioDevice.processed(on: nil, ahead: .milliseconds(30))) != nil else { return }
    let device = try AudioDevice.processed
    let context = try AudioContext(device: device)
    #expect(device.output?.name == device.name)
    #expect(device.addedLatency >= .milliseconds(19))
    // A library that reopens devices has callback buffers too.
    #expect(context.capabilities.contains(.callbackBuffers) || !context.capabilities.contains(.deviceReopening))
  }
}
