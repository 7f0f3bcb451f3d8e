import Stage
import Testing

@testable import explore

@Suite struct TerminalTraitsTests {
  @Test(arguments: [
    ([:], false), (["LANG": "C"], false), (["LANG": "de_DE.UTF-8"], true), (["LANG": "C.utf8"], true),
    (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], false), (["LANG": "C", "LC_CTYPE": "en_US.UTF-8"], true),
    (["LANG": "en_US.UTF-8", "LC_ALL": "", "LC_CTYPE": ""], true), (["LANG": "de_DE.ISO-8859-1"], false),
    (["LC_ALL": "POSIX", "LC_CTYPE": "C.UTF-8"], false),
  ])
  func `Unicode is drawn in a locale with UTF-8`(environment: [String: String], hasUnicode: Bool) {
    #expect(TerminalTraits(environment).hasUnicode == hasUnicode)
  }

  @Test(arguments: [
    (["TERM": "xterm-256color"], Palette.colors), (["TERM": "linux"], .colors), (["TERM": "xterm-mono"], .monochrome),
    (["TERM": "vt220"], .monochrome), (["TERM": "xterm", "NO_COLOR": "1"], .monochrome),
    (["TERM": "xterm", "NO_COLOR": ""], .colors),
  ])
  func `Colours are for terminals that have them, unless NO_COLOR is set`(
    environment: [String: String],
    palette: Palette
  ) {
    #expect(TerminalTraits(environment).palette == palette)
    #expect(TerminalTraits(environment).canMoveCursor)
  }

  @Test(arguments: [[:], ["TERM": ""], ["TERM": "dumb"], ["TERM": "unknown"]])
  func `A terminal without a name, and a dumb one, cannot move the cursor`(environment: [String: String]) {
    #expect(!TerminalTraits(environment).canMoveCursor)
  }
}
