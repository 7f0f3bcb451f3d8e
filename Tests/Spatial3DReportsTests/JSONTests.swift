import Foundation
import Testing

@testable import Spatial3DReports

@Suite struct JSONTests {
  @Test func `Any text comes back from JSON as it went in, and holds no tag`() throws {
    let scalars = (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter { $0.value < 0x3000 || $0.value % 257 == 0 }
    let text = String(String.UnicodeScalarView(scalars))
    let markup = JSON.object(["text": .text(text)]).markup
    let read = try JSONSerialization.jsonObject(with: Data(markup.utf8)) as? [String: String]
    #expect(read?["text"]?.unicodeScalars.elementsEqual(scalars) == true)
    #expect(!markup.contains("<"))
  }

  @Test(arguments: [0, -0.5, 1e-7, 1e20, 12, -200, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
  func `A number comes back as it went in`(number: Double) throws {
    let read = try JSONSerialization.jsonObject(with: Data(JSON.list([.number(number)]).markup.utf8)) as? [Double]
    #expect(read == [number])
  }

  @Test func `A number that is not finite becomes 0`() {
    #expect(JSON.list([.number(.nan), .number(.infinity), 1.5]).markup == "[0,0,1.5]")
  }

  @Test(arguments: 0..<70) func `Base64 is that of Foundation`(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + 200) }
    #expect(bytes.base64 == Data(bytes).base64EncodedString())
  }
}
