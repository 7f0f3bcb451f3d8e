import GameAudio
import Stage
import Testing

@testable import dungeon

@Suite struct DungeonTests {
  private static let recording = Result { try Recording(to: nil) }

  /// The levels of a bus in each half second of a range of seconds.
  private func levels(of bus: String, in seconds: Range<Double>) throws -> [Decibels] {
    let index = try #require(Recording.buses.firstIndex(of: bus))
    let steps = try Self.recording.get().steps[Int(seconds.lowerBound * 2)..<Int(seconds.upperBound * 2)]
    return steps.map { $0.levels[index] }
  }

  @Test func `The menu pauses the effects, and the music plays on`() throws {
    #expect(try levels(of: "effects", in: 12.5..<15).allSatisfy { $0 < -100 })
    #expect(try levels(of: "effects", in: 15.5..<24).allSatisfy { $0 > -50 })
    #expect(try levels(of: "music", in: 12..<15).allSatisfy { $0 > -40 })
    #expect(try levels(of: "interface", in: 13..<13.5).allSatisfy { $0 > -50 })
  }

  @Test func `Speech ducks the music by 12 dB`() throws {
    // The music repeats after four seconds.
    let (before, during) = (try levels(of: "music", in: 3..<4.5), try levels(of: "music", in: 7..<8.5))
    for (before, during) in zip(before, during) { #expect(abs((during - before).rawValue + 12) < 0.5) }
  }

  @Test func `The rooms keep their power together, and the walk passes the door`() {
    for distance in stride(from: 0.0, through: 28, by: 0.5) {
      let place = Rooms.place(after: distance)
      let shares = Rooms.shares(at: place)
      #expect(abs(shares.hall * shares.hall + shares.cave * shares.cave - 1) < 1e-5)
      #expect(abs(place.x) < (abs(place.z) < 1 ? 1 : Rooms.width / 2))
    }
  }

  @Test func `400 torches hang in the rooms`() {
    #expect(Rooms.torches.count == 400 && Set(Rooms.torches).count == 400)
    #expect(Rooms.torches.allSatisfy { abs($0.x) < Rooms.width / 2 && abs($0.z) < Rooms.length })
  }
}
