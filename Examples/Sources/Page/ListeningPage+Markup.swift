import Drawing
import Foundation

extension ListeningPage {
  /// The page as the text of one HTML file, without any dependency: no network, no font, no library.
  public func markup(with sound: PageSound) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // Escaping `<` keeps the data from ending the element that holds it.
    let scene = String(decoding: try encoder.encode(self), as: UTF8.self).replacing("<", with: "\\u003c")
    let parts = [
      "title": title.escapedForXML,
      "summary": summary.escapedForXML,
      "style": Theme.customProperties + "\n" + (try Self.resource("page.css")),
      "script": try Self.resource("page.js"),
      "scene": scene,
      "sound": try sound.base64(),
    ]
    // Replaces the placeholders one after the other, so that inserted text never counts as a placeholder.
    var page = ""
    for piece in try Self.resource("page.html").split(separator: "{{", omittingEmptySubsequences: false) {
      guard let end = piece.range(of: "}}") else {
        page += piece
        continue
      }
      page += (parts[String(piece[..<end.lowerBound])] ?? "") + piece[end.upperBound...]
    }
    return page
  }

  private static func resource(_ name: String) throws -> String {
    let file = Bundle.module.bundleURL.appending(components: "Resources", name)
    return try String(contentsOf: file, encoding: .utf8)
  }
}
