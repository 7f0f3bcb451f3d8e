import Foundation
import Glibc
import Testing

@testable import FileDecode

@Suite struct AudioFileTests {
  @Test func `Blocks put together are the whole file`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(20_001, .stereo(sampleRate: 44_100))
    let path = try save(original, to: folder.file("a.flac"))
    for maxFrames in [1_000, 4_096, 5_000, 1 << 40, Int.max] {
      let file = try AudioFile(opening: path)
      var block = PCMBuffer<Float>(format: .mono(sampleRate: 1))
      var samples: [Float] = []
      while try file.read(into: &block, maxFrames: maxFrames) > 0 {
        #expect(block.format == file.format)
        #expect(block.frameCount <= maxFrames)
        samples += block.samples
      }
      #expect(block.frameCount == 0)
      #expect(samples == original.samples.map(\.signal))
    }
  }

  @Test func `A read with a limit of zero or less returns no frames`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: save(noise(100, .mono(sampleRate: 8_000)), to: folder.file("a.wav")))
    var block = PCMBuffer<Float>(format: file.format)
    for maxFrames in [0, -1, Int.min] { #expect(try file.read(into: &block, maxFrames: maxFrames) == 0) }
    #expect(try file.read(into: &block) == 100)
  }

  @Test func `A block keeps its memory from read to read`() throws {
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: save(noise(40_960, .stereo(sampleRate: 44_100)), to: folder.file("a.wav")))
    var block = PCMBuffer<Float>(format: file.format)
    _ = try file.read(into: &block)
    let capacity = block.samples.capacity
    while try file.read(into: &block) > 0 { #expect(block.samples.capacity == capacity) }
  }

  @Test func `The whole file is read whatever was read before, and again`() throws {
    let folder = try TemporaryFolder()
    for name in ["a.wav", "a.ogg", "a.flac"] {
      let file = try AudioFile(opening: save(noise(9_000, .mono(sampleRate: 44_100)), to: folder.file(name)))
      let whole = try file.readAll()
      var block = PCMBuffer<Float>(format: file.format)
      try file.seek(toFrame: 1_234)
      _ = try file.read(into: &block)
      #expect(try file.readAll() == whole)
      #expect(try file.readAll(as: Float.self) == whole)
      #expect(try file.read(into: &block) == 0)
    }
  }

  @Test func `A file reads and seeks through the PCMReader protocol`() throws {
    func total(_ reader: consuming some PCMReader & ~Copyable) throws -> Int {
      var block = PCMBuffer<Float>(format: reader.format)
      var count = 0
      while try reader.read(into: &block, maxFrames: 1_000) > 0 { count += block.frameCount }
      try reader.seek(toFrame: 0)
      return count + (try reader.read(into: &block, maxFrames: 1))
    }
    func counts(_ reader: consuming some PCMReader & ~Copyable) throws -> [Int] {
      var block = PCMBuffer<Float>(format: reader.format)
      return [try reader.read(into: &block), try reader.read(into: &block), try reader.read(into: &block)]
    }
    let folder = try TemporaryFolder()
    let path = try save(noise(2_500, .mono(sampleRate: 8_000)), to: folder.file("a.wav"))
    #expect(try total(AudioFile(opening: path)) == 2_501)
    // A read without a limit has one of 4,096 frames.
    let long = try save(noise(5_000, .mono(sampleRate: 8_000)), to: folder.file("b.wav"))
    #expect(try counts(AudioFile(opening: long)) == [4_096, 904, 0])
  }

  @Test func `Names in any script, with spaces and without an extension, are opened`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(50, .mono(sampleRate: 8_000))
    for name in ["grówl ünd 猫 🐈.wav", "  .wav", "a b.c d.WaV", "-rf.wav", "100%.wav", "\"quoted\".wav"] {
      let path = try save(original, to: folder.file(name))
      #expect(try AudioFile(opening: path).readAll(as: Int16.self) == original)
      let file = try AudioFile(opening: path)
      #expect(file.path == path && file.name == path)
    }
  }

  @Test func `readAll rejects a file larger than its byte limit`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(10_000, .stereo(sampleRate: 8_000))
    for name in ["a.wav", "a.flac", "a.ogg"] {
      let file = try AudioFile(opening: save(original, to: folder.file(name)))
      for (limit, fits) in [(80_000, true), (79_999, false), (100, false), (0, false)] {
        let error = failure { () throws(AudioFileError) in _ = try file.readAll(as: Float.self, byteLimit: limit) }
        #expect((error == nil) == fits)
        #expect(fits || error?.code == .tooLarge)
      }
      #expect(try file.readAll(as: Int16.self, byteLimit: 40_000).frameCount == 10_000)
    }
  }

  @Test func `A file of more than 2 GiB of samples is refused before it is read, and can be read in blocks`() throws {
    let folder = try TemporaryFolder()
    // A sparse file takes no room on the disk.
    let path = try folder.write(wav(dataSize: 1_100_000_000, data: []), as: "a.wav")
    try FileHandle(forUpdating: URL(fileURLWithPath: path)).truncate(atOffset: 1_100_000_044)
    let file = try AudioFile(opening: path)
    let error = try #require(failure { () throws(AudioFileError) in _ = try file.readAll() })
    #expect(error.code == .tooLarge)
    #expect(error.message.contains("Read it in blocks with read(into:maxFrames:)"))
    var block = PCMBuffer<Float>(format: file.format)
    try file.seek(toFrame: 549_999_990)
    #expect(try file.read(into: &block) == 10)
  }

  @Test func `A disk failure throws an error instead of ending the file`() throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(100, .mono(sampleRate: 8_000)), to: folder.file("a.wav"))
    // A read through a descriptor that is open for writing fails.
    let descriptor = unsafe open(path, O_WRONLY)
    let error = failure { () throws(AudioFileError) in
      _ = try AudioFile(ByteSource(descriptor: descriptor, size: 244), path: path)
    }
    #expect(error?.code == .readFailed)
    #expect(error?.message.hasPrefix("\(path) could not be read: Bad file descriptor (errno 9).") == true)
  }

  @Test func `Eight tasks that decode at once get the same samples`() async throws {
    let folder = try TemporaryFolder()
    var paths: [String] = []
    for name in ["a.wav", "a.flac", "a.ogg", "a.aiff"] {
      paths.append(try save(noise(20_000, .stereo(sampleRate: 44_100)), to: folder.file(name)))
    }
    let expected = try paths.map { try AudioFile(opening: $0).readAll() }
    let missing = folder.file("missing.wav")
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask { [paths, expected] in
          for round in 0..<6 {
            let index = (task + round) % paths.count
            guard try AudioFile(opening: paths[index]).readAll() == expected[index] else { return false }
            guard openingFailure(missing)?.code == .fileNotFound else { return false }
          }
          return true
        }
      }
      for try await isSame in group { #expect(isSame) }
    }
  }

  @Test func `Tasks that share a file get every frame once`() async throws {
    let folder = try TemporaryFolder()
    let original = try noise(100_000, .mono(sampleRate: 44_100))
    let file = Shared(try AudioFile(opening: save(original, to: folder.file("a.flac"))))
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var block = PCMBuffer<Float>(format: file.value.format)
          var sum = 0
          while try file.value.read(into: &block, maxFrames: 777) > 0 {
            sum += block.samples.reduce(0) { $0 + Int($1 * 32_768) }
          }
          return sum
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == original.samples.reduce(0) { $0 + Int($1) })
  }

  /// A file that several tasks share.
  private final class Shared: Sendable {
    let value: AudioFile
    init(_ value: consuming AudioFile) { self.value = value }
  }
}
