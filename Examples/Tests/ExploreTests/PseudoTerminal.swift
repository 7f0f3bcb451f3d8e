import Foundation
import Stage

@testable import explore

/// A terminal without a window: the test is its keyboard and its screen.
final class PseudoTerminal {
  /// The seconds that a test waits for a screen at most.
  private static let patience = 60.0

  /// The end of the program.
  let program: CInt

  /// The program's drawing.
  private(set) var screen: TerminalEmulator

  private let keyboard: CInt
  private var isOpen = true

  init(_ size: Screen.Size) throws {
    var (keyboard, program) = (CInt(-1), CInt(-1))
    guard unsafe openpty(&keyboard, &program, nil, nil, nil) == 0 else { throw POSIXError(.ENXIO) }
    for end in [keyboard, program] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (self.keyboard, self.program) = (keyboard, program)
    screen = TerminalEmulator(size)
    resize(to: size)
  }

  deinit {
    hangUp()
    close(program)
  }

  /// Gives the window another size; the program learns it from a signal, which a test sends.
  func resize(to size: Screen.Size) {
    screen.resize(to: size)
    var window = winsize(ws_row: UInt16(size.rows), ws_col: UInt16(size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = unsafe ioctl(program, UInt(TIOCSWINSZ), &window)
  }

  /// Types a text.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    unsafe write(keyboard, bytes, bytes.count)
  }

  /// Closes the window.
  func hangUp() {
    if isOpen { close(keyboard) }
    isOpen = false
  }

  /// Reads what the program draws until a condition holds; returns whether it did.
  func waits(until condition: (TerminalEmulator) -> Bool) -> Bool {
    let deadline = Date() + Self.patience
    while !condition(screen) {
      var file = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
      guard Date() < deadline, unsafe poll(&file, 1, 100) >= 0 else { return false }
      if file.revents & Int16(POLLIN) != 0 { readDrawing() }
    }
    return true
  }

  /// Waits until the terminal takes no more, while a program draws again after each call of a closure.
  func isFilled(by redrawing: () -> Void) -> Bool {
    let deadline = Date() + Self.patience
    while Date() < deadline {
      var file = pollfd(fd: program, events: Int16(POLLOUT), revents: 0)
      if unsafe poll(&file, 1, 0) == 0 { return true }
      redrawing()
    }
    return false
  }

  private func readDrawing() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe read(keyboard, &bytes, bytes.count)
    if count > 0 { pending += bytes.prefix(count) }
    // A character of several bytes may continue in the next part.
    let end = pending.lastIndex { $0 < 0x80 }.map { $0 + 1 } ?? 0
    screen.write(String(decoding: pending[..<end], as: UTF8.self))
    pending.removeFirst(end)
  }

  private var pending: [UInt8] = []

  /// The mode of the terminal: its flags, and the characters that end and stop programs.
  var mode: [UInt32] {
    var mode = termios()
    unsafe tcgetattr(program, &mode)
    return [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
  }
}
