import TestSupport
import Testing

@Suite struct EventuallyTests {
  @Test func `A condition that holds is polled once`() async throws {
    var polls = 0
    try await eventually("it holds", within: .zero) {
      polls += 1
      return true
    }
    #expect(polls == 1)
  }

  @Test func `A condition is polled until it holds`() async throws {
    var polls = 0
    try await eventually("the third poll") {
      polls += 1
      return polls == 3
    }
    #expect(polls == 3)
  }

  @Test func `After the limit the caller's line gets one issue, which names the condition`() async throws {
    let line = #line + 2
    try await withKnownIssue {
      try await eventually("pigs fly", within: .milliseconds(20)) { false }
      Issue.record("The test goes on")
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.comments.contains { $0.rawValue.hasSuffix("pigs fly") }
    }
  }

  @Test func `Code that is not asynchronous waits in the same way`() throws {
    var polls = 0
    try eventually("the third poll") {
      polls += 1
      return polls == 3
    }
    #expect(polls == 3)
    try withKnownIssue {
      try eventually("pigs fly", within: .milliseconds(20)) { false }
    } matching: { issue in
      issue.comments.contains { $0.rawValue.hasSuffix("pigs fly") }
    }
  }

  @Test func `An error of the condition ends the wait`() async {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) { try await eventually("it throws nothing") { throw Refusal() } }
  }
}
