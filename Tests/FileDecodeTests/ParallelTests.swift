import AudioSupport
import Synchronization
import Testing

@testable import FileDecode

@Suite struct ParallelTests {
  @Test func `readAll returns many files in order, with an error for each bad one`() async throws {
    let folder = try TemporaryFolder()
    let bad = try folder.write(Array("hello".utf8), as: "bad.wav")
    let missing = folder.file("missing.wav")
    var paths: [String] = []
    for round in 0..<8 {
      paths += FixtureFiles.decodable.map(FixtureFiles.path)
      if round.isMultiple(of: 2) { paths += [bad, missing] }
    }
    let results = await AudioFile.readAll(paths, as: Int16.self)
    #expect(results.count == paths.count)
    for (path, result) in zip(paths, results) {
      switch result {
      case .success(let asset):
        #expect(asset.path == path)
        #expect(try asset.buffer == AudioFile(opening: path).readAll(as: Int16.self))
        #expect(!asset.isTruncated)
      case .failure(let error):
        #expect(error.path == path)
        #expect(error.code == (path == bad ? .unrecognizedFormat : .fileNotFound))
      }
    }
  }

  @Test(arguments: [nil, 1, 3, 1_000, 0, .max] as [Int?])
  func `Progress counts every file once`(width: Int?) async throws {
    let paths = [String](repeating: FixtureFiles.path("vorbis.ogg"), count: 20)
    let seen = Mutex<[Int]>([])
    _ = await AudioFile.readAll(paths, width: width) { finished, total in
      #expect(total == 20)
      seen.withLock { $0.append(finished) }
    }
    #expect(seen.withLock { $0 } == Array(1...20))
    #expect(await AudioFile.readAll([]).isEmpty)
  }

  @Test func `Each unread file of a cancelled task throws a cancellation error`() async throws {
    let paths = [String](repeating: FixtureFiles.path("vorbis.ogg"), count: 50)
    let task = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await AudioFile.readAll(paths)
    }
    let results = await task.value
    #expect(results.count == 50)
    for result in results {
      guard case .failure(let error) = result else {
        Issue.record("a file was read")
        continue
      }
      #expect(error.code == .cancelled)
      #expect(error.message.hasPrefix(paths[0]))
    }
  }

  /// A task that reads files and cancels itself after a number of them.
  private final class Reading: Sendable {
    private let task = Mutex<Task<[Result<AudioAsset<Float>, AudioFileError>], Never>?>(nil)

    func results(_ paths: [String], cancelledAfter count: Int) async -> [Result<AudioAsset<Float>, AudioFileError>] {
      // The lock makes sure that the task is stored before it can be cancelled.
      let task = task.withLock { task in
        let new = Task {
          await AudioFile.readAll(paths, width: 1) { [self] finished, _ in
            if finished == count { self.task.withLock { $0?.cancel() } }
          }
        }
        task = new
        return new
      }
      return await task.value
    }
  }

  @Test func `A cancelled task keeps its finished files and reads no more`() async throws {
    let path = FixtureFiles.path("vorbis.ogg")
    let whole = try AudioFile(opening: path).readAll()
    let results = await Reading().results([String](repeating: path, count: 50), cancelledAfter: 3)
    #expect(results.count == 50)
    for (index, result) in results.enumerated() {
      switch result {
      case .success(let asset): #expect(index < 3 && asset.buffer == whole)
      case .failure(let error): #expect(index >= 3 && error.code == .cancelled)
      }
    }
  }

  @Test(arguments: ["a.wav", "a.ogg"])
  func `A cancellation ends the decoding of a file at the next block`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(600_000, .mono(sampleRate: 44_100)), to: folder.file(name))
    let file = try AudioFile(opening: path)
    var checkCount = 0
    let error = failure { () throws(AudioFileError) in
      _ = try file.withDecoder { (decoder) throws(AudioFileError) in
        try decoder.whole(
          as: Int16.self,
          WholeReading(isCancelled: {
            checkCount += 1; return checkCount == 3
          })
        )
      }
    }
    #expect(error?.code == .cancelled)
    // The reader checks for cancellation before each block and at no other time.
    #expect(checkCount == 3)
    #expect(try file.readAll().frameCount == 600_000)
  }

  @Test func `A cancellation ends the conversion of a loop at the next block`() throws {
    let samples = try noise(60_000, .mono(sampleRate: 44_100)).samples.map(\.signal)
    let sound = try PCMBuffer(samples: samples, format: .mono(sampleRate: 44_100))
    let ratio = RateRatio(input: 44_100, output: 48_000)
    for range in [nil, 10_000..<50_000] {
      func conversion(_ limit: Int, count: inout Int) throws(AudioFileError) -> PCMBuffer<Float> {
        var checkCount = 0
        defer { count = checkCount }
        let conversion = SoundConversion(sound, ratio, name: "a") {
          checkCount += 1; return checkCount == limit
        }
        guard let range else { return try conversion.whole() }
        return try conversion.looped(LoopResampling(range, frameCount: 60_000, ratio))
      }
      var count = 0
      let frameCount = try conversion(0, count: &count).frameCount
      #expect(abs(frameCount - 65_306) <= 1 && count > 65_306 / 4_096)
      for limit in [1, 2, count] {
        let error = failure { () throws(AudioFileError) in _ = try conversion(limit, count: &count) }
        #expect(error?.code == .cancelled && count == limit)
      }
    }
  }

  @Test func `readAll decodes on threads without a current task`() async throws {
    let paths = [String](repeating: FixtureFiles.path("original.wav"), count: 10)
    let isOfTask = Mutex<[Bool]>([])
    _ = await AudioFile.readAll(paths) { _, _ in
      let found = unsafe withUnsafeCurrentTask { unsafe $0 != nil }
      isOfTask.withLock { $0.append(found) }
    }
    #expect(isOfTask.withLock { $0 } == [Bool](repeating: false, count: 10))
  }

  @Test func `A file alone is read on a thread of its own`() async throws {
    let isOfTask = Mutex<[Bool]>([])
    let results = await AudioFile.readAll([FixtureFiles.path("original.wav")], width: 1) { _, _ in
      let found = unsafe withUnsafeCurrentTask { unsafe $0 != nil }
      isOfTask.withLock { $0.append(found) }
    }
    #expect(isOfTask.withLock { $0 } == [false])
    #expect(try results[0].get().buffer.frameCount == 2_205)
  }

  @Test func `An asset has the loop of its file, and whether the file is cut`() async throws {
    let folder = try TemporaryFolder()
    let looped = folder.file("looped.wav")
    var writer = try AudioFileWriter(creating: looped, format: .mono(sampleRate: 8_000))
    writer.loops = [AudioLoop(range: 10..<40)]
    try writer.write(noise(100, .mono(sampleRate: 8_000)))
    try writer.close()
    let whole = try bytes(of: save(noise(100, .mono(sampleRate: 8_000)), to: folder.file("whole.wav")))
    let cut = try folder.write(Array(whole.dropLast(100)), as: "cut.wav")
    let results = await AudioFile.readAll([looped, cut])
    let assets: [AudioAsset<Float>] = try results.map { try $0.get() }
    #expect(assets.map(\.path) == [looped, cut])
    #expect(assets.map(\.loopRange) == [10..<40, nil])
    #expect(assets.map(\.isTruncated) == [false, true])
    #expect(assets.map(\.buffer.frameCount) == [100, 50])
  }

  @Test func `readAll of several files converts each to the client format`() async throws {
    let results = await AudioFile.readAll([FixtureFiles.path("surround.ogg")], in: .mono)
    #expect(try results[0].get().buffer.format.layout == .mono)
  }
}
