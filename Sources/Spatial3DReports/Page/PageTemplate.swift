/// The HTML of a page with placeholders: names in double braces.
struct PageTemplate {
  private let pieces: [(text: String, isPlaceholder: Bool)]

  init(_ template: String) {
    var pieces: [(String, Bool)] = []
    var rest = template[...]
    while let start = rest.firstRange(of: "{{"), let end = rest[start.upperBound...].firstRange(of: "}}") {
      pieces += [(String(rest[..<start.lowerBound]), false), (String(rest[start.upperBound..<end.lowerBound]), true)]
      rest = rest[end.upperBound...]
    }
    self.pieces = pieces + [(String(rest), false)]
  }

  /// The text with each placeholder replaced by its part.
  ///
  /// The pieces are joined in one pass, so that inserted text never counts as a placeholder.
  func filled(with parts: [String: String]) -> String {
    pieces.reduce(into: "") { $0 += $1.isPlaceholder ? parts[$1.text] ?? "" : $1.text }
  }
}

extension String {
  /// The text of an embedded resource.
  init(resource: [UInt8]) { self = String(decoding: resource, as: UTF8.self) }
}
