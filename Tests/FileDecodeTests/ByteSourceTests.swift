import AudioSupport
import FileDecode
import Synchronization
import Testing

@Suite struct ByteSourceTests {
  @Test(arguments: FixtureFiles.decodable)
  func `A file is the same from its path, from memory and from a reader`(name: String) throws {
    let path = FixtureFiles.path(name)
    let bytes = try FixtureFiles.bytes(name)
    let whole = try AudioFile(opening: path).readAll()
    let inMemory = try AudioFile(bytes: bytes)
    #expect(try inMemory.readAll() == whole)
    #expect(inMemory.path == "The sound in memory")
    let read = try AudioFile(reading: Archive(bytes), name: "growl in the archive")
    #expect(try read.readAll() == whole)
    #expect(read.path == "growl in the archive")
    #expect(read.packetTable == inMemory.packetTable)
  }

  @Test func `The error about a failed reader quotes the reader, and later reads succeed`() throws {
    let archive = Archive(wav(data: [UInt8](repeating: 1, count: 400_000)))
    let file = try AudioFile(reading: archive, name: "growl")
    archive.fails.withLock { $0 = true }
    let error = try #require(failure { () throws(AudioFileError) in _ = try file.readAll() })
    #expect(error.code == .readFailed)
    #expect(error.message.hasPrefix("growl could not be read: the archive is locked."))
    archive.fails.withLock { $0 = false }
    #expect(try file.readAll().frameCount == 200_000)
    archive.fails.withLock { $0 = true }
    #expect(failure { () throws(AudioFileError) in _ = try AudioFile(reading: archive) }?.code == .readFailed)
  }

  @Test func `A reader without bytes is an empty file, and excess bytes from a reader are dropped`() throws {
    let empty = failure { () throws(AudioFileError) in _ = try AudioFile(bytes: [], name: "growl") }
    #expect(empty?.code == .emptyFile)
    #expect(empty?.message.hasPrefix("growl cannot be opened: the file is empty") == true)
    #expect(failure { () throws(AudioFileError) in _ = try AudioFile(reading: Archive([])) }?.code == .emptyFile)
    let generous = Archive(try FixtureFiles.bytes("original.wav"))
    generous.isGenerous.withLock { $0 = true }
    #expect(try AudioFile(reading: generous).readAll().samples == FixtureFiles.original())
  }

  @Test func `A read failure in a loop chunk throws an error`() throws {
    // The file has 4,000 frames, and behind them a loop that ends at frame 1,000.
    let loop = little(0, 8) + little(100, 4) + little(999, 4) + little(0, 8)
    let smpl = [UInt8](repeating: 0, count: 28) + little(1, 4) + little(0, 4) + loop
    let sound = wav(data: [UInt8](repeating: 1, count: 8_000))
    let archive = Archive(sound + Array("smpl".utf8) + little(UInt64(smpl.count), 4) + smpl)
    #expect(try AudioFile(reading: archive).loopRange == 100..<1_000)
    // Reading fails in the loop's contents, which libsndfile need not read.
    archive.failsFrom.withLock { $0 = sound.count + 8 }
    let error = failure { () throws(AudioFileError) in _ = try AudioFile(reading: archive, name: "growl") }
    #expect(error?.code == .readFailed)
    #expect(error?.message.hasPrefix("growl could not be read: the archive is locked") == true)
  }

  private final class Archive: AudioByteReader {
    let content: [UInt8]
    /// The offset of the first byte that cannot be read.
    let failsFrom = Mutex(Int.max)
    let fails = Mutex(false)
    let isGenerous = Mutex(false)

    init(_ content: [UInt8]) { self.content = content }

    var byteCount: Int { content.count }

    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
      if fails.withLock({ $0 }) || offset + count > failsFrom.withLock({ $0 }) { throw Locked() }
      return Array(content.dropFirst(offset).prefix(isGenerous.withLock { $0 } ? Int.max : count))
    }
  }

  private struct Locked: Error, CustomStringConvertible {
    let description = "the archive is locked"
  }
}
