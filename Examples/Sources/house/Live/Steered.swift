import Foundation
import GameAudio
import Stage

/// The house on a terminal, with a listener whom the user steers.
final class Steered: TerminalLoop.Program {
  private static let updateRate = 30
  private static let use = RawTerminalError.Use(
    program: "house",
    remedy: "Redirect standard input for the scripted walk, or render it: house --offline house.wav."
  )

  private let house: HauntedHouse
  private let glyphs: Glyphs
  private var walker = Walker(at: Route.start)
  private var meters = Monster.all.map { _ in LevelMeter() }

  init(_ house: HauntedHouse, _ glyphs: Glyphs) {
    (self.house, self.glyphs) = (house, glyphs)
    house.begin(at: walker.position, facing: walker.direction)
  }

  /// Runs until the user quits; returns false if standard input or output is no terminal.
  static func run(_ house: HauntedHouse) throws(RawTerminalError) -> Bool {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return false }
    let traits = TerminalTraits(ProcessInfo.processInfo.environment)
    let terminal = try RawTerminal(traits, for: use)
    let program = Steered(house, traits.hasUnicode ? .unicode : .ascii)
    TerminalLoop(on: terminal, traits.palette, updateRate: updateRate).run(program)
    return true
  }

  func advance(by seconds: Double) {
    let openness = house.openness
    walker.advance(by: seconds) { Plan.hasRoom(at: $0, radius: Walker.radius, openness: openness) }
    house.advance(by: seconds, to: walker.position, facing: walker.direction)
    for (index, hearing) in house.hearings.enumerated() {
      meters[index].show(Double(hearing.level.rawValue), after: seconds)
    }
  }

  func perform(_ key: Key) -> TerminalLoop.Action {
    switch Steering(key) {
    case .walk(let steps): walker.walk(steps)
    case .turn(let turns): walker.turn(turns)
    case .suspend: return .suspend
    case .redraw: return .redraw
    case .quit: return .quit
    case nil:
      if let door = Self.door(of: key, nearest: Plan.nearestDoor(to: walker.position)) {
        house.setDoor(door, isOpen: house.targets[door] == 0)
      }
    }
    return .goOn
  }

  /// The index of the door that a key opens or closes; `nil` for another key.
  static func door(of key: Key, nearest: Int) -> Int? {
    guard case .character(let character) = key else { return nil }
    if character == "o" || character == "O" { return nearest }
    guard let digit = character.wholeNumberValue, Plan.doors.indices.contains(digit - 1) else { return nil }
    return digit - 1
  }

  func screen(of size: Screen.Size) -> Screen {
    HouseScreen(
      place: walker.position,
      heading: walker.heading,
      openness: house.openness,
      monsters: house.monsters,
      hearings: house.hearings,
      meters: meters,
      output: house.world.context.device.name,
      glyphs: glyphs
    ).screen(size)
  }
}
