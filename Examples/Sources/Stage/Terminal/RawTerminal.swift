import Foundation

/// A terminal in raw mode that shows a screen of its own: the effects of a program on it.
///
/// The terminal gets its mode and its former content back when this object is left or released, and in a crash.
package final class RawTerminal {
  /// The result of a wait.
  package enum Event: Hashable {
    case input([UInt8])
    case signal(CInt)
    case nothing
    /// The terminal is gone.
    case closed
  }

  /// Selects the alternate screen, hides the cursor, and turns off automatic line breaks.
  private static let entering = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"

  private let input: CInt
  private let output: CInt
  private let ownsOutput: Bool
  private let signals: SignalPipe
  private let original: termios
  private var isEntered = false

  /// The terminal of standard input and output, as it is; `enter` changes it.
  ///
  /// - Throws: ``RawTerminalError`` if one of them is no terminal, or if the terminal cannot move its cursor.
  package convenience init(_ traits: TerminalTraits, for use: RawTerminalError.Use) throws(RawTerminalError) {
    try self.init(for: use)
    guard traits.canMoveCursor else { throw RawTerminalError(.cannotMoveCursor(traits.name), use) }
  }

  /// A terminal for input and output, as it is; `enter` changes it.
  package init(
    input: CInt = STDIN_FILENO,
    output: CInt = STDOUT_FILENO,
    for use: RawTerminalError.Use
  ) throws(RawTerminalError) {
    var mode = termios()
    guard isatty(input) == 1, unsafe tcgetattr(input, &mode) == 0 else {
      throw RawTerminalError(.notATerminal("standard input"), use)
    }
    guard isatty(output) == 1 else { throw RawTerminalError(.notATerminal("standard output"), use) }
    (self.input, self.output, original) = (input, Self.withoutBlocking(output), mode)
    ownsOutput = self.output != output
    signals = SignalPipe()
  }

  /// The same terminal opened once more, for writes that return at once where the terminal takes no more.
  ///
  /// A write to a window that hangs would otherwise hang this program, and no signal would end it. The flag belongs to
  /// the new opening: it does not change the terminal for the shell. Returns the old one if it cannot be opened.
  private static func withoutBlocking(_ output: CInt) -> CInt {
    // The name is used before the next call of `ttyname`.
    guard let name = unsafe ttyname(output) else { return output }
    let opened = unsafe open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    return opened >= 0 ? opened : output
  }

  deinit {
    leave()
    signals.close()
    if ownsOutput { close(output) }
  }

  /// Switches to raw mode and to the alternate screen; also after another program changed the mode.
  package func enter() {
    TerminalRescue.arm(input: input, output: output, mode: original)
    isEntered = true
    var mode = original
    unsafe cfmakeraw(&mode)
    // Before any output: this call stops a process in the background, which must not draw.
    unsafe tcsetattr(input, TCSANOW, &mode)
    write(Self.entering)
  }

  /// Restores the mode, the cursor and the former content.
  package func leave() {
    guard isEntered else { return }
    isEntered = false
    // A window that hangs cannot delay the end. `poll` ignores the file -1.
    _ = write("\(TerminalRescue.leaving)", waitingFor: -1, milliseconds: 200)
    var mode = original
    unsafe tcsetattr(input, TCSANOW, &mode)
    TerminalRescue.disarm()
  }

  /// Stops this process until the shell continues it, with the terminal as it was before.
  package func suspend() {
    leave()
    signals.stopProcess()
    enter()
  }

  /// The size of the window, up to ``Screen/Size/largest``; 80 x 24 if the terminal does not know it.
  package var size: Screen.Size {
    var window = winsize()
    guard unsafe ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
      return Screen.Size(columns: 80, rows: 24)
    }
    let largest = Screen.Size.largest
    return Screen.Size(
      columns: min(Int(window.ws_col), largest.columns),
      rows: min(Int(window.ws_row), largest.rows)
    )
  }

  /// Waits for a key or a signal, at most for a number of milliseconds.
  package func wait(milliseconds: Int) -> Event {
    var files = [
      pollfd(fd: input, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.output, events: Int16(POLLIN), revents: 0),
    ]
    guard unsafe poll(&files, nfds_t(files.count), CInt(clamping: milliseconds)) > 0 else { return .nothing }
    if files[1].revents != 0, let signal = signals.next() { return .signal(signal) }
    guard files[0].revents != 0 else { return .nothing }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = unsafe read(input, &bytes, bytes.count)
    if count > 0 { return .input(Array(bytes.prefix(count))) }
    return count < 0 && (errno == EINTR || errno == EAGAIN) ? .nothing : .closed
  }

  /// Writes a text in one call, or in as few as the terminal takes; returns whether it is complete.
  ///
  /// A signal ends a wait for a terminal that takes no more. An error shows in the next wait for a key.
  @discardableResult
  package func write(_ text: String) -> Bool { write(text, waitingFor: signals.output, milliseconds: -1) }

  /// Writes a text, and waits for the terminal until a file is readable, or for a number of milliseconds; -1 is no
  /// limit.
  private func write(_ text: String, waitingFor file: CInt, milliseconds: CInt) -> Bool {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty, !TerminalRescue.isDone {
      let count = unsafe bytes.withUnsafeBytes { unsafe Foundation.write(output, $0.baseAddress, $0.count) }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno == EAGAIN {
        var files = [
          pollfd(fd: output, events: Int16(POLLOUT), revents: 0), pollfd(fd: file, events: Int16(POLLIN), revents: 0),
        ]
        let ready = unsafe poll(&files, nfds_t(files.count), milliseconds)
        guard ready != 0, files[1].revents == 0 else { return false }
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
