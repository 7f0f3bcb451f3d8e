import ArgumentParser
import Stage
import Testing

@Suite struct OutputOptionsTests {
  @Test func `A device that was named and is not there ends the program, and nothing is rendered instead`() async throws
  {
    let options = try OutputOptions.parse(["--device", "no device has this name"])
    await #expect(throws: ExitCode.failure) {
      _ = try await options.play(orRenderAs: "never") { _ in Issue.record("it opened") }
    }
    #expect(!OutputFile("never.wav").exists)
  }
}
