import Spatial3DTesting
import Testing

@Suite struct FramesTests {
  private let format = PCMFormat.stereo(sampleRate: 1_000)

  @Test func `A part holds the requested frames that exist`() throws {
    let buffer = try PCMBuffer(samples: (0..<20).map(Float.init), format: format)
    #expect(buffer.frames(2..<4).samples == [4, 5, 6, 7])
    #expect(buffer.frames(2..<4).format == format)
    #expect(buffer.frames(0..<10) == buffer)
    #expect(buffer.frames(-5..<1).samples == [0, 1])
    #expect(buffer.frames(9..<(.max)).samples == [18, 19])
    #expect(buffer.frames(10..<12).samples == [])
    #expect(buffer.frames(.min ..< .max) == buffer)
    #expect(PCMBuffer<Int16>(format: format).frames(0..<5).samples == [])
  }

  @Test func `A part in time is rounded to frames`() throws {
    let buffer = try PCMBuffer(samples: (0..<20).map(Int16.init), format: format)
    #expect(buffer.frames(in: .milliseconds(2)..<(.milliseconds(4))) == buffer.frames(2..<4))
    #expect(buffer.frames(in: .microseconds(2_400)..<(.microseconds(3_600))) == buffer.frames(2..<4))
    #expect(buffer.frames(in: .seconds(-1)..<(.seconds(1_000_000_000_000))) == buffer)
  }
}
