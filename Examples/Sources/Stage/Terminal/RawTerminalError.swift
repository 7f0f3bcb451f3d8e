/// The reason that a program cannot draw on its terminal.
package struct RawTerminalError: Error, Hashable, CustomStringConvertible {
  /// The kind of reason.
  package enum Reason: Hashable, Sendable {
    /// Standard input or output is a file or a pipe.
    case notATerminal(String)
    /// The environment variable `TERM` has a value without cursor movement.
    case cannotMoveCursor(String)
  }

  /// The program that draws, and the remedy for its user.
  package struct Use: Hashable, Sendable {
    package let program: String
    /// A sentence, such as "Run it in a terminal.".
    package let remedy: String

    /// A program with a remedy.
    package init(program: String, remedy: String) {
      self.program = program
      self.remedy = remedy
    }
  }

  package let reason: Reason
  package let use: Use

  /// A reason of a program.
  package init(_ reason: Reason, _ use: Use) {
    self.reason = reason
    self.use = use
  }

  /// The reason in a sentence, with the remedy.
  package var description: String {
    switch reason {
    case .notATerminal(let name):
      return "\(use.program) draws on a terminal and reads its keys, and \(name) is none. \(use.remedy)"
    case .cannotMoveCursor(let name):
      let kind = name.isEmpty ? "TERM is not set" : "TERM is \"\(name)\""
      return "\(kind): \(use.program) needs a terminal that can move its cursor. \(use.remedy)"
    }
  }
}
