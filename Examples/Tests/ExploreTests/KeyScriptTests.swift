import Stage
import Testing

@testable import explore

@Suite struct KeyScriptTests {
  @Test func `Keys follow each other in a tenth of a second, and pauses lie between them`() throws {
    let script = try KeyScript("up*3  left 1\n0.25s 2s d")
    #expect(script.steps.map(\.key) == [.up, .up, .up, .left, .character("1"), .character("d")])
    #expect(script.steps.map(\.time) == [0, 0.1, 0.2, 0.3, 0.4, 2.75])
    #expect(script.seconds == 2.85)
  }

  @Test func `Words may have any case, and a pause repeats too`() throws {
    #expect(try KeyScript("UP Right*2 W").steps.map(\.key) == [.up, .right, .right, .character("W")])
    #expect(try KeyScript("0.5s*4").seconds == 2)
    #expect(try KeyScript("0.5s*4").steps.isEmpty)
    #expect(try KeyScript("s s*2").steps.map(\.key) == [.character("s"), .character("s"), .character("s")])
  }

  @Test func `A Q ends the script`() throws {
    #expect(try KeyScript("up q up*50") == KeyScript("up"))
  }

  @Test(arguments: ["upp", "up*0", "up*-1", "up*x", "up*", "*3", "x", "10", "-1s", "1e3s", "nans", "0", "up,left"])
  func `A word that is no key is named`(word: String) {
    let error = #expect(throws: KeyScriptError.self) { try KeyScript("up \(word)") }
    #expect(error == .unknownWord(word))
    #expect(error.map { "\($0)".hasPrefix("\"\(word)\" is no key: write up, ") } == true)
  }

  @Test func `A script without keys, and one that is too long, are refused`() {
    for text in ["", "  \n", "q", "0s"] {
      #expect(throws: KeyScriptError.empty) { try KeyScript(text) }
    }
    for text in ["up*6001", "600s 0.001s", "up*10000 up*10000", "599.95s up"] {
      #expect(throws: KeyScriptError.tooLong) { try KeyScript(text) }
    }
    #expect(throws: Never.self) { try KeyScript("up*6000") }
  }

  @Test func `The tour is a script`() throws {
    #expect(try KeyScript(KeyScript.tour).seconds < 20)
  }
}
