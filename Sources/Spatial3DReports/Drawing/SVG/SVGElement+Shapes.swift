@_spi(Drawing) extension SVGElement {
  /// A text with its baseline at a point.
  public static func text(_ text: String, at point: SVGPoint, _ style: String) -> SVGElement {
    SVGElement("text", ["class": SVGValue(style), "x": SVGValue(point.x), "y": SVGValue(point.y)], text: text)
  }

  /// A heading with a fainter note after it, its baseline at a point.
  public static func heading(_ heading: String, note: String = "", at point: SVGPoint) -> SVGElement {
    SVGElement(
      "text",
      ["x": SVGValue(point.x), "y": SVGValue(point.y)],
      children: [SVGElement("tspan", ["class": "ink heading"], text: heading)]
        + (note.isEmpty ? [] : [SVGElement("tspan", ["class": "quiet", "dx": 8], text: note)])
    )
  }

  /// A straight line.
  public static func line(_ start: SVGPoint, _ end: SVGPoint, _ style: String) -> SVGElement {
    SVGElement(
      "line",
      [
        "class": SVGValue(style), "x1": SVGValue(start.x), "y1": SVGValue(start.y), "x2": SVGValue(end.x),
        "y2": SVGValue(end.y),
      ]
    )
  }

  /// A circle.
  public static func circle(at center: SVGPoint, radius: Double, _ style: String) -> SVGElement {
    SVGElement(
      "circle",
      ["class": SVGValue(style), "cx": SVGValue(center.x), "cy": SVGValue(center.y), "r": SVGValue(radius)]
    )
  }

  /// A rectangle with slightly rounded corners.
  public static func panel(at corner: SVGPoint, width: Double, height: Double, _ style: String) -> SVGElement {
    SVGElement(
      "rect",
      [
        "class": SVGValue(style), "x": SVGValue(corner.x), "y": SVGValue(corner.y), "width": SVGValue(width),
        "height": SVGValue(height), "rx": 6,
      ]
    )
  }

  /// An outline or an area.
  public static func path(_ path: SVGPath, _ style: String, width: Double = 1, opacity: Double = 1) -> SVGElement {
    SVGElement(
      "path",
      [
        "class": SVGValue(style), "d": path.value, "stroke-width": SVGValue(width), "opacity": SVGValue(opacity),
      ]
    )
  }
}
