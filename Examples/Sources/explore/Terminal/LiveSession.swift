import Foundation
import Spatial3D
import Stage

/// An exploration on a terminal: keys, frames, and signals, until the user quits.
final class LiveSession {
  /// The time after which an Escape without further bytes is the Escape key.
  private static let escapePause = Duration.milliseconds(100)

  private let terminal: RawTerminal
  private let exploration: Exploration
  private let device: AudioDevice
  private let isSilent: Bool
  private let palette: Palette
  private let glyphs: Glyphs
  private var parser = KeyParser()
  private var lastInput = ContinuousClock.now
  /// The screen that the terminal shows; `nil` if it is unknown.
  private var shown: Screen?

  /// A session; `isSilent` states that the device is not audible.
  init(
    of exploration: Exploration,
    on device: AudioDevice,
    isSilent: Bool,
    terminal: RawTerminal,
    _ palette: Palette,
    _ glyphs: Glyphs
  ) {
    self.exploration = exploration
    self.device = device
    self.isSilent = isSilent
    self.terminal = terminal
    self.palette = palette
    self.glyphs = glyphs
  }

  /// Runs until the user quits; returns the signal that ended it otherwise.
  func run() -> CInt? {
    terminal.enter()
    defer { terminal.leave() }
    let clock = ContinuousClock()
    let frame = Duration.seconds(1) / World.updateRate
    var last = clock.now
    while true {
      let now = clock.now
      if now - last >= frame {
        // A process that was stopped does not catch up.
        exploration.advance(by: min((now - last) / .seconds(1), 0.25))
        draw()
        last = now
      }
      // Rounded up, so that no wait of less than a millisecond repeats.
      let wait = Int(((last + frame - clock.now) / .milliseconds(1)).rounded(.up))
      switch terminal.wait(milliseconds: max(wait, 0)) {
      case .input(let bytes):
        lastInput = clock.now
        if perform(parser.keys(in: bytes)) { return nil }
      case .signal(let number):
        if SignalPipe.ending.contains(number) { return number }
        respond(to: number)
      case .nothing:
        guard parser.hasPendingEscape, clock.now - lastInput >= Self.escapePause else { break }
        if perform(parser.keyAfterPause().map { [$0] } ?? []) { return nil }
      case .closed: return SIGHUP
      }
    }
  }

  /// Does what keys ask for; returns whether one of them quits.
  private func perform(_ keys: [Key]) -> Bool {
    for command in keys.compactMap(Command.init) {
      switch command {
      case .quit: return true
      // To all programs of the terminal's job, as the key does outside of raw mode; this one is among them.
      case .suspend: kill(0, SIGTSTP)
      case .redraw: shown = nil
      case .walk, .turn, .toggleMute: exploration.perform(command)
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

  private func draw() {
    let isAudible = !isSilent && exploration.hasOutput
    let screen = exploration.screen(terminal.size, output: output, isSilent: !isAudible, glyphs)
    let update = ScreenUpdate(from: shown, to: screen, palette: palette)
    // A signal may come before the end of the text.
    shown = terminal.write(update.text) ? screen : nil
  }

  /// The words about the output.
  private var output: String {
    if isSilent { return "no output device opens: silent" }
    return exploration.hasOutput ? "plays on \(device.name)" : "the output is lost"
  }
}
