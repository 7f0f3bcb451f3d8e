import Foundation
import Testing

@testable import FileDecode

@Suite struct AudioFileWriterTests {
  @Test func `A writer without permission to replace keeps an existing file and one created later`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], as: "a.wav")
    let format = PCMFormat.mono(sampleRate: 44_100)
    let error = failure { () throws(AudioFileError) in
      _ = try AudioFileWriter(creating: path, format: format, overwriting: false)
    }
    #expect(error?.code == .fileExists)
    #expect(error?.message.hasPrefix("\(path) cannot be created: a file has that name") == true)

    let later = folder.file("b.wav")
    var writer = try AudioFileWriter(creating: later, format: format, overwriting: false)
    try writer.write(noise(100, format))
    _ = try folder.write([4, 5, 6], as: "b.wav")
    for _ in 0..<2 {
      #expect(failure { () throws(AudioFileError) in try writer.close() }?.code == .fileExists)
    }
    #expect(try bytes(of: later) == [4, 5, 6])
    #expect(try folder.names().sorted() == ["a.wav", "b.wav"])

    var free = try AudioFileWriter(creating: folder.file("c.wav"), format: format, overwriting: false)
    #expect(free.path == folder.file("c.wav"))
    #expect(free.format == format)
    try free.write(noise(100, format))
    try free.close()
    #expect(try AudioFile(opening: folder.file("c.wav")).readAll().frameCount == 100)
    #expect(try folder.names().sorted() == ["a.wav", "b.wav", "c.wav"])
  }

  @Test(arguments: TemporaryFile.Naming.allCases)
  func `Each way to name a file replaces nothing, and leaves nothing where it fails`(way: TemporaryFile.Naming) throws {
    let folder = try TemporaryFolder()
    func writer(_ name: String) throws -> AudioFileWriter {
      var writer = try AudioFileWriter(
        creating: folder.file(name),
        format: mono,
        codec: nil,
        overwriting: false,
        frameLimit: nil,
        naming: [way]
      )
      try writer.write(PCMBuffer<Float>(samples: [0.5], format: mono))
      return writer
    }
    var free = try writer("a.wav")
    try free.close()
    #expect(try AudioFile(opening: folder.file("a.wav")).readAll().samples == [0.5])
    #expect(try folder.names() == ["a.wav"])

    var late = try writer("b.wav")
    _ = try folder.write([4, 5, 6], as: "b.wav")
    #expect(failure { () throws(AudioFileError) in try late.close() }?.code == .fileExists)
    #expect(try bytes(of: folder.file("b.wav")) == [4, 5, 6])

    // The temporary file is gone, and every method of naming it fails.
    var robbed = try writer("c.wav")
    for name in try folder.names() where name.hasSuffix(".tmp") {
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    #expect(failure { () throws(AudioFileError) in try robbed.close() }?.code == .writeFailed)
    #expect(try folder.names().sorted() == ["a.wav", "b.wav"])
  }

  @Test func `Only an error of a missing file-system feature selects the next naming method`() {
    for error in [EEXIST, EACCES, EIO, ENOSPC, ENOENT, EROFS, EXDEV] {
      for way in TemporaryFile.Naming.allCases { #expect(!way.isLacking(error), "\(way), \(error)") }
    }
    #expect(TemporaryFile.Naming.allCases.map { $0.isLacking(EINVAL) } == [true, false, false])
    #expect(TemporaryFile.Naming.allCases.map { $0.isLacking(EPERM) } == [false, true, false])
    #expect(TemporaryFile.Naming.allCases.map { $0.isLacking(ENOSYS) } == [true, true, false])
  }

  private let mono = PCMFormat.mono(sampleRate: 8_000)

  private func creatingFailure(_ path: String, _ format: PCMFormat, _ codec: AudioCodec? = nil) -> AudioFileError? {
    failure { () throws(AudioFileError) in
      _ = try AudioFileWriter(creating: path, format: format, codec: codec)
    }
  }

  @Test func `The default codec of a container is the one used for assets`() throws {
    let folder = try TemporaryFolder()
    for (name, codec) in [
      ("a.wav", AudioCodec.int16), ("a.AIF", .int16), ("a.caf", .int16), ("a.flac", .int16), ("a.ogg", .vorbis),
      ("a.opus", .opus), ("a.mp3", .mp3),
    ] {
      var writer = try AudioFileWriter(creating: folder.file(name), format: mono)
      #expect(writer.codec == codec)
      try writer.close()
    }
  }

  @Test func `Buffers of both types are appended one behind the other`() throws {
    let folder = try TemporaryFolder()
    var writer = try AudioFileWriter(creating: folder.file("a.wav"), format: mono)
    try writer.write(PCMBuffer<Int16>(samples: [1, -2], format: mono))
    try writer.write(PCMBuffer<Float>(format: mono))
    try writer.write(PCMBuffer<Float>(samples: [0.5], format: mono))
    #expect(writer.frameCount == 3)
    try writer.close()
    #expect(try AudioFile(opening: folder.file("a.wav")).readAll(as: Int16.self).samples == [1, -2, 16_384])
  }

  @Test func `The path holds no file until the writer is closed`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    var writer = try AudioFileWriter(creating: path, format: mono)
    try writer.write(noise(10_000, mono))
    #expect(!FileManager.default.fileExists(atPath: path))
    try writer.close()
    #expect(try folder.names() == ["a.wav"])
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg"])
  func `A dropped writer leaves no file behind and keeps an older file unchanged`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], as: name)
    do {
      var writer = try AudioFileWriter(creating: path, format: mono)
      try writer.write(noise(10_000, mono))
    }
    #expect(try folder.names() == [name])
    #expect(try bytes(of: path) == [1, 2, 3])
  }

  @Test func `A finished file replaces an existing one`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], as: "a.wav")
    try save(noise(10, mono), to: path)
    #expect(try AudioFile(opening: path).readAll().frameCount == 10)
    #expect(try folder.names() == ["a.wav"])
  }

  @Test func `The error about an unknown extension lists the supported ones`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "a.", "a.txt", "a.m4a", "a.wave", ".wav", "wav", "a.wav/", "a.wav.bak"] {
      let error = try #require(creatingFailure(folder.file(name), mono))
      #expect(error.code == .unknownExtension)
      #expect(error.message.hasSuffix("Use one of .wav, .aiff, .aif, .caf, .flac, .ogg, .opus, .mp3."))
    }
    #expect(try folder.names() == [])
  }

  @Test func `A format that the container does not support is rejected and leaves no file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.flac")
    let codec = try #require(creatingFailure(path, mono, .float32))
    #expect(codec.code == .unsupportedEncoding)
    #expect(
      codec.message == "\(path) cannot be created: FLAC files do not hold 32-bit float."
        + " Use one of 16-bit integer, 24-bit integer, FLAC."
    )
    #expect(creatingFailure(folder.file("a.wav"), mono, .vorbis)?.code == .unsupportedEncoding)
    let wide = try #require(creatingFailure(path, PCMFormat(sampleRate: 48_000, layout: .discrete(9))))
    #expect(wide.code == .unsupportedFormat)
    #expect(wide.message.contains("FLAC files with 16-bit integer do not hold 9 discrete channels at 48000 Hz."))
    for rate in [0, -1, 999, 768_001, Int.max, Int.min] {
      #expect(creatingFailure(folder.file("a.wav"), .mono(sampleRate: rate))?.code == .unsupportedFormat)
      #expect(creatingFailure(folder.file("a.ogg"), .mono(sampleRate: rate))?.code == .unsupportedFormat)
    }
    #expect(
      creatingFailure(folder.file("a.wav"), PCMFormat(sampleRate: 48_000, layout: .discrete(33)))?.code
        == .unsupportedFormat
    )
    #expect(try folder.names() == [])
  }

  @Test func `A folder that is missing, or has the file's name, is named`() throws {
    let folder = try TemporaryFolder()
    let missing = folder.file("none/a.wav")
    #expect(creatingFailure(missing, mono)?.code == .fileNotFound)
    #expect(
      creatingFailure(missing, mono)?.message == "\(missing) cannot be created: its folder does not exist."
        + " Create the folder first."
    )
    try FileManager.default.createDirectory(atPath: folder.file("b.wav"), withIntermediateDirectories: false)
    #expect(creatingFailure(folder.file("b.wav"), mono)?.code == .notAFile)
  }

  @Test func `A buffer of another rate or number of channels is refused`() throws {
    let folder = try TemporaryFolder()
    var writer = try AudioFileWriter(creating: folder.file("a.wav"), format: mono)
    for format in [PCMFormat.stereo(sampleRate: 8_000), .mono(sampleRate: 44_100)] {
      let buffer = try noise(10, format)
      do throws(AudioFileError) {
        try writer.write(buffer)
        Issue.record("a buffer of \(format) was written")
      } catch {
        #expect(error.code == .formatMismatch)
        #expect(error.message.contains("is \(format), and the file is mono at 8000 Hz."))
      }
    }
    try writer.write(PCMBuffer<Float>(samples: [0], format: PCMFormat(sampleRate: 8_000, layout: .discrete(1))))
    #expect(writer.frameCount == 1)
    try writer.close()
  }

  @Test func `A failed rename of the temporary file throws an error and leaves no file`() throws {
    let folder = try TemporaryFolder()
    let inner = folder.file("inner")
    try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
    var writer = try AudioFileWriter(creating: inner + "/a.wav", format: mono)
    try writer.write(noise(10, mono))
    try FileManager.default.createDirectory(atPath: inner + "/a.wav", withIntermediateDirectories: false)
    do throws(AudioFileError) {
      try writer.close()
      Issue.record("a folder was replaced by a file")
    } catch {
      #expect(error.code == .writeFailed)
      #expect(error.message.hasPrefix("\(inner)/a.wav could not be written: "))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: inner) == ["a.wav"])
  }

  @Test func `The frame limit of WAV and AIFF keeps their 32-bit sizes from overflowing`() throws {
    for container in OutputContainer.allCases {
      for codec in container.codecs {
        for channelCount in [1, 2, 32] {
          let limit = try container.frameLimit(#require(EncoderSetup(codec)), channelCount: channelCount)
          #expect(limit > 8_000_000)
          if container == .wav { #expect(limit * channelCount * 2 < 1 << 32) }
          if container == .aiff { #expect(limit * channelCount * 2 < 1 << 31) }
        }
      }
    }
  }

  @Test func `The limit of a kind counts all buffers together`() throws {
    let folder = try TemporaryFolder()
    var writer = try AudioFileWriter(creating: folder.file("a.wav"), format: mono, codec: nil, frameLimit: 100)
    let samples = try noise(40, mono)
    try writer.write(samples)
    try writer.write(samples)
    let error = failure { () throws(AudioFileError) in try writer.write(samples) }
    #expect(error?.code == .tooLarge)
    #expect(error?.message.hasSuffix("Write a .caf or .flac file, which have no limit, or several.") == true)
    #expect(writer.frameCount == 80)
    try writer.write(noise(20, mono))
    try writer.close()
    #expect(try AudioFile(opening: folder.file("a.wav")).readAll().frameCount == 100)
  }

  @Test func `A finished file has the permissions of the file that it replaces`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1], as: "a.wav")
    for mode in [0o600, 0o640, 0o666, 0o444] {
      try setPermissions(mode, of: path)
      try save(noise(10, mono), to: path)
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == mode)
    }
  }

  @Test func `A WAV file of more than two channels has a channel mask`() throws {
    let folder = try TemporaryFolder()
    for (layout, mask) in [
      (ChannelLayout.quad, 0x33), (.surround51, 0x60F), (.surround61, 0x70F), (.surround71, 0x63F),
    ] {
      let format = PCMFormat(sampleRate: 48_000, layout: layout)
      let header = try bytes(of: save(noise(1, format), to: folder.file("a.wav")))
      // The tag of the extended header, and the mask 20 bytes behind it.
      #expect(Array(header[20..<22]) == [0xFE, 0xFF])
      #expect(Array(header[40..<44]) == little(UInt64(mask), 4))
    }
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg"])
  func `A file that could be created holds what was written, at every rate and width`(name: String) throws {
    let folder = try TemporaryFolder()
    for sampleRate in [1_000, 8_000, 8_999, 11_025, 44_100, 96_000, 200_000, 655_350, 768_000] {
      for channelCount in [1, 2, 3, 5, 8, 9, 32] {
        let format = PCMFormat(sampleRate: sampleRate, layout: .usual(channelCount: channelCount))
        if let error = creatingFailure(folder.file(name), format) {
          #expect(error.code == .unsupportedFormat)
        } else {
          let file = try AudioFile(opening: save(noise(300, format), to: folder.file(name)))
          #expect(file.format == format)
          #expect(try file.readAll().frameCount == 300)
        }
      }
    }
  }

  @Test func `Loud and broken signals do not break the encoders`() throws {
    let folder = try TemporaryFolder()
    let values: [Float] = [
      .nan, .infinity, -.infinity, 1e30, -1e30, .greatestFiniteMagnitude, Float.leastNonzeroMagnitude, 100, 0,
    ]
    let samples = (0..<20_000).map { values[$0 % values.count] }
    for name in ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg"] {
      let file = try AudioFile(opening: save(PCMBuffer(samples: samples, format: mono), to: folder.file(name)))
      let decoded = try file.readAll()
      #expect(decoded.frameCount == 20_000)
      #expect(decoded.samples.allSatisfy { $0.isFinite })
    }
  }

  @Test func `A closed file takes no more samples and keeps those it has`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.wav")
    let samples = try PCMBuffer(samples: [Int16](1...100), format: .mono(sampleRate: 8_000))
    var writer = try AudioFileWriter(creating: path, format: samples.format)
    try writer.write(samples)
    try writer.close()
    try writer.close()
    do throws(AudioFileError) {
      try writer.write(samples)
      Issue.record("A closed file took samples")
    } catch {
      #expect(error.code == .alreadyClosed)
      #expect("\(error)".contains(path))
    }
    #expect(try AudioFile(opening: path).readAll(as: Int16.self) == samples)
  }
}
