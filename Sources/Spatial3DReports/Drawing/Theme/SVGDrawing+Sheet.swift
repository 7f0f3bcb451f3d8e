@_spi(Drawing) extension SVGDrawing {
  /// The distance of a sheet's text from its left side, in pixels.
  public static let margin = 32.0

  /// A sheet in the colours of ``Theme``, with its title and a fainter note above everything else.
  ///
  /// The content begins 92 pixels below the top.
  public static func sheet(
    width: Double,
    height: Double,
    title: String,
    note: String,
    summary: String
  ) -> SVGDrawing {
    var drawing = SVGDrawing(width: width, height: height, title: title, summary: summary, style: Theme.styleSheet)
    drawing.draw(SVGElement("rect", ["class": "paper fill", "width": "100%", "height": "100%"]))
    drawing.draw(.text(title, at: SVGPoint(margin, 46), "ink title"))
    drawing.draw(.text(note, at: SVGPoint(margin, 69), "quiet"))
    return drawing
  }
}
