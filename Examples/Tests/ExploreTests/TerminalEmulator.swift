import Stage
import Testing

@testable import explore

/// A terminal that understands what the program writes, and nothing else: an unknown sequence is a failure of the test.
struct TerminalEmulator {
  /// The cells; the style of a cell is the parameters of the last rendition.
  private(set) var rows: [[(character: Character, rendition: String)]]
  private(set) var isAlternate = false

  /// The number of returns to the main screen.
  private(set) var leaveCount = 0

  private(set) var isCursorVisible = true
  private(set) var wraps = true

  /// The number of cells that were written.
  private(set) var writtenCount = 0

  /// Whether the program may still write for the size before: it has not cleared the screen since a change.
  private var hasOldSize = false
  private var cursor = (column: 0, row: 0)
  private var rendition = "0"
  private var pending = ""

  init(_ size: Screen.Size) { rows = Self.empty(size) }

  private static func empty(_ size: Screen.Size) -> [[(character: Character, rendition: String)]] {
    Array(repeating: Array(repeating: (" ", "0"), count: size.columns), count: size.rows)
  }

  /// The characters of the screen as lines.
  var text: String { rows.map { String($0.map(\.character)) + "\n" }.joined() }

  /// Gives the terminal another size, and clears it.
  mutating func resize(to size: Screen.Size) { (rows, hasOldSize) = (Self.empty(size), true) }

  /// Writes a part of the program's output; a sequence may continue in the next part.
  mutating func write(_ text: String) {
    for character in text.unicodeScalars.map({ Character($0) }) {
      if !pending.isEmpty || character == "\u{1B}" {
        pending.append(character)
        if pending.count > 2, character.isLetter { endSequence() }
      } else {
        put(character)
      }
    }
  }

  private mutating func put(_ character: Character) {
    writtenCount += 1
    guard rows.indices.contains(cursor.row), rows[cursor.row].indices.contains(cursor.column) else {
      if !hasOldSize { Issue.record("\(character) is written outside of the screen, at \(cursor)") }
      return
    }
    rows[cursor.row][cursor.column] = (character, rendition)
    cursor.column += 1
  }

  private mutating func endSequence() {
    let parameters = String(pending.dropFirst(2).dropLast())
    switch (pending.last, parameters) {
    case ("H", _):
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      cursor = (numbers[1] - 1, numbers[0] - 1)
    case ("m", _): rendition = parameters
    case ("J", "2"): (rows, hasOldSize) = (rows.map { $0.map { _ in (" ", "0") } }, false)
    case ("h", "?1049"): isAlternate = true
    case ("l", "?1049"): (isAlternate, leaveCount) = (false, leaveCount + 1)
    case ("h", "?25"), ("l", "?25"): isCursorVisible = pending.last == "h"
    case ("h", "?7"), ("l", "?7"): wraps = pending.last == "h"
    default: Issue.record("unknown sequence \(pending.debugDescription)")
    }
    pending = ""
  }
}
