@_spi(Drawing) import Spatial3DReports

/// A picture of a guide, for two files: one in light colours and one in dark colours.
struct Picture {
  /// The width of each picture, in pixels: with this width its text is readable on a phone too.
  static let width = 560.0

  /// The name of the files, without an extension.
  let name: String
  let title: String
  /// The content, for a screen reader.
  let summary: String
  let height: Double
  let elements: [SVGElement]

  /// The SVG in one of the two sets of colours.
  func markup(_ appearance: Theme.Appearance, library: String) -> String {
    var drawing = SVGDrawing(
      width: Self.width,
      height: height,
      title: title,
      summary: "\(summary) Measured with OpenAL Soft \(library).",
      style: Theme.styleSheet(appearance) + Self.rules
    )
    drawing.draw(SVGElement("rect", ["class": "panel fill", "width": "100%", "height": "100%", "rx": 10]))
    drawing.draw(elements)
    return drawing.markup
  }

  /// Larger text than on a sheet, because a phone shows a picture at two thirds of its size.
  private static let rules = """
    text { font-size: 15px; }
    .heading { font-size: 15px; }
    .small { font-size: 13px; }
    .dashed { stroke-dasharray: 4 5; }

    """
}

/// A failed assumption of a picture about the library.
struct PictureError: Error, CustomStringConvertible {
  let description: String
}
