import Testing

@testable import GameAudio

/// The list of what was reported last.
@Suite struct RecentReportsTests {
  @Test func `A subject is reported once for a reason, and again for another one and after it was whole`() {
    var reports = RecentReports()
    let first = [("missing", "a"), ("missing", "a"), ("missing", "b"), ("cut", "a"), ("cut", "a")]
    let areNew = first.map { reports.isNew($0, about: $1) }
    #expect(areNew == [true, false, true, true, false])
    reports.forget("a")
    let isNewAfterwards = reports.isNew("cut", about: "a")
    #expect(isNewAfterwards)
    reports.forget("unknown")
    #expect(reports.count == 2)
  }

  @Test func `Ever new failures do not grow the list, and the latest ones are known`() {
    var reports = RecentReports()
    let limit = RecentReports.limit
    for index in 0..<20 * limit {
      let isNew = reports.isNew("missing", about: "\(index)")
      if !isNew { Issue.record("\(index) was not reported") }
      if index.isMultiple(of: 3) { reports.forget("\(index)") }
    }
    #expect(reports.count == limit)
    for index in 19 * limit..<20 * limit where !index.isMultiple(of: 3) {
      if reports.isNew("missing", about: "\(index)") { Issue.record("\(index) was reported twice") }
    }
    let isOldestNew = reports.isNew("missing", about: "0")
    #expect(isOldestNew)
  }

  @Test func `The list has 1,024 subjects, and the oldest one goes for the next`() {
    var reports = RecentReports()
    for index in 0..<1_024 { _ = reports.isNew("missing", about: "\(index)") }
    #expect(reports.count == 1_024)
    let isFirstKnown = !reports.isNew("missing", about: "0")
    #expect(isFirstKnown)
    _ = reports.isNew("missing", about: "next")
    #expect(reports.count == 1_024)
    let isSecondKnown = !reports.isNew("missing", about: "1")
    #expect(isSecondKnown)
    let isFirstNew = reports.isNew("missing", about: "0")
    #expect(isFirstNew)
  }
}
