import Foundation

/// A program on a terminal: keys, frames, and signals, until the user quits.
package final class TerminalLoop {
  /// The effect of a key on the loop.
  package enum Action: Hashable, Sendable {
    /// The program has done what the key asks for.
    case goOn
    case redraw
    case suspend
    case quit
  }

  /// The program that a loop runs; its methods are called on the thread of the loop.
  package protocol Program: AnyObject {
    /// Lets a number of seconds pass.
    func advance(by seconds: Double)
    /// The screen of a size.
    func screen(of size: Screen.Size) -> Screen
    /// Does what a key asks for.
    func perform(_ key: Key) -> Action
  }

  /// The time after which an Escape without further bytes is the Escape key.
  private static let escapePause = Duration.milliseconds(100)

  private let terminal: RawTerminal
  private let palette: Palette
  private let frame: Duration
  private var parser = KeyParser()
  private var lastInput = ContinuousClock.now
  /// The screen that the terminal shows; `nil` if it is unknown.
  private var shown: Screen?

  /// A loop on a terminal that draws a number of times a second.
  package init(on terminal: RawTerminal, _ palette: Palette, updateRate: Int) {
    self.terminal = terminal
    self.palette = palette
    frame = Duration.seconds(1) / updateRate
  }

  /// Runs until the user quits, or until a signal ends the process, as it does in a program without a handler.
  package func run(_ program: some Program) {
    guard let number = runUntilSignal(program) else { return }
    _ = signal(number, SIG_DFL)
    raise(number)
  }

  /// Runs until the user quits; returns the signal that ended it otherwise.
  private func runUntilSignal(_ program: some Program) -> CInt? {
    terminal.enter()
    defer { terminal.leave() }
    let clock = ContinuousClock()
    var last = clock.now
    while true {
      let now = clock.now
      if now - last >= frame {
        // A process that was stopped does not catch up.
        program.advance(by: min((now - last) / .seconds(1), 0.25))
        draw(program.screen(of: terminal.size))
        last = now
      }
      // Rounded up, so that no wait of less than a millisecond repeats.
      let wait = Int(((last + frame - clock.now) / .milliseconds(1)).rounded(.up))
      switch terminal.wait(milliseconds: max(wait, 0)) {
      case .input(let bytes):
        lastInput = clock.now
        if perform(parser.keys(in: bytes), in: program) { return nil }
      case .signal(let number):
        if SignalPipe.ending.contains(number) { return number }
        respond(to: number)
      case .nothing:
        guard parser.hasPendingEscape, clock.now - lastInput >= Self.escapePause else { break }
        if perform(parser.keyAfterPause().map { [$0] } ?? [], in: program) { return nil }
      case .closed: return SIGHUP
      }
    }
  }

  /// Does what keys ask for; returns whether one of them quits.
  private func perform(_ keys: [Key], in program: some Program) -> Bool {
    for key in keys {
      switch program.perform(key) {
      case .goOn: break
      case .redraw: shown = nil
      // To all programs of the terminal's job, as the key does outside of raw mode; this program is among them.
      case .suspend: kill(0, SIGTSTP)
      case .quit: return true
      }
    }
    return false
  }

  private func respond(to number: CInt) {
    switch number {
    case SIGTSTP: terminal.suspend()
    case SIGCONT: terminal.enter()
    default: break
    }
    // The window may have another size, or another program may have drawn.
    shown = nil
  }

  private func draw(_ screen: Screen) {
    let update = ScreenUpdate(from: shown, to: screen, palette: palette)
    // A signal may come before the end of the text.
    shown = terminal.write(update.text) ? screen : nil
  }
}
