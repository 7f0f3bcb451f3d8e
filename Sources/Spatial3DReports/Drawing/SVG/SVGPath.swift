import Glibc

/// The outline of a `path` element, point by point.
@_spi(Drawing) public struct SVGPath: Sendable {
  private(set) var commands = ""

  /// A path without points.
  public init() {}

  /// A line through points.
  public init(through points: [SVGPoint]) {
    for point in points { line(to: point) }
  }

  /// Starts a new line at a point.
  public mutating func move(to point: SVGPoint) {
    commands += "M\(point.text)"
  }

  /// Draws a line to a point; starts a line there if the path is empty.
  public mutating func line(to point: SVGPoint) {
    commands += (commands.isEmpty ? "M" : "L") + point.text
  }

  /// Draws a line back to the start of the last one.
  public mutating func close() {
    commands += "Z"
  }

  /// The path as the value of the attribute `d`.
  public var value: SVGValue { SVGValue(commands) }
}

/// A point of a drawing: x to the right, y down, in pixels.
@_spi(Drawing) public struct SVGPoint: Hashable, Sendable {
  /// The distance to the right.
  public var x: Double

  /// The distance down.
  public var y: Double

  /// A point at two distances.
  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }

  /// The point moved by a distance in a direction: clockwise in degrees, 0 is up.
  public func moved(by distance: Double, towards degrees: Double) -> SVGPoint {
    let radians = degrees * .pi / 180
    return SVGPoint(x + distance * sin(radians), y - distance * cos(radians))
  }

  fileprivate var text: String { "\(SVGValue(x).text) \(SVGValue(y).text)" }
}
