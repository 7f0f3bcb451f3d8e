import GameAudio
import Stage
import Testing

@testable import house

@Suite struct RouteTests {
  private static let count = Int(Route.seconds * Double(Route.updateRate))

  @Test func `The walk leads through all rooms at the pace of a person`() {
    var last = Route.start
    for update in 0..<Self.count {
      let step = Route.step(at: Double(update) / Double(Route.updateRate))
      let way = step.place - last
      #expect((way * way).sum().squareRoot() * Double(Route.updateRate) <= Route.speed + 1e-6)
      #expect(abs((step.direction * step.direction).sum() - 1) < 1e-9)
      last = step.place
    }
    let rooms = Set(Route.legs.compactMap { $0.path.last.flatMap { Plan.room(at: $0)?.name } })
    #expect(rooms == Set(Plan.rooms.map(\.name)))
  }

  @Test func `The walk passes no wall, pillar or closed door`() {
    var openness = Plan.doors.map(\.openness)
    for update in 0..<Self.count {
      let time = Double(update) / Double(Route.updateRate)
      // The door is open when its leg ends.
      if let door = Route.legs[Route.leg(at: time)].opens { openness[door] = 1 }
      #expect(Plan.hasRoom(at: Route.step(at: time).place, radius: Walker.radius, openness: openness))
    }
  }

  @Test func `The listener stands at the end of each leg, for a loop of the sounds`() {
    #expect(Route.listening == MonsterSounds.seconds)
    for (leg, times) in zip(Route.legs, Route.times) {
      for time in [times.upperBound - Route.stay + 1e-6, times.upperBound - 1e-6] {
        let way = Route.step(at: time).place - (leg.path.last ?? .zero)
        #expect((way * way).sum() < 1e-6)
      }
    }
    #expect(Route.leg(at: -1) == 0 && Route.leg(at: 1_000) == Route.legs.count - 1)
  }

  @Test func `Each monster stays in its room`() {
    for monster in Monster.all {
      for time in stride(from: 0, through: Monster.period, by: 0.1) {
        #expect(Plan.room(at: monster.place(at: time))?.name == monster.room)
      }
    }
  }

  @Test func `The sounds do not clip, and begin and end in silence`() throws {
    for monster in Monster.all {
      let samples = try MonsterSounds.loop(of: monster).samples
      #expect(samples.count == Int(MonsterSounds.seconds) * MonsterSounds.format.sampleRate)
      #expect(samples.allSatisfy { abs($0) < 1 })
      #expect(abs(samples[0]) < 0.001 && abs(samples[samples.count - 1]) < 0.001)
    }
  }
}
