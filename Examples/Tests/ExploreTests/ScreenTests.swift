import Stage
import Testing

@testable import explore

@Suite struct ScreenTests {
  private static let sizes = [(1, 1), (3, 2), (40, 10), (80, 24)].map { Screen.Size(columns: $0.0, rows: $0.1) }

  /// A screen with characters and styles at random, most of which are equal in two screens.
  private func screen(_ size: Screen.Size, _ noise: inout Noise, on before: Screen? = nil) -> Screen {
    var screen = before ?? Screen(size)
    let styles: [Screen.Style] = [.plain, .faint, .strong, .series(0), .series(7), .high, .alarm]
    for row in 0..<size.rows {
      for column in 0..<size.columns where noise.next() > 0.6 {
        let style = styles[Int((noise.next() + 1) / 2 * 6.99)]
        screen.write(["a", " ", "█", "⠿", "é"][Int((noise.next() + 1) / 2 * 4.99)], at: column, row, style)
      }
    }
    return screen
  }

  @Test(arguments: sizes, [Palette.colors, .monochrome])
  func `An update turns what a terminal shows into the next screen`(size: Screen.Size, palette: Palette) {
    var noise = Noise(seed: 5)
    var terminal = TerminalEmulator(size)
    var before: Screen?
    for _ in 0..<20 {
      let next = screen(size, &noise, on: before)
      terminal.write(ScreenUpdate(from: before, to: next, palette: palette).text)
      for row in 0..<size.rows {
        for column in 0..<size.columns {
          let (cell, shown) = (next[column, row], terminal.rows[row][column])
          #expect(shown.character == cell.character)
          #expect(shown.rendition == palette.rendition(of: cell.style))
        }
      }
      before = next
    }
  }

  @Test func `A screen that is shown already needs nothing, and a changed cell needs one`() {
    var noise = Noise(seed: 1)
    let size = Screen.Size(columns: 80, rows: 24)
    let before = screen(size, &noise)
    #expect(ScreenUpdate(from: before, to: before, palette: .colors).text.isEmpty)
    var next = before
    next[79, 23] = Screen.Cell(character: "Z", style: .low)
    #expect(ScreenUpdate(from: before, to: next, palette: .colors).text == "\u{1B}[24;80H\u{1B}[0;32mZ\u{1B}[0m")
  }

  @Test func `A screen of another size is written anew on a cleared terminal`() {
    let screen = Screen(Screen.Size(columns: 3, rows: 1))
    let other = Screen(Screen.Size(columns: 1, rows: 3))
    #expect(ScreenUpdate(from: other, to: screen, palette: .colors).text == "\u{1B}[0m\u{1B}[2J")
    #expect(ScreenUpdate(from: nil, to: screen, palette: .colors).text == "\u{1B}[0m\u{1B}[2J")
  }

  @Test func `Only a palette with colours has codes of colours`() {
    let styles: [Screen.Style] =
      [.plain, .faint, .strong, .wall, .listener, .low, .middle, .high, .alarm] + (-1...8).map { .series($0) }
    for style in styles {
      let codes = Palette.monochrome.rendition(of: style).split(separator: ";").compactMap { Int($0) }
      #expect(codes.allSatisfy { $0 < 30 } && codes.first == 0)
      #expect(Palette.colors.rendition(of: style).hasPrefix("0"))
    }
    #expect(Palette.colors.rendition(of: .series(0)) != Palette.colors.rendition(of: .series(1)))
  }

  @Test func `Text outside of a screen is dropped, and a wide or combined character becomes a question mark`() {
    var screen = Screen(Screen.Size(columns: 4, rows: 2))
    screen.write("abcdef", at: 2, 0)
    screen.write("xyz", at: -2, 1, width: 3)
    screen.write("never", at: 0, 7)
    #expect(screen.text == "  ab\nz\n")
    screen.write("é日\u{1F600}e\u{301}", at: 0, 0)
    #expect(screen.text(ofRow: 0) == "é???")
    screen.write("\u{1B}\t\u{200B}\u{202E}", at: 0, 0)
    #expect(screen.text(ofRow: 0) == "????")
    #expect(screen[9, 9] == Screen.Cell())
  }

  @Test func `A screen of a negative size is empty`() {
    #expect(Screen(Screen.Size(columns: -1, rows: 5)).cells.isEmpty)
  }
}
