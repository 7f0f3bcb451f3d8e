import Foundation
import FoundationXML
import Testing

@testable @_spi(Drawing) import Spatial3DReports

@Suite struct SVGTests {
  @Test(arguments: ["brook.wav", "<a> & \"b\" 'c'", "]]>", "ünï 日本語 🎧", "tab\tin it", "&amp;"])
  func `Any text comes back from a drawing as it went in`(text: String) throws {
    var drawing = SVGDrawing(width: 10, height: 10, title: text, summary: text, style: "")
    drawing.draw(.text(text, at: SVGPoint(1, 2), text))
    drawing.draw(.heading(text, note: text, at: SVGPoint(1, 2)))
    let read = try #require(ReadXML(drawing.markup))
    #expect(read.texts["title"] == text)
    #expect(read.texts["desc"] == text)
    #expect(read.texts["text"] == text)
    #expect(read.texts["tspan"] == text + text)
  }

  @Test func `A drawing stays XML with every character there is`() {
    let scalars = (0...0x10FFFF).compactMap(Unicode.Scalar.init).filter { $0.value < 0x3000 || $0.value % 257 == 0 }
    let text = String(String.UnicodeScalarView(scalars + [Unicode.Scalar(0xFFFE as UInt16)].compactMap(\.self)))
    #expect(ReadXML(SVGElement("title", text: text).markup(indent: "")) != nil)
  }

  @Test func `Numbers are written to a hundredth, without exponents`() {
    for value in stride(from: -5_000, through: 5_000, by: 3.333_7) {
      let text = SVGValue(value).text
      #expect(Double(text).map { abs($0 - value) < 0.005_01 } == true)
      #expect(!text.contains("e") && text.count <= 8, "\(text)")
    }
    #expect(SVGValue(0.001).text == "0")
    #expect(SVGValue(-0.001).text == "0")
    #expect(SVGValue(.infinity).text == "0")
    #expect(SVGValue(12).text == "12")
  }

  @Test func `A path starts where its first point is`() {
    var path = SVGPath(through: [SVGPoint(1, 2), SVGPoint(3.5, 4)])
    path.close()
    #expect(path.commands == "M1 2L3.5 4Z")
  }

  @Test func `A point moves along a bearing`() {
    let east = SVGPoint(1, 1).moved(by: 2, towards: 90)
    #expect(abs(east.x - 3) < 1e-9 && abs(east.y - 1) < 1e-9)
    let north = SVGPoint(1, 1).moved(by: 2, towards: 0)
    #expect(abs(north.x - 1) < 1e-9 && abs(north.y + 1) < 1e-9)
  }
}

/// The texts of an XML document by element; `nil` for a document that is no XML.
private final class ReadXML: NSObject, XMLParserDelegate {
  private(set) var texts: [String: String] = [:]
  private var open: [String] = []

  init?(_ markup: String) {
    super.init()
    let parser = XMLParser(data: Data(markup.utf8))
    parser.delegate = self
    guard parser.parse() else { return nil }
  }

  func parser(
    _ parser: XMLParser,
    didStartElement name: String,
    namespaceURI: String?,
    qualifiedName: String?,
    attributes: [String: String]
  ) {
    open.append(name)
  }

  func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
    open.removeLast()
  }

  func parser(_ parser: XMLParser, foundCharacters text: String) {
    if let name = open.last { texts[name, default: ""] += text }
  }
}
