/// The plan of the ground: walls, a hall, a garden, and positions for sounds.
///
/// Positions are in metres from the upper left corner: x to the right (east), y down the plan (south).
struct Plan: Sendable {
  /// The kinds of ground.
  enum Ground: Sendable {
    case wall
    case hall
    case garden
  }

  /// The size of a cell of the plan, in metres: half as wide as high, like a character of a terminal.
  static let cellSize = SIMD2(0.5, 1.0)

  /// A hall and a garden, with an opening in the wall between them.
  static let house = Plan(
    """
    ########################################
    #                    #.................#
    #   1                #.................#
    #                    #..........2......#
    #                    #.................#
    #                     .................#
    #               5     ..........6......#
    #                    #.................#
    #                    #.................#
    #                    #.................#
    #         @          #.................#
    #                    #.....3...........#
    #   4                #.................#
    ########################################
    """
  )

  /// The number of cells in a row.
  let columns: Int

  /// The number of rows.
  let rows: Int

  /// The positions for sounds, in the order of their digits.
  let places: [SIMD2<Double>]

  /// The position of the listener at the beginning.
  let start: SIMD2<Double>

  private let cells: [[Ground]]

  /// A plan from a text: `#` is a wall, a space the hall, `.` the garden.
  ///
  /// Digits from 1 on are the positions for sounds, and `@` is the start; their ground is the ground of the cell on
  /// their left. Cells that a short line lacks are walls.
  init(_ text: String) {
    var places: [Int: SIMD2<Double>] = [:]
    var start = SIMD2<Double>.zero
    var cells: [[Ground]] = []
    for (row, line) in text.split(separator: "\n").enumerated() {
      var grounds: [Ground] = []
      for (column, character) in line.enumerated() {
        let center = (SIMD2(Double(column), Double(row)) + 0.5) * Self.cellSize
        switch character {
        case "#": grounds.append(.wall)
        case ".": grounds.append(.garden)
        case " ": grounds.append(.hall)
        default:
          if let digit = character.wholeNumberValue { places[digit] = center } else { start = center }
          grounds.append(grounds.last ?? .wall)
        }
      }
      cells.append(grounds)
    }
    self.cells = cells
    self.start = start
    self.places = places.sorted { $0.key < $1.key }.map(\.value)
    columns = cells.map(\.count).max() ?? 0
    rows = cells.count
  }

  /// The ground of a cell; a wall outside of the plan.
  func ground(column: Int, row: Int) -> Ground {
    guard cells.indices.contains(row), cells[row].indices.contains(column) else { return .wall }
    return cells[row][column]
  }

  /// The ground at a position.
  func ground(at position: SIMD2<Double>) -> Ground {
    let cell = (position / Self.cellSize).rounded(.down)
    return ground(column: Int(cell.x), row: Int(cell.y))
  }

  /// The corners of the smallest rectangle around a ground; `nil` for a ground that the plan lacks.
  func bounds(of ground: Ground) -> (low: SIMD2<Double>, high: SIMD2<Double>)? {
    let inside = cells.indices.flatMap { row in
      cells[row].indices.filter { cells[row][$0] == ground }.map { SIMD2(Double($0), Double(row)) }
    }
    guard let first = inside.first else { return nil }
    let (low, high) = inside.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
    return (low * Self.cellSize, (high + 1) * Self.cellSize)
  }

  /// Whether a person with a radius in metres can stand at a position.
  func hasRoom(at position: SIMD2<Double>, radius: Double) -> Bool {
    let corners: [SIMD2<Double>] = [[-1, -1], [1, -1], [-1, 1], [1, 1]]
    return corners.allSatisfy { ground(at: position + $0 * radius) != .wall }
  }

  /// Whether a wall is between two positions; a wall counts from a tenth of a metre on.
  func hasWall(between start: SIMD2<Double>, and end: SIMD2<Double>) -> Bool {
    let way = end - start
    let count = max(Int(((way * way).sum().squareRoot() / 0.1).rounded(.up)), 1)
    return (0...count).contains { ground(at: start + way * (Double($0) / Double(count))) == .wall }
  }
}
