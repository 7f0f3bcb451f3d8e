import PCM
import Testing

@Suite struct PCMReaderTests {
  /// An endless and silent reader, with no other members than the protocol requires.
  private struct Silence: PCMReader {
    let format = PCMFormat.mono(sampleRate: 8_000)
    let frameCount: Int? = nil

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      buffer.removeAll(adopting: format)
      return buffer.append(frames: maxFrames) { room in for _ in 0..<maxFrames { room.append(0) } }
    }

    mutating func seek(toFrame frame: Int) {}
  }

  @Test func `A reader has no name, no loop and no exact samples by default, and a block has 4,096 frames`() {
    var reader = Silence()
    #expect(reader.name == nil && reader.loopRange == nil && !reader.isExactAsInt16)
    var block = PCMBuffer<Float>(format: reader.format)
    let count = reader.read(into: &block)
    #expect(count == 4_096 && block.frameCount == 4_096)
  }
}
