import FileDecode
import Foundation
import Spatial3D
import Testing

/// A file that becomes shorter while a stream reads it.
@Suite struct ShrinkingFileTests {
  @Test(arguments: ["a.wav", "a.caf", "a.flac", "a.ogg"])
  func `A stream whose file shrinks stops with its reader as the cause, and a diagnostic names the file`(
    name: String
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent(name).path
    let format = PCMFormat.mono(sampleRate: 48_000)
    var writer = try AudioFileWriter(creating: path, format: format)
    var generator = SystemRandomNumberGenerator()
    let noise = (0..<480_000).map { _ in Float.random(in: -0.5...0.5, using: &generator) }
    try writer.write(PCMBuffer(samples: noise, format: format))
    try writer.close()

    var offline = try OfflineRenderer(format: format)
    let (diagnostics, continuation) = AsyncStream.makeStream(of: Diagnostic.self)
    offline.context.onDiagnostic = { continuation.yield($0) }
    let source = try SoundSource(streaming: AudioFile(opening: path), in: offline.context)
    let (notifications, noted) = AsyncStream.makeStream(of: SourceNotification.self)
    let token = source.observe(.state) { noted.yield($0) }
    source.play()
    offline.render(.seconds(1))
    let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64)
    try FileHandle(forUpdating: URL(fileURLWithPath: path)).truncate(atOffset: size / 3)
    offline.render(.seconds(5))

    #expect(source.state == .stopped)
    continuation.finish()
    noted.finish()
    let last = await notifications.reduce(into: [SourceNotification]()) { $0.append($1) }.last
    #expect(last?.state == .stopped)
    #expect(last?.cause == .reader)
    let reports = await diagnostics.reduce(into: [Diagnostic]()) { $0.append($1) }
    #expect(reports.map(\.code) == [.streamFailed])
    #expect(reports.first?.message.contains("\(path) became shorter while it was read.") == true)
    withExtendedLifetime(token) {}
  }
}
