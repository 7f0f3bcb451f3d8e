import Stage
import Testing

@testable import explore

@Suite struct DashboardTests {
  private func dashboard(sounds count: Int = 3, notices: Int = 0, _ glyphs: Glyphs = .unicode) -> Dashboard {
    var readings = Readings(soundCount: count, earsHeading: "Ears, measured in the mix")
    readings.append(
      (0..<notices).map { Readings.Notice(time: Double($0), soundIndex: $0 % 2 == 0 ? 0 : nil, words: "notice \($0)") }
    )
    let world = World(.house, sounds: (0..<count).map { ("sound \($0 + 1).wav", -20) })
    return Dashboard(world: world, readings: readings, output: "offline", isSilent: false, glyphs: glyphs)
  }

  @Test func `A screen of every size is drawn; one that is too small states the size it needs`() {
    for columns in [0, 1, 2, 39, 40, 77, 78, 80, 118, 200] {
      for rows in [0, 1, 2, 10, 21, 22, 24, 60] {
        let size = Screen.Size(columns: columns, rows: rows)
        let screen = dashboard(sounds: 6, notices: 300).screen(size)
        #expect(screen.size == size)
        let isLargeEnough = columns >= Dashboard.smallest.columns && rows >= Dashboard.smallest.rows
        #expect(screen.text.contains("Notifications") == isLargeEnough)
        if !isLargeEnough, columns * rows >= 60 {
          let needed = screen.text.replacing("\n", with: "").replacing(" ", with: "")
          #expect(needed.contains("Needs78x22characters,has\(columns)x\(rows)."))
        }
      }
    }
  }

  @Test(arguments: 1...6)
  func `The smallest screen shows every sound, both ears, a notification and the keys`(count: Int) {
    let text = dashboard(sounds: count, notices: 9).screen(Dashboard.smallest).text
    for index in 1...count { #expect(text.contains("\(index) sound \(index)")) }
    #expect(text.contains("\u{20}L ·") && text.contains("\u{20}R ·"))
    #expect(text.contains("notice 8"))
    #expect(text.contains(count == 1 ? "1 mute" : "1-\(count) mute"))
    #expect(text.contains("Q quit"))
  }

  @Test func `Without Unicode every character is ASCII`() {
    for size in [Dashboard.smallest, Screen.Size(columns: 30, rows: 3), Screen.Size(columns: 200, rows: 60)] {
      let text = dashboard(sounds: 6, notices: 9, .ascii).screen(size).text
      #expect(text.allSatisfy { $0.isASCII })
    }
  }

  @Test func `The listener is an arrow along the heading`() {
    let arrows = (0..<360).map { Glyphs.unicode.arrow(Double($0)) }
    #expect(arrows[0] == "↑" && arrows[22] == "↑" && arrows[23] == "↗" && arrows[90] == "→" && arrows[359] == "↑")
    #expect(Set(arrows).count == 8)
    #expect(
      [0, 45.1, 135.1, 225.1, 315.1, 360, -90].map { Glyphs.ascii.arrow($0) } == ["^", ">", "v", "<", "^", "^", "<"]
    )
    let lines = dashboard().screen(Dashboard.smallest).text.split(separator: "\n")
    // The start is in the row 10 and the column 10 of the plan.
    #expect(Array(lines[11])[10] == "↑")
  }

  @Test func `A muted sound is marked on the plan and in the panel`() {
    var world = World(.house, sounds: [("a.wav", -20)])
    world.perform(.toggleMute(0))
    let readings = Readings(soundCount: 1, earsHeading: "")
    let board = Dashboard(world: world, readings: readings, output: "", isSilent: false, glyphs: .unicode)
    let lines = board.screen(Dashboard.smallest).text.split(separator: "\n")
    #expect(lines[3].hasPrefix("▓   1x "))
    #expect(lines.contains { $0.hasSuffix("  muted") })
  }

  @Test func `A larger window has a larger plan`() {
    func wallCount(_ columns: Int, _ rows: Int) -> Int {
      dashboard().screen(Screen.Size(columns: columns, rows: rows)).text.count { $0 == "▓" }
    }
    let small = wallCount(80, 24)
    #expect(wallCount(117, 60) == small)
    #expect(wallCount(118, 35) == 4 * small)
    #expect(wallCount(158, 49) == 9 * small)
  }

  @Test func `Old notifications are dropped`() {
    var readings = Readings(soundCount: 0, earsHeading: "")
    for index in 0..<500 { readings.append([Readings.Notice(time: Double(index), soundIndex: nil, words: "")]) }
    #expect(readings.notices.count == Readings.mostNotices)
    #expect(readings.notices.last?.time == 499)
  }
}
