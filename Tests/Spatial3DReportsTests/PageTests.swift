import FileDecode
import Foundation
import Testing

@testable import Spatial3DReports

@Suite struct PageTests {
  private let format = PCMFormat.stereo(sampleRate: 48_000)

  /// A page of two seconds with a tone.
  private func markup(title: String = "A tone", sourceName: String = "tone.wav") throws -> String {
    var writer = try PageSoundWriter(format: format)
    let samples = (0..<192_000).map { 0.4 * Float(sin(2 * .pi * 440 * Double($0 / 2) / 48_000)) }
    try writer.write(PCMBuffer(samples: samples, format: format))
    let map = ListeningPage.Area(x: -1...1, z: -1...1)
    var page = ListeningPage(title: title, summary: "It sounds.", sound: try writer.finish(), map: map)
    page.sources = [.init(name: sourceName, x: [0], z: [-1], level: page.moments.map { -20 - $0 })]
    page.ears = .init(left: [-20], right: page.moments.map { $0 < 1 ? -.infinity : -31.26 })
    page.events = [.init(at: 1, source: 0, text: "\(sourceName) starts over")]
    return page.markup
  }

  /// The content of the element with an id.
  private func content(of id: String, in markup: String) throws -> Substring {
    let start = try #require(markup.range(of: "id=\"\(id)\">"))
    let end = try #require(markup.range(of: "</script>", range: start.upperBound..<markup.endIndex))
    return markup[start.upperBound..<end.lowerBound]
  }

  @Test func `A page holds its sound, to the frame`() throws {
    let base64 = try content(of: "sound", in: markup())
    let bytes = try #require(Data(base64Encoded: String(base64)))
    let file = try AudioFile(bytes: [UInt8](bytes))
    #expect(file.codec == .mp3)
    #expect(try file.readAll().frameCount == 96_000)
  }

  @Test func `A page holds its scene in numbers that a script can read`() throws {
    let scene = try content(of: "scene", in: markup())
    let object = try #require(try JSONSerialization.jsonObject(with: Data(scene.utf8)) as? [String: Any])
    let ears = try #require(object["ears"] as? [String: [Double]])
    #expect(ears["left"] == [-20])
    #expect(ears["right"]?.first == -200)
    #expect(ears["right"]?.last == -31.3)
    #expect(ears["right"]?.count == 61)
    #expect(object["levels"] as? [String: Double] == ["lowest": -70, "highest": -20])
  }

  @Test func `A page asks nothing of the network`() throws {
    let markup = try markup()
    #expect(markup.contains("default-src 'none'"))
    for reference in ["http:", "https:", "src=\"", "@import", "url(", "fetch("] {
      #expect(!markup.contains(reference), "\(reference)")
    }
    #expect(!markup.contains("{{") && !markup.contains("nan"))
  }

  @Test func `Names cannot become markup`() throws {
    let name = "</script><img onerror=x>{{script}}\"&.wav"
    let markup = try markup(title: name, sourceName: name)
    #expect(!markup.contains("<img"))
    #expect(markup.components(separatedBy: "</script>").count == 4)
    let scene = try content(of: "scene", in: markup)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(scene.utf8)) as? [String: Any])
    #expect((object["sources"] as? [[String: Any]])?.first?["name"] as? String == name)
  }

  @Test(arguments: [-1, 0, .nan, .infinity, 2]) func `A page without values is complete`(rate: Double) throws {
    let sound = PageSound(seconds: 0, levelChange: 0, loudness: .silence, bytes: [])
    let map = ListeningPage.Area(x: 0...0, z: 0...0)
    var page = ListeningPage(title: "", summary: "", sound: sound, rate: rate, map: map)
    #expect(page.rate == (rate == 2 ? 2 : 30))
    page.listener = .init(x: [], z: [], turn: [])
    page.sources = [.init(name: "", x: [], z: [], level: [], opacity: [])]
    page.things = [.init(), .init(radius: 1, opacity: [])]
    page.ears = .init(left: [], right: [.nan])
    page.readings = [.init("", unit: "", values: [])]
    page.events = [.init(at: 0, source: 7, text: "")]
    for markup in [page.markup, page.drawing.markup] { #expect(!markup.contains("nan") && !markup.contains("inf")) }
  }

  @Test func `A page has its texts, its sound and its area`() {
    let sound = PageSound(seconds: 2, levelChange: 0, loudness: .silence, bytes: [])
    let area = ListeningPage.Area(x: -1...2, z: 0...3)
    let page = ListeningPage(title: "A tone", summary: "It sounds.", sound: sound, map: area)
    #expect(page.title == "A tone" && page.summary == "It sounds." && page.sound.seconds == 2)
    #expect(page.map.x == -1...2 && page.map.z == 0...3)
  }

  @Test func `A sound of more than two channels is refused`() {
    let error = #expect(throws: ReportError.self) {
      _ = try PageSoundWriter(format: PCMFormat(sampleRate: 48_000, layout: .surround51)).format
    }
    #expect(error?.code == .formatUnsupported)
  }
}
