extension SVGElement {
  /// Lines across a chart, each with its value as an integer on its left.
  public static func levels(
    _ values: some Sequence<Double>,
    on scale: LinearScale,
    from left: Double,
    to right: Double
  ) -> [SVGElement] {
    values.flatMap { value in
      [
        .line(Point(left, scale(value)), Point(right, scale(value)), "faint line"),
        .text(value.text(decimals: 0), at: Point(left - 8, scale(value) + 4), "quiet end"),
      ]
    }
  }

  /// The key of a curve: a short piece of it, and its name on the right.
  public static func key(_ name: String, _ style: String, text: String = "ink", at point: Point) -> [SVGElement] {
    [
      .path(SVGPath(through: [point, Point(point.x + 18, point.y)]), "\(style) line", width: 2),
      .text(name, at: Point(point.x + 24, point.y + 4), text),
    ]
  }
}
