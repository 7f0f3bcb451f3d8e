import FileDecode
import Synchronization
import Testing

@Suite struct ParallelTests {
  @Test func `Many files come in their order, and a bad one keeps none from coming`() async throws {
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
        #expect(error.code == (path == bad ? .unrecognisedFormat : .fileNotFound))
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

  @Test func `What a cancelled task did not read says so`() async throws {
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

  @Test func `All are converted as one is`() async throws {
    let results = await AudioFile.readAll([FixtureFiles.path("surround.ogg")], in: .mono)
    #expect(try results[0].get().buffer.format.layout == .mono)
  }
}
