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
    SVGElement("line", style: style, ["x1": start.x, "y1": start.y, "x2": end.x, "y2": end.y])
  }

  /// A circle.
  public static func circle(at center: SVGPoint, radius: Double, _ style: String) -> SVGElement {
    SVGElement("circle", style: style, ["cx": center.x, "cy": center.y, "r": radius])
  }

  /// A rectangle with slightly rounded corners.
  public static func panel(at corner: SVGPoint, width: Double, height: Double, _ style: String) -> SVGElement {
    SVGElement("rect", style: style, ["x": corner.x, "y": corner.y, "width": width, "height": height, "rx": 6])
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
