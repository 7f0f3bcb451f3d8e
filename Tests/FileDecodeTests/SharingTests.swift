import AudioSupport
import FileDecode
import Foundation
import Testing

@Suite struct SharingTests {
  @Test(arguments: ["a.wav", "a.flac"])
  func `Four threads that read from one file at once get every frame once`(name: String) throws {
    let folder = try TemporaryFolder()
    let original = try noise(200_000, .mono(sampleRate: 44_100))
    let file = Shared(try AudioFile(opening: save(original, to: folder.file(name))))
    /// The samples of each read, by thread, in the order of the thread's reads.
    let reads = Shared(Lock([[[Int16]]](repeating: [], count: 4)))
    let group = DispatchGroup()
    for thread in 0..<4 {
      group.enter()
      Thread {
        var block = PCMBuffer<Float>(format: file.value.format)
        while let count = try? file.value.read(into: &block, maxFrames: 97), count > 0 {
          let samples = block.samples.map { Int16($0 * 32_768) }
          reads.value.withLock { $0[thread].append(samples) }
        }
        _ = file.value.isTruncated
        group.leave()
      }.start()
    }
    group.wait()

    let starts = Array(stride(from: 0, to: 200_000, by: 97))
    let startsByBlock = Dictionary(
      uniqueKeysWithValues: starts.map { (Array(original.samples[$0..<min($0 + 97, 200_000)]), $0) }
    )
    let found = try reads.value.withLock { $0 }.map { try $0.map { try #require(startsByBlock[$0]) } }
    #expect(found.joined().sorted() == starts)
    // The reads of one thread are in the order of the file.
    for starts in found { #expect(starts == starts.sorted()) }
  }

  /// A value that several threads share.
  private final class Shared<Value: Sendable & ~Copyable>: Sendable {
    let value: Value
    init(_ value: consuming Value) { self.value = value }
  }
}
