import FileDecode
import Foundation
import Synchronization
import Testing

@Suite struct SharingTests {
  @Test func `Four threads that read from one file at once get every frame once`() throws {
    let folder = try TemporaryFolder()
    let original = try noise(200_000, .mono(sampleRate: 44_100))
    for name in ["a.wav", "a.flac"] {
      let file = Shared(try AudioFile(opening: save(original, to: folder.file(name))))
      let sum = Atomic(0)
      let frameCount = Atomic(0)
      let group = DispatchGroup()
      for _ in 0..<4 {
        group.enter()
        Thread {
          var block = PCMBuffer<Float>(format: file.value.format)
          while let count = try? file.value.read(into: &block, maxFrames: 97), count > 0 {
            frameCount.add(count, ordering: .relaxed)
            sum.add(block.samples.reduce(0) { $0 + Int($1 * 32_768) }, ordering: .relaxed)
          }
          _ = file.value.isTruncated
          group.leave()
        }.start()
      }
      group.wait()
      #expect(frameCount.load(ordering: .relaxed) == 200_000)
      #expect(sum.load(ordering: .relaxed) == original.samples.reduce(0) { $0 + Int($1) })
    }
  }

  /// A file that several threads share.
  private final class Shared: Sendable {
    let value: AudioFile
    init(_ value: consuming AudioFile) { self.value = value }
  }
}
