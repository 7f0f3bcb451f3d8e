@_spi(Drawing) import Spatial3DReports
import Stage
import Testing

@Suite struct TextTableTests {
  @Test func `The columns of a table line up whatever its texts are`() {
    var table = TextTable(columns: [.init("s", group: "time"), .init("left", group: "名前 of a group"), .init("right")])
    table.append(["0.0", "-12.5", "silent"])
    table.append(["10.0", "日本"])
    table.append(["1", "2", "3", "4"])
    let lines = table.description.split(separator: "\n").map(String.init)
    #expect(lines.count == 5)
    #expect(Set(lines.dropFirst().map(\.columnCount)).count == 1)
    let bars = lines.map { line in line.indices.filter { line[$0] == "│" }.map { String(line[..<$0]).columnCount } }
    #expect(Set(bars).count == 1, "\(table)")
  }

  @Test func `A table without columns is empty`() {
    var table = TextTable(columns: [])
    table.append(["dropped"])
    #expect(table.description.isEmpty)
  }

  @Test func `A column that is its own group is as wide as the group's name`() {
    var table = TextTable(columns: [
      .init("s", group: "time"), .init("left", group: "ears"), .init("right", group: "ears"),
    ])
    table.append(["0.0", "1", "2"])
    #expect(
      table.description == """
        time │ ears
           s │ left  right
         0.0 │    1      2

        """
    )
  }
}
