import ArgumentParser
import Foundation
import Testing

@testable import circle

@Suite struct CommandLineTests {
  /// The message for a rejected command line; `nil` for an accepted one.
  private func refusal(of arguments: [String]) -> String? {
    do {
      _ = try Circle.parse(arguments)
      return nil
    } catch {
      return Circle.message(for: error)
    }
  }

  @Test func `A walk with files, outputs and a length is accepted`() {
    #expect(refusal(of: []) == nil)
    #expect(refusal(of: ["a.wav", "b.ogg", "--seconds", "3600", "--device", "Headphones", "--plot", "a.svg"]) == nil)
    #expect(refusal(of: ["--offline", "out/a.wav", "--plot", "out/a.svg"]) == nil)
  }

  @Test(arguments: ["--offline", "--plot", "--page"])
  func `An output without a name is refused before any work`(option: String) throws {
    #expect(try #require(refusal(of: [option, ""])).contains("'\(option) "))
  }

  @Test func `A device to play on is refused where nothing is played`() throws {
    let sentence = try #require(refusal(of: ["--offline", "a.wav", "--device", "Headphones"]))
    #expect(sentence.contains("--device") && sentence.contains("--offline"))
  }

  @Test func `Too many files and lengths out of range are refused`() {
    #expect(refusal(of: Array(repeating: "a.wav", count: Scene.largestSoundCount + 1)) != nil)
    for seconds in ["0", "0.5", "3601", "nan", "inf"] { #expect(refusal(of: ["--seconds", seconds]) != nil) }
    #expect(refusal(of: ["--seconds", "600", "--page", "a.html"]) == nil)
    #expect(refusal(of: ["--seconds", "601", "--page", "a.html"])?.contains("at most 600 seconds") == true)
  }
}
