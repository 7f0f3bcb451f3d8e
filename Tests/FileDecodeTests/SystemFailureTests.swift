import Foundation
import Glibc
import Testing

@testable import FileDecode

/// Failures of the system to read or write while a file is open.
@Suite struct SystemFailureTests {
  private let format = PCMFormat.mono(sampleRate: 44_100)

  /// Reads blocks until one fails or none is left.
  private func readToFailure(_ file: borrowing AudioFile) -> (samples: [Float], error: AudioFileError?) {
    var samples: [Float] = []
    var block = PCMBuffer<Float>(format: format)
    do throws(AudioFileError) {
      while try file.read(into: &block) > 0 { samples += block.samples }
      return (samples, nil)
    } catch {
      return (samples + block.samples, error)
    }
  }

  @Test(arguments: ["a.wav", "a.flac", "a.ogg"])
  func `A disk that fails while a file is read is an error, after which reading and seeking go on`(name: String) throws
  {
    let folder = try TemporaryFolder()
    let path = try save(noise(60_000, format), to: folder.file(name))
    let whole = try AudioFile(opening: path).readAll()
    let file = try AudioFile(opening: path)
    let source = try #require(try descriptor { $0 == path })
    var block = PCMBuffer<Float>(format: format)
    #expect(try file.read(into: &block, maxFrames: 5_000) == 5_000)
    var samples = block.samples

    // A read through a descriptor that is open for writing fails.
    replace(source, withFileAt: path, flags: O_WRONLY)
    // The samples that were read ahead still arrive.
    let ahead = readToFailure(file)
    samples += ahead.samples
    #expect(ahead.error?.code == .readFailed)
    #expect(samples.count < 60_000)
    #expect(failure { () throws(AudioFileError) in _ = try file.read(into: &block) }?.code == .readFailed)
    #expect(file.isTruncated == false)

    replace(source, withFileAt: path, flags: O_RDONLY)
    while try file.read(into: &block) > 0 { samples += block.samples }
    #expect(samples == whole.samples)

    try file.seek(toFrame: 0)
    replace(source, withFileAt: path, flags: O_WRONLY)
    #expect(readToFailure(file).error?.code == .readFailed)
    #expect(failure { () throws(AudioFileError) in _ = try file.readAll() }?.code == .readFailed)
    #expect(failure { () throws(AudioFileError) in try file.seek(toFrame: 10) }?.code == .readFailed)
    replace(source, withFileAt: path, flags: O_RDONLY)
    #expect(try file.read(into: &block, maxFrames: 10) == 10)
    #expect(block.samples == Array(whole.samples[10..<20]))
    try file.seek(toFrame: 40_000)
    #expect(try file.read(into: &block, maxFrames: 10) == 10)
    #expect(block.samples == Array(whole.samples[40_000..<40_010]))
    #expect(try file.readAll() == whole)
    #expect(file.isTruncated == false)
  }

  @Test func `A disk that fails while libsndfile opens a file is an error, and no damage`() throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(100, format), to: folder.file("a.wav"))
    let failing = unsafe ByteSource(descriptor: open(path, O_WRONLY), size: 244)
    let error = failure { () throws(AudioFileError) in
      _ = try SoundHandle(SplicedBytes(failing, .wav, from: 0, nil), .wav, path: path)
    }
    #expect(error?.code == .readFailed)
  }

  @Test func `A seek in an overwritten file throws an error about the change`() throws {
    let folder = try TemporaryFolder()
    let other = try bytes(of: save(noise(30_000, .stereo(sampleRate: 44_100)), to: folder.file("b.ogg")))
    for replacement in [other, Array("no sound at all".utf8) + [UInt8](repeating: 0, count: 9_000)] {
      let path = try save(noise(30_000, format), to: folder.file("a.ogg"))
      let file = try AudioFile(opening: path)
      var block = PCMBuffer<Float>(format: format)
      #expect(try file.read(into: &block) == 4_096)
      let handle = try #require(FileHandle(forUpdatingAtPath: path))
      try handle.write(contentsOf: Data(replacement))
      try handle.close()
      let error = failure { () throws(AudioFileError) in try file.seek(toFrame: 0) }
      #expect(error?.code == .fileChanged)
      #expect(error?.message == "\(path) was changed while it was read. Open it again.")
    }
  }

  @Test(arguments: ["a.wav", "a.aiff", "a.caf", "a.flac", "a.ogg"])
  func `A disk that fails while a file is written or closed leaves the older file`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([1, 2, 3], as: name)
    for failsAtOnce in [true, false] {
      var writer = try AudioFileWriter(creating: path, format: format)
      try writer.write(noise(100, format))
      let prefix = folder.file(".audio-")
      let target = try #require(try descriptor { $0.hasPrefix(prefix) })
      replace(target, withFileAt: path, flags: O_RDONLY)
      let many = try noise(100_000, format)
      if failsAtOnce {
        for _ in 0..<2 {
          let error = failure { () throws(AudioFileError) in try writer.write(many) }
          #expect(error?.code == .writeFailed)
          #expect(error?.message.hasPrefix("\(path) could not be written: Bad file descriptor (errno 9).") == true)
          #expect(try folder.names() == [name])
        }
      }
      for _ in 0..<2 {
        let error = failure { () throws(AudioFileError) in try writer.close() }
        #expect(error?.code == .writeFailed)
        #expect(error?.message.hasSuffix("no file was left behind.") == true)
      }
      #expect(failure { () throws(AudioFileError) in try writer.write(many) }?.code == .writeFailed)
      #expect(try folder.names() == [name])
      #expect(try bytes(of: path) == [1, 2, 3])
    }
  }
}
