import Foundation
import Stage
import Testing

@testable import explore

/// The effects on terminals, one test after the other: a process has one set of signals, and a program that is started
/// inherits open files.
@Suite(.serialized) struct TerminalTests {}

extension TerminalTests {
  @Suite struct RawTerminalTests {
    private static let size = Screen.Size(columns: 90, rows: 25)

    @Test func `A terminal is raw between enter and leave, and afterwards as it was`() throws {
      let window = try PseudoTerminal(Self.size)
      let before = window.mode
      let terminal = try RawTerminal(input: window.program, output: window.program, for: Explore.terminalUse)
      #expect(window.mode == before)
      terminal.enter()
      #expect(window.mode[3] & UInt32(ICANON | ECHO | ISIG) == 0)
      #expect(window.waits { $0.isAlternate && !$0.isCursorVisible && !$0.wraps })
      terminal.leave()
      #expect(window.mode == before)
      #expect(window.waits { !$0.isAlternate && $0.isCursorVisible && $0.wraps })
    }

    @Test func `A terminal that is released is as it was`() throws {
      let window = try PseudoTerminal(Self.size)
      let before = window.mode
      do {
        let terminal = try RawTerminal(input: window.program, output: window.program, for: Explore.terminalUse)
        terminal.enter()
        #expect(window.mode != before)
      }
      #expect(window.mode == before)
      #expect(window.waits { !$0.isAlternate && $0.isCursorVisible })
    }

    @Test func `Keys, signals, a pause and the end of the window are told apart`() throws {
      let window = try PseudoTerminal(Self.size)
      let terminal = try RawTerminal(input: window.program, output: window.program, for: Explore.terminalUse)
      terminal.enter()
      #expect(terminal.wait(milliseconds: 0) == .nothing)
      window.type("\u{1B}[Aq\u{3}")
      #expect(terminal.wait(milliseconds: 60_000) == .input(Array("\u{1B}[Aq\u{3}".utf8)))
      #expect(terminal.size == Self.size)
      window.resize(to: Screen.Size(columns: 40, rows: 10))
      kill(getpid(), SIGWINCH)
      #expect(terminal.wait(milliseconds: 60_000) == .signal(SIGWINCH))
      #expect(terminal.size == Screen.Size(columns: 40, rows: 10))
      window.hangUp()
      #expect(terminal.wait(milliseconds: 60_000) == .closed)
      #expect(!terminal.write("x"))
      terminal.leave()
    }

    @Test func `More changes of the window than a pipe has room for leave the signal that ends the program`() throws {
      let window = try PseudoTerminal(Self.size)
      let terminal = try RawTerminal(input: window.program, output: window.program, for: Explore.terminalUse)
      // The handler runs in each call: a pipe of Linux takes 65,536 bytes.
      for _ in 0..<100_000 { raise(SIGWINCH) }
      raise(SIGTERM)
      #expect(terminal.wait(milliseconds: 0) == .signal(SIGWINCH))
      #expect(terminal.wait(milliseconds: 0) == .signal(SIGTERM))
      #expect(terminal.wait(milliseconds: 0) == .nothing)
      // A signal that was answered is reported anew.
      for _ in 0..<2 {
        raise(SIGWINCH)
        #expect(terminal.wait(milliseconds: 0) == .signal(SIGWINCH))
        #expect(terminal.wait(milliseconds: 0) == .nothing)
      }
    }

    @Test func `A terminal of an unknown size counts as 80 x 24, and a huge one as the largest that is drawn`() throws {
      let window = try PseudoTerminal(Screen.Size(columns: 0, rows: 0))
      let terminal = try RawTerminal(input: window.program, output: window.program, for: Explore.terminalUse)
      #expect(terminal.size == Screen.Size(columns: 80, rows: 24))
      window.resize(to: Screen.Size(columns: 600, rows: 1_000))
      #expect(terminal.size == Screen.Size.largest)
    }

    @Test func `A file is no terminal`() throws {
      let window = try PseudoTerminal(Self.size)
      let file = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
      defer { close(file) }
      #expect(throws: RawTerminalError(.notATerminal("standard input"), Explore.terminalUse)) {
        _ = try RawTerminal(input: file, output: window.program, for: Explore.terminalUse)
      }
      #expect(throws: RawTerminalError(.notATerminal("standard output"), Explore.terminalUse)) {
        _ = try RawTerminal(input: window.program, output: file, for: Explore.terminalUse)
      }
      #expect(RawTerminalError(.notATerminal("standard input"), Explore.terminalUse).description.contains("--script"))
      #expect(RawTerminalError(.cannotMoveCursor("dumb"), Explore.terminalUse).description.contains("\"dumb\""))
    }
  }
}
