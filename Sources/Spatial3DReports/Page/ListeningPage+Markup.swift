extension ListeningPage {
  /// The page as the text of one HTML file, without any dependency: no network, no font, no library.
  public var markup: String {
    let parts = [
      "title": title.escapedForXML,
      "summary": summary.escapedForXML,
      "style": Theme.customProperties + "\n" + Self.text(PackageResources.page_css),
      "script": Self.text(PackageResources.page_js),
      "scene": scene.markup,
      "sound": sound.bytes.base64,
    ]
    // The pieces are joined in one pass, so that inserted text never counts as a placeholder.
    var page = ""
    for piece in Self.pieces(of: Self.text(PackageResources.page_html)) {
      page += piece.isPlaceholder ? parts[piece.text] ?? "" : piece.text
    }
    return page
  }

  /// Writes the page as a file, completely or not at all, in place of an older file.
  ///
  /// - Throws: ``ReportError`` with the code `writeFailed`.
  public func write(to path: String) throws(ReportError) {
    try writeReport(markup, to: path)
  }

  private static func text(_ resource: [UInt8]) -> String { String(decoding: resource, as: UTF8.self) }

  /// The pieces of a template; a placeholder is a name in double braces.
  private static func pieces(of template: String) -> [(text: String, isPlaceholder: Bool)] {
    var pieces: [(String, Bool)] = []
    var rest = template[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      pieces += [(String(rest[..<start.lowerBound]), false), (String(rest[start.upperBound..<end.lowerBound]), true)]
      rest = rest[end.upperBound...]
    }
    return pieces + [(String(rest), false)]
  }
}
