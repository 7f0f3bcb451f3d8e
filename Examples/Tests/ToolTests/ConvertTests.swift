import ArgumentParser
import FileDecode
import Foundation
import Testing

@testable import audioconvert

@Suite struct ConvertTests {
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

  @Test func `A conversion keeps the depth of the samples, or reports what it loses`() throws {
    let depths: [(AudioCodec, Int?)] = [
      (.int8, 8), (.int16, 16), (.int24, 24), (.int32, 32), (.float32, 32), (.float64, 64), (.flac, 16), (.flac, 24),
      (.alac, 20), (.alac, 32), (.mp3, nil), (.imaADPCM, nil),
    ]
    for (codec, depth) in depths {
      let isFloat = [AudioCodec.float32, .float64].contains(codec)
      let bits = depth ?? 16
      func expect(_ name: String, _ request: OutputEncoding.Request, _ expected: AudioCodec?, isExact: Bool) {
        let encoding = OutputEncoding(of: codec, bitDepth: depth, in: name, request)
        #expect(encoding.codec == expected)
        #expect((encoding.loss == nil) == isExact, "\(codec), \(name): \(encoding.loss ?? "nothing lost")")
      }
      for name in ["wav", "aiff", "caf"] {
        let sample: AudioCodec = isFloat ? .float32 : bits <= 16 ? .int16 : bits <= 24 ? .int24 : .int32
        expect(name, .usual, sample, isExact: codec == .float32 || bits <= 24)
        expect(name, .pcm, sample, isExact: codec == .float32 || bits <= 24)
      }
      expect("flac", .usual, bits <= 16 ? .int16 : .int24, isExact: !isFloat && bits <= 24)
      expect("caf", .codec(.alac), .alac, isExact: !isFloat && bits <= 16)
      expect("wav", .codec(.int16), .int16, isExact: true)
      for name in ["ogg", "opus", "mp3"] { expect(name, .usual, nil, isExact: true) }
    }
    try withTone { folder, tone in
      try convert([tone, tone, "--force", "--sample-format", "int24"])
      let original = try AudioFile(opening: tone).readAll()
      for name in ["a.wav", "a.aiff", "a.flac", "a.caf"] {
        try convert([tone, folder + "/" + name])
        let file = try AudioFile(opening: folder + "/" + name)
        #expect(file.bitDepth == 24)
        #expect(try file.readAll() == original)
      }
      try convert([tone, folder + "/b.caf", "--codec", "alac"])
      #expect(try AudioFile(opening: folder + "/b.caf").bitDepth == 16)
      #expect(throws: ExitCode.failure) { try convert([tone, folder + "/c.flac", "--sample-format", "float32"]) }
      #expect(throws: ExitCode.failure) { try convert([tone, folder + "/c.ogg", "--codec", "pcm"]) }
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

  /// The names in a folder.
  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// Runs a test while the program converts minutes of silence and has begun to write.
  ///
  /// The program ignores `signal`, if it is given, and does not outlive the test.
  private func withConversion(
    of minutes: Int,
    in folder: String,
    ignoring signal: String? = nil,
    _ test: (Process) throws -> Void
  ) throws {
    // A sparse file, which takes no room on the disk.
    let frameCount = minutes * 60 * 48_000
    var writer = try AudioFileWriter(creating: folder + "/long.wav", format: .mono(sampleRate: 48_000))
    try writer.write(PCMBuffer<Float>(samples: [0], format: .mono(sampleRate: 48_000)))
    try writer.close()
    let handle = try #require(FileHandle(forUpdatingAtPath: folder + "/long.wav"))
    let header = try #require(try handle.readToEnd()).count - 2
    for (place, size) in [(4, header - 8 + 2 * frameCount), (header - 4, 2 * frameCount)] {
      try handle.seek(toOffset: UInt64(place))
      try handle.write(contentsOf: little(UInt32(size)))
    }
    try handle.truncate(atOffset: UInt64(header + 2 * frameCount))
    try handle.close()
    let process = Process()
    let products = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") as NSString
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c", (signal.map { "trap '' \($0); " } ?? "") + #"exec "$0" "$@""#,
      products.deletingLastPathComponent + "/audioconvert", folder + "/long.wav", folder + "/long.flac",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = Pipe()
    try process.run()
    while process.isRunning, try !names(in: folder).contains(where: { $0.hasSuffix(".tmp") }) { usleep(1_000) }
    defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    try test(process)
  }

  @Test(arguments: [SIGHUP, SIGINT, SIGTERM])
  func `A conversion that is interrupted leaves nothing`(signal: Int32) throws {
    try withTone { folder, _ in
      try withConversion(of: 60, in: folder) { process throws in
        #expect(try names(in: folder).contains { $0.hasSuffix(".tmp") })
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(process.terminationStatus == signal)
        #expect(try names(in: folder) == ["long.wav", "tone.wav"])
      }
    }
  }

  @Test func `A signal that was ignored from the start does not end a conversion`() throws {
    try withTone { folder, _ in
      try withConversion(of: 5, in: folder, ignoring: "INT") { process throws in
        // The program is stopped meanwhile, so that the signal arrives before it is nearly done.
        kill(process.processIdentifier, SIGSTOP)
        kill(process.processIdentifier, SIGINT)
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        #expect(try names(in: folder) == ["long.flac", "long.wav", "tone.wav"])
      }
    }
  }

  @Test func `A file that appears while another is converted to its name stays`() throws {
    try withTone { folder, _ in
      try withConversion(of: 5, in: folder) { process throws in
        // The program is stopped meanwhile, so that it cannot finish before.
        kill(process.processIdentifier, SIGSTOP)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/long.flac"))
        kill(process.processIdentifier, SIGCONT)
        process.waitUntilExit()
        #expect(process.terminationStatus == 1)
        let errors = try #require(process.standardError as? Pipe)
        let told = try errors.fileHandleForReading.readToEnd() ?? Data()
        #expect(String(decoding: told, as: UTF8.self).contains("long.flac is there already"))
        #expect(try names(in: folder) == ["long.flac", "long.wav", "tone.wav"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/long.flac")) == Data("mine".utf8))
      }
    }
  }

  @Test func `Options that make no sense are refused`() {
    for arguments in [
      ["--channels", "0"], ["--channels", "33"], ["--rate", "0"], ["--codec", "aac"], ["--sample-format", "int8"],
      ["--codec", "mp3", "--sample-format", "int24"], ["--quality", "1.1"], ["--quality", "0.5", "--bit-rate", "96"],
      ["--bit-rate", "0"], ["--jobs", "0"],
    ] {
      #expect(throws: (any Error).self) { _ = try AudioConvert.parseAsRoot(["a.wav", "b.wav"] + arguments) }
    }
    for paths in [[], ["a.wav"], ["-", "-", "out/"]] {
      #expect(throws: (any Error).self) { _ = try AudioConvert.parseAsRoot(paths) }
    }
  }
}
