@_spi(Drawing) extension SVGElement {
  /// Lines across a chart, each with its value as an integer on its left.
  public static func levels(
    _ values: some Sequence<Double>,
    on scale: LinearScale,
    from left: Double,
    to right: Double
  ) -> [SVGElement] {
    values.flatMap { value in
      [
        .line(SVGPoint(left, scale(value)), SVGPoint(right, scale(value)), "faint line"),
        .text(value.text(decimals: 0), at: SVGPoint(left - 8, scale(value) + 4), "quiet end"),
      ]
    }
  }

  /// The key of a curve: a short piece of it, and its name on the right.
  public static func key(_ name: String, _ style: String, text: String = "ink", at point: SVGPoint) -> [SVGElement] {
    [
      .path(SVGPath(through: [point, SVGPoint(point.x + 18, point.y)]), "\(style) line", width: 2),
      .text(name, at: SVGPoint(point.x + 24, point.y + 4), text),
    ]
  }
}
