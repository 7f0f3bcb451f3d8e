import Foundation
import Testing

@testable import Spatial3DReports

@Suite struct TextTests {
  @Test func `Numbers have as many decimals as asked for and a true minus sign`() {
    for (index, value) in stride(from: -2_000, through: 2_000, by: 1.333_7).enumerated() {
      let decimals = index % 5
      let text = value.text(decimals: decimals)
      let back = Double(text.replacing("−", with: "-"))
      #expect(back.map { abs($0 - value) <= 0.5001 * pow(10, -Double(decimals)) } == true, "\(value) is not \(text)")
      #expect((text.split(separator: ".").dropFirst().first?.count ?? 0) == decimals)
    }
    #expect((-0.04).text(decimals: 1) == "0.0")
    #expect((-6.0).text(decimals: 0) == "−6")
    #expect((-Double.infinity).text(decimals: 1) == "−∞")
    #expect(Double.nan.text(decimals: 1) == "–")
  }

  @Test func `Moments are written in seconds on short walks and in minutes on long ones`() {
    #expect(4.0.clockText(step: 2, end: 24) == "4")
    #expect(0.6.clockText(step: 0.2, end: 2) == "0.6")
    #expect(65.0.clockText(step: 5, end: 120) == "1:05")
    #expect(60.0.clockText(step: 10, end: 90) == "60")
    #expect(Double.infinity.clockText(step: 10, end: 900) == "∞")
  }

  @Test func `A long text keeps its beginning and its end`() {
    #expect("brook.wav".shortened(to: 9) == "brook.wav")
    #expect("a very long name 42.wav".shortened(to: 13) == "a very l….wav")
    for limit in 2...40 {
      let short = "日本語の長い名前 and then some more of it.flac".shortened(to: limit)
      #expect(short.columnCount <= limit && short.columnCount >= limit - 2, "\(limit): \(short)")
    }
  }

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
