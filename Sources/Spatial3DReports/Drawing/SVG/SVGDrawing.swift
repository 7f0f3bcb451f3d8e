/// A drawing of a page: the text of one SVG file, without any dependency.
///
/// ``ListeningPage/drawing`` returns one.
public struct SVGDrawing: Sendable {
  private let width: Double
  private let height: Double
  private let title: String
  private let summary: String
  private let style: String
  /// Later elements cover earlier elements.
  private var elements: [SVGElement] = []

  /// An empty drawing of a size in pixels.
  ///
  /// A screen reader reads `title` and `summary`; `style` is CSS.
  @_spi(Drawing) public init(width: Double, height: Double, title: String, summary: String, style: String) {
    self.width = width
    self.height = height
    self.title = title
    self.summary = summary
    self.style = style
  }

  /// Draws an element above all others.
  @_spi(Drawing) public mutating func draw(_ element: SVGElement) {
    elements.append(element)
  }

  /// Draws a layer of elements above all others, with an offset to the right and down.
  @_spi(Drawing) public mutating func draw(_ layer: [SVGElement], x: Double = 0, y: Double = 0) {
    draw(SVGElement("g", ["transform": "translate(\(SVGValue(x).text) \(SVGValue(y).text))"], children: layer))
  }

  /// The drawing as the text of an SVG file.
  public var markup: String {
    let (width, height) = (SVGValue(width).text, SVGValue(height).text)
    let root = SVGElement(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": "0 0 \(width) \(height)",
        "width": "\(width)",
        "height": "\(height)",
        "role": "img",
        "aria-labelledby": "title summary",
      ],
      children: [
        SVGElement("title", ["id": "title"], text: title),
        SVGElement("desc", ["id": "summary"], text: summary),
        SVGElement("style", text: style),
      ] + elements
    )
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.markup(indent: "")
  }

  /// Writes the drawing as a file, completely or not at all; replaces an older file.
  ///
  /// - Throws: ``ReportError`` with the code `writeFailed`.
  public func write(to path: String) throws(ReportError) {
    try writeReport(markup, to: path)
  }
}
