import ArgumentParser
import FileDecode
import Foundation
import Testing

@testable import audioconvert
@testable import audioinfo

@Suite struct ToolTests {
  /// A folder for one test, with a tone of a second in it.
  private func withTone(_ body: (_ folder: String, _ tone: String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "ToolTests-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let samples = (0..<48_000).map { 0.4 * Float(sin(2 * .pi * 440 * Double($0) / 48_000)) }
    var writer = try AudioFileWriter(creating: folder + "/tone.wav", format: .mono(sampleRate: 48_000))
    try writer.write(PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
    try writer.close()
    try body(folder, folder + "/tone.wav")
  }

  private func convert(_ arguments: [String]) throws {
    let command = try #require(try AudioConvert.parseAsRoot(arguments) as? AudioConvert)
    try command.run()
  }

  @Test func `A tone becomes every kind of file, as long as it was`() throws {
    try withTone { folder, tone in
      for (name, codec) in [
        ("a.wav", AudioCodec.int16), ("a.aiff", .int16), ("a.caf", .int16), ("a.flac", .flac), ("a.ogg", .vorbis),
        ("a.opus", .opus), ("a.mp3", .mp3),
      ] {
        try convert([tone, folder + "/" + name])
        let file = try AudioFile(opening: folder + "/" + name)
        #expect(file.codec == codec)
        #expect(try file.readAll().frameCount == 48_000)
      }
      try convert([tone, folder + "/lossless.caf", "--codec", "alac"])
      #expect(try AudioFile(opening: folder + "/lossless.caf").codec == .alac)
      try convert([tone, folder + "/wide.wav", "--channels", "2", "--sample-format", "float32"])
      let wide = try AudioFile(opening: folder + "/wide.wav")
      #expect(wide.codec == .float32)
      #expect(wide.format.layout == .stereo)
    }
  }

  @Test func `What codecs put around a sound stays on request`() throws {
    try withTone { folder, tone in
      try convert([tone, folder + "/a.mp3"])
      try convert([folder + "/a.mp3", folder + "/trimmed.wav"])
      try convert([folder + "/a.mp3", folder + "/whole.wav", "--no-trim"])
      #expect(try AudioFile(opening: folder + "/trimmed.wav").readAll().frameCount == 48_000)
      #expect(try AudioFile(opening: folder + "/whole.wav").readAll().frameCount > 49_105)
    }
  }

  @Test func `Nothing is replaced without a word, and nothing is left half-written`() throws {
    try withTone { folder, tone in
      let before = try Data(contentsOf: URL(fileURLWithPath: tone))
      #expect(throws: ExitCode.failure) { try convert([tone, tone]) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: tone)) == before)
      try convert([tone, tone, "--force", "--sample-format", "int24"])
      #expect(try AudioFile(opening: tone).codec == .int24)
      #expect(throws: ExitCode.failure) { try convert([folder + "/missing.wav", folder + "/b.wav"]) }
      #expect(throws: ExitCode.failure) { try convert([tone, folder + "/b.xyz"]) }
      #expect(throws: ExitCode.failure) { try convert([tone, folder + "/b.wav", "--codec", "opus"]) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["tone.wav"])
    }
  }

  @Test func `Options that make no sense are refused`() {
    for arguments in [
      ["--channels", "0"], ["--channels", "33"], ["--rate", "0"], ["--codec", "aac"], ["--sample-format", "int8"],
      ["--codec", "mp3", "--sample-format", "int24"], ["--codec", "flac"],
    ] {
      #expect(throws: (any Error).self) { _ = try AudioConvert.parseAsRoot(["a.wav", "b.wav"] + arguments) }
    }
    #expect(throws: (any Error).self) { _ = try AudioInfo.parseAsRoot([]) }
    #expect(throws: (any Error).self) { _ = try AudioInfo.parseAsRoot(["a.wav", "--json", "--lint"]) }
  }

  @Test func `A file is described in JSON, with null where nothing is known`() throws {
    try withTone { folder, tone in
      try convert([tone, folder + "/a.mp3"])
      let text = try FileDescription.json([folder + "/a.mp3", folder + "/none"].map(FileDescription.init))
      let array = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
      let keys: Set = [
        "file", "container", "codec", "sampleRate", "channels", "validFrames", "primingFrames", "remainderFrames",
        "totalFrames", "packets", "framesPerPacket", "trimSource", "loops", "truncated", "error",
      ]
      #expect(array.map { Set($0.keys) } == [keys, keys])
      #expect(array[0]["validFrames"] as? Int == 48_000)
      #expect(array[0]["primingFrames"] as? Int == 1_105)
      #expect(array[0]["trimSource"] as? String == "LAME tag")
      #expect(array[0]["truncated"] as? Bool == false)
      #expect(array[0]["error"] is NSNull)
      #expect(array[1]["codec"] is NSNull)
      #expect((array[1]["error"] as? String)?.hasPrefix(folder + "/none cannot be opened") == true)
    }
  }

  @Test func `Advice names what costs, and what is heard`() throws {
    try withTone { folder, tone in
      var loud: [Float] = []
      for frame in 0..<22_050 {
        let sample = Float(sin(2 * .pi * 300 * Double(frame) / 22_050)) * 1.5 + 0.1
        loud += [sample, sample]
      }
      let format = PCMFormat.stereo(sampleRate: 22_050)
      var writer = try AudioFileWriter(creating: folder + "/loud.wav", format: format)
      try writer.write(PCMBuffer(samples: loud, format: format))
      try writer.close()
      let report = "\(LintReport(of: [tone, folder + "/loud.wav"]))"
      for words in [
        "loud.wav: 2 channels: only mono is placed in 3D, and both are the same", "loud.wav: it clips in",
        "loud.wav: channel 1 is off zero", "tone.wav: nothing is above", "KB as FLAC", "files are not at",
      ] {
        #expect(report.contains(words), "\(words)")
      }
    }
  }
}
