import Foundation
import Spatial3D
import Stage
import Testing

@testable import explore

@Suite struct WorldTests {
  private func world(_ count: Int = 3) -> World {
    World(.house, sounds: (1...count).map { ("\($0).wav", -20) })
  }

  @Test func `The house is closed, and has a start and six places on free ground`() {
    let plan = Plan.house
    #expect((plan.columns, plan.rows) == (40, 14))
    #expect(plan.places.count == 6)
    for place in plan.places + [plan.start] { #expect(plan.hasRoom(at: place, radius: Walker.radius)) }
    for row in -1...14 {
      for column in -1...40 where !(1...38).contains(column) || !(1...12).contains(row) {
        #expect(plan.ground(column: column, row: row) == .wall)
      }
    }
    #expect(plan.ground(at: plan.start) == .hall)
    #expect(plan.ground(at: plan.places[1]) == .garden)
  }

  @Test func `A short line of a plan ends in walls`() {
    let plan = Plan("####\n# @\n#1##")
    #expect((plan.columns, plan.rows) == (4, 3))
    #expect(plan.start == [1.25, 1.5])
    #expect(plan.places == [[0.75, 2.5]])
    #expect(plan.ground(column: 3, row: 1) == .wall)
    // A digit has the ground of the cell on its left.
    #expect(plan.ground(column: 1, row: 2) == .wall)
  }

  @Test func `A wall is between two positions on its sides, and not beside its opening`() {
    let plan = Plan.house
    #expect(plan.hasWall(between: [10, 2.5], and: [12, 2.5]))
    #expect(!plan.hasWall(between: [10, 6], and: [12, 6]))
    #expect(!plan.hasWall(between: [1, 2], and: [9, 12]))
    #expect(!plan.hasWall(between: [5, 5], and: [5, 5]))
    #expect(plan.hasWall(between: [5, 5], and: [-100, 5]))
  }

  @Test(arguments: [(1.0, [0.0, -0.25]), (-1.0, [0.0, 0.25])])
  func `A press is a step of a quarter of a metre, along the heading`(steps: Double, way: [Double]) {
    var walker = Walker(at: [5, 5])
    walker.walk(steps)
    for _ in 0..<10 { walker.advance(by: 1.0 / 30, on: .house) }
    #expect(distance(walker.position, SIMD2(5 + way[0], 5 + way[1])) < 1e-9)
    #expect(walker.velocity == .zero)
  }

  @Test func `A step takes a tenth of a second at a constant speed`() {
    var walker = Walker(at: [5, 5])
    walker.walk(1)
    for part in 1...3 {
      walker.advance(by: 1.0 / 30, on: .house)
      #expect(abs(walker.position.y - (5 - 0.25 * Double(part) / 3)) < 1e-9)
      #expect(abs(walker.velocity.y + 2.5) < 1e-9)
    }
    walker.advance(by: 1.0 / 30, on: .house)
    #expect(walker.velocity == .zero)
  }

  @Test func `Turns go round in both directions, to exact degrees`() {
    for (turns, count, heading) in [(1.0, 9, 90.0), (-1, 1, 350), (1, 36, 0), (-1, 45, 270)] {
      var walker = Walker(at: [5, 5])
      for _ in 0..<count {
        walker.turn(turns)
        walker.advance(by: 0.1, on: .house)
      }
      #expect(abs(walker.heading - heading) < 1e-9 || abs(walker.heading - heading - 360) < 1e-9)
    }
  }

  @Test func `A held key walks on for three steps at most, and the opposite key turns it around at once`() {
    var walker = Walker(at: [5, 5])
    for _ in 0..<50 { walker.walk(1) }
    walker.advance(by: 10, on: .house)
    #expect(abs(walker.position.y - 4.25) < 1e-9)
    walker.walk(1)
    walker.walk(-1)
    walker.advance(by: 10, on: .house)
    #expect(abs(walker.position.y - 4.5) < 1e-9)
  }

  @Test(arguments: Array(stride(from: 0.0, to: 360, by: 10)), [1.0 / 60, 1.0 / 30, 0.25, 2])
  func `A walk in any direction ends inside of the walls`(heading: Double, seconds: Double) {
    var walker = Walker(at: [4.8, 10.5])
    for _ in 0..<Int(heading / 10) {
      walker.turn(1)
      walker.advance(by: 0.1, on: .house)
    }
    for _ in 0..<Int(20 / seconds) {
      for _ in 0..<3 { walker.walk(1) }
      walker.advance(by: seconds, on: .house)
      #expect(Plan.house.hasRoom(at: walker.position, radius: Walker.radius))
    }
  }

  @Test func `A walk into a wall slides along it`() {
    var walker = Walker(at: [1, 8])
    // North-west: the wall in the west stops one part of it.
    for _ in 0..<3 {
      walker.turn(-1)
      walker.advance(by: 0.1, on: .house)
    }
    for _ in 0..<20 {
      walker.walk(1)
      walker.advance(by: 0.1, on: .house)
    }
    #expect(walker.position.x >= 0.8 && walker.position.x < 1.1)
    #expect(walker.position.y < 8 - 20 * 0.25 * 0.8)
  }

  @Test func `Time of zero or below changes nothing`() {
    var walker = Walker(at: [5, 5])
    walker.walk(1)
    let before = walker
    walker.advance(by: 0, on: .house)
    walker.advance(by: -1, on: .house)
    #expect(walker == before)
  }

  @Test func `Sounds behind the wall are occluded from the beginning, those in the hall are not`() {
    let world = world()
    #expect(world.sounds[0].occlusion == 0)
    #expect(world.sounds[2].occlusion == World.wallLevel)
    #expect(world.isInHall)
  }

  @Test func `The occlusion follows a walk through the opening, never in a jump`() {
    var world = world()
    var before = world.sounds[2].occlusion
    #expect(before == World.wallLevel)
    // North to the row of the opening, then east into the garden.
    for command in Array(repeating: Command.walk(1), count: 18)
      + Array(repeating: .turn(1), count: 9) + Array(repeating: .walk(1), count: 36)
    {
      world.perform(command)
      for _ in 0..<3 {
        world.advance(by: 1.0 / 30)
        #expect(abs(world.sounds[2].occlusion - before) <= World.occlusionSpeed / 30 + 1e-9)
        before = world.sounds[2].occlusion
      }
    }
    #expect(!world.isInHall)
    #expect(world.sounds[2].occlusion == 0)
    #expect(world.sounds[0].occlusion < 0)
  }

  @Test func `A digit mutes its sound and makes it audible again; others do nothing`() {
    var world = world(2)
    world.perform(.toggleMute(1))
    #expect(world.sounds.map(\.isMuted) == [false, true])
    #expect(world.directLevel(of: 1) == -.infinity)
    world.perform(.toggleMute(2))
    world.perform(.toggleMute(8))
    world.perform(.toggleMute(1))
    #expect(world.sounds.map(\.isMuted) == [false, false])
  }

  @Test func `The listener looks along the heading, with the sounds where the plan has them`() {
    var world = world()
    // The first sound is in the north-west of the start.
    #expect(world.polarPosition(of: 0).azimuth < 0 && world.polarPosition(of: 0).azimuth > -45)
    #expect(world.polarPosition(of: 2).azimuth > 90)
    let place = Plan.house.places[0] - Plan.house.start
    #expect(abs(Double(world.polarPosition(of: 0).distance) - distance(place, .zero)) < 1e-4)
    let before = world.polarPosition(of: 0).azimuth
    world.perform(.turn(1))
    world.advance(by: 0.1)
    #expect(abs(world.polarPosition(of: 0).azimuth - (before - 10)) < 1e-3)
  }

  @Test func `The calculated level falls by 6 dB with the distance doubled, and by the loss of the wall`() {
    let open = Plan("#########################\n# @   1   2       3     #\n")
    let world = World(open, sounds: [("a", -20), ("b", -20), ("c", -20)])
    // The distances are 2, 4 and 8 m; within 3 m there is no fall.
    let levels = (0..<3).map { world.directLevel(of: $0) }
    #expect(abs(levels[0] - 20 * log10(0.9)) < 1e-5)
    #expect(abs(levels[1] - levels[0] - 20 * log10(3.0 / 4)) < 1e-4)
    #expect(abs(levels[2] - levels[1] + 20 * log10(2)) < 1e-4)
    let wall = Plan("#########################\n# @ # 1                 #\n")
    #expect(abs(World(wall, sounds: [("a", -12)]).directLevel(of: 0) - (20 * log10(0.9) - 12)) < 1e-4)
  }

  private func distance(_ one: SIMD2<Double>, _ other: SIMD2<Double>) -> Double {
    let way = one - other
    return (way * way).sum().squareRoot()
  }
}
