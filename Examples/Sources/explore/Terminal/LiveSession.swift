import Spatial3D
import Stage

/// An exploration on a terminal, until the user quits.
final class LiveSession: TerminalLoop.Program {
  private let exploration: Exploration
  private let device: AudioDevice
  private let isSilent: Bool
  private let glyphs: Glyphs

  /// A session; `isSilent` states that the device is not audible.
  init(of exploration: Exploration, on device: AudioDevice, isSilent: Bool, _ glyphs: Glyphs) {
    self.exploration = exploration
    self.device = device
    self.isSilent = isSilent
    self.glyphs = glyphs
  }

  func advance(by seconds: Double) { exploration.advance(by: seconds) }

  func perform(_ key: Key) -> TerminalLoop.Action {
    guard let command = Command(key) else { return .goOn }
    switch command {
    case .quit: return .quit
    case .suspend: return .suspend
    case .redraw: return .redraw
    case .walk, .turn, .toggleMute, .toggleView:
      exploration.perform(command)
      return .goOn
    }
  }

  func screen(of size: Screen.Size) -> Screen {
    let isAudible = !isSilent && exploration.hasOutput
    return exploration.screen(size, output: output, isSilent: !isAudible, glyphs)
  }

  /// The words about the output.
  private var output: String {
    if isSilent { return "no output device opens: silent" }
    return exploration.hasOutput ? "plays on \(device.name)" : "the output is lost"
  }
}
