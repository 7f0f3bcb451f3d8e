/// An element of an SVG drawing: a name, attributes in their order, and either children or text.
@_spi(Drawing) public struct SVGElement: Sendable {
  private let name: String
  private var attributes: [(name: String, value: String)] = []
  private var children: [SVGElement] = []
  private var text = ""

  /// An element, such as `SVGElement("circle", ["cx": 4, "cy": 2, "r": 1])`.
  public init(_ name: String, _ attributes: KeyValuePairs<String, SVGValue> = [:]) {
    self.name = name
    self.attributes = attributes.map { ($0.key, $0.value.text) }
  }

  /// An element that holds text; all of its characters are escaped.
  public init(_ name: String, _ attributes: KeyValuePairs<String, SVGValue> = [:], text: String) {
    self.init(name, attributes)
    self.text = text
  }

  /// An element that holds child elements.
  public init(_ name: String, _ attributes: KeyValuePairs<String, SVGValue> = [:], children: [SVGElement]) {
    self.init(name, attributes)
    self.children = children
  }

  /// A shape of a style, with its numbers.
  init(_ name: String, style: String, _ numbers: KeyValuePairs<String, Double>) {
    self.name = name
    attributes = [("class", style)] + numbers.map { ($0.key, SVGValue($0.value).text) }
  }

  /// The same element with a tooltip, which screen readers read as well.
  public func titled(_ title: String) -> SVGElement {
    var copy = self
    copy.children.insert(SVGElement("title", text: title), at: 0)
    return copy
  }

  /// The element as indented XML, ending in a line feed.
  func markup(indent: String) -> String {
    let head = attributes.reduce(into: "\(indent)<\(name)") { $0 += " \($1.name)=\"\($1.value.escapedForXML)\"" }
    if children.isEmpty, text.isEmpty { return head + "/>\n" }
    if children.isEmpty { return "\(head)>\(text.escapedForXML)</\(name)>\n" }
    // White space would be visible inside of text, so that all parts of a text are on one line.
    if !text.isEmpty || name == "text" {
      return "\(head)>\(children.map { $0.markup(indent: "").dropLast() }.joined())\(text.escapedForXML)</\(name)>\n"
    }
    return "\(head)>\n\(children.map { $0.markup(indent: indent + "  ") }.joined())\(indent)</\(name)>\n"
  }
}
