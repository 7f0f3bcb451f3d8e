import GameAudio
import Stage
import Testing

@testable import house

@Suite struct SteeredTests {
  private static let size = Screen.Size(columns: 80, rows: 24)

  /// A steered walk in an offline context.
  private func steered(_ glyphs: Glyphs = .unicode) throws -> (program: Steered, house: HauntedHouse) {
    let renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let house = try HauntedHouse(in: renderer.context)
    return (Steered(house, glyphs), house)
  }

  @Test func `A digit moves its door, and O the nearest one`() throws {
    #expect(Steered.door(of: .character("4"), nearest: 0) == 3)
    #expect(Steered.door(of: .character("o"), nearest: 2) == 2)
    for key in [.character("0"), .character("5"), .character("x"), .escape, .up] as [Key] {
      #expect(Steered.door(of: key, nearest: 0) == nil)
    }
    let (program, house) = try steered()
    #expect(program.perform(.character("4")) == .goOn && house.targets[3] == 1)
    for _ in 0..<20 { program.advance(by: 0.1) }
    #expect(house.openness[3] == 1)
    _ = program.perform(.character("4"))
    for _ in 0..<20 { program.advance(by: 0.1) }
    #expect(house.openness[3] == 0)
  }

  @Test func `Keys walk, turn and quit, and a wall stops the walk`() throws {
    let (program, house) = try steered()
    let start = house.world.listener.position
    for _ in 0..<60 {
      #expect(program.perform(.up) == .goOn)
      program.advance(by: 0.1)
    }
    // North of the start is the wall of the house.
    let position = house.world.listener.position
    #expect(position.x == start.x && abs(position.z - Float(Walker.radius)) < Float(Walker.step))
    _ = program.perform(.right)
    program.advance(by: 0.1)
    #expect(house.world.listener.orientation.forward.x > 0.1)
    #expect(program.perform(.character("q")) == .quit && program.perform(.control("l")) == .redraw)
    #expect(program.perform(.control("z")) == .suspend)
  }

  @Test(arguments: [true, false])
  func `The screen shows the rooms, the doors and the ways of the monsters`(hasUnicode: Bool) throws {
    let program = try steered(hasUnicode ? .unicode : .ascii).program
    program.advance(by: 0.1)
    let text = program.screen(of: Self.size).text
    for words in Plan.rooms.map(\.name) + Monster.all.map({ "\($0.name) in the \($0.room)" }) {
      #expect(text.contains(words))
    }
    for words in ["door 1", "wall, muffled by 11 dB", "closed", "ajar", "Q quit", "in the hall"] {
      #expect(text.contains(words))
    }
    #expect(!text.contains("?"))
    if !hasUnicode { #expect(text.utf8.count == text.count) }
  }

  @Test func `A screen that is too small states the size that it needs`() throws {
    let program = try steered().program
    for size in [Screen.Size(columns: 0, rows: 0), .init(columns: 79, rows: 10), .init(columns: 40, rows: 24)] {
      let screen = program.screen(of: size)
      #expect(screen.size == size && !screen.text.contains("Monsters"))
    }
    #expect(HouseScreen.smallest.columns <= Self.size.columns && HouseScreen.smallest.rows <= Self.size.rows)
  }
}
