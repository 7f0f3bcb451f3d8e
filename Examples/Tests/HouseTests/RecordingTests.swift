import GameAudio
import Spatial3DReports
import Spatial3DTesting
import Stage
import Testing

@testable import house

@Suite struct RecordingTests {
  private static let recording = Result { try Recording(to: nil) }
  private static let (hound, ogre, ghost) = (0, 1, 2)

  /// The level of a monster alone at a stop of the walk, measured in the mix and predicted, with doors as given.
  private func level(of monster: Int, at leg: Int, openness: [Float]) throws -> (measured: Decibels, hearing: Hearing) {
    var renderer = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let house = try HauntedHouse(in: renderer.context)
    house.buses[monster].isSoloed = true
    // The direct sound alone: a prediction has no reverb.
    house.world.zones = house.world.zones.map { zone in
      var zone = zone
      zone.reverb.level = -100
      return zone
    }
    for (index, openness) in openness.enumerated() { house.world.portals[index].openness = openness }
    let place = try #require(Route.legs[leg].path.last)
    house.begin(at: place, facing: [1, 0])
    renderer.render(.seconds(2))
    let hearing = house.hearings[monster]
    return (renderer.render(.seconds(2)).level, hearing)
  }

  @Test(arguments: [(0, 1, 0), (1, 3, 1), (0, 4, 1)])
  func `A closed door lowers the monster behind it as predicted, within 1.5 dB`(
    monster: Int,
    leg: Int,
    door: Int
  ) throws {
    var openness: [Float] = [1, 1, 0, 0]
    let open = try level(of: monster, at: leg, openness: openness)
    openness[door] = 0
    let closed = try level(of: monster, at: leg, openness: openness)
    #expect(open.hearing.way == .door(door) && closed.hearing.way == .wall)
    let measured = (closed.measured - open.measured).rawValue
    let predicted = (closed.hearing.gain - open.hearing.gain).rawValue
    #expect(measured < -9)
    #expect(abs(measured - predicted) < 1.5, "\(measured) dB measured, \(predicted) dB predicted")
  }

  @Test func `A door that is half open muffles, and the chimney too`() throws {
    let open = try level(of: Self.ghost, at: 4, openness: [1, 1, 1, 0])
    let ajar = try level(of: Self.ghost, at: 4, openness: [1, 1, 0.5, 0])
    #expect(abs((ajar.measured - open.measured - ajar.hearing.muffling).rawValue) < 1)
    let hidden = try level(of: Self.hound, at: 0, openness: [1, 0, 0, 0])
    #expect(hidden.hearing.way == .door(0) && hidden.hearing.muffling < -1)
  }

  @Test func `The monsters are heard by the doors that are open on the way`() throws {
    let ways = try Self.recording.get().stops.map { $0.hearings.map(\.way) }
    #expect(
      ways == [
        [.door(0), .wall, .wall],
        [.door(0), .wall, .wall],
        [.straight, .wall, .wall],
        [.straight, .door(1), .door(1)],
        [.door(1), .straight, .door(2)],
        [.door(2), .door(2), .straight],
      ]
    )
  }

  @Test func `Each monster is loudest in its own room, and the ogre gets louder as door 2 opens`() throws {
    let stops = try Self.recording.get().stops
    for (index, monster) in Monster.all.enumerated() {
      let loudest = stops.max { $0.hearings[index].gain < $1.hearings[index].gain }
      #expect(loudest.flatMap { Plan.room(at: $0.moment.place)?.name } == monster.room)
    }
    #expect((stops[3].hearings[Self.ogre].gain - stops[2].hearings[Self.ogre].gain).rawValue > 8)
    // No wall is between the listener and an open door.
    for hearing in stops.flatMap(\.hearings) where hearing.way != .wall { #expect(hearing.muffling > -5) }
  }

  @Test func `The walk makes no click: doors, walls and pillars move smoothly`() throws {
    var renderer = try OfflineRenderer(format: Recording.format)
    let house = try HauntedHouse(in: renderer.context)
    let bus = house.world.mixer.makeBus("tones")
    bus.isSoloed = true
    let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: MonsterSounds.format, amplitude: 0.2)
    let tones = Monster.all.map { monster in
      let emitter = Emitter(playing: Sound(tone), in: house.world, on: bus)
      (emitter.repeats, emitter.position) = (.forever, Plan.scenePosition(monster.place(at: 0)))
      return emitter
    }
    house.begin(at: Route.start, facing: [1, 0])
    for tone in tones { tone.play() }
    var mix: [Float] = []
    for update in 0..<Int(Route.seconds * Double(Route.updateRate)) {
      house.advance(toRouteAt: Double(update) / Double(Route.updateRate))
      mix += renderer.render(frameCount: Recording.format.sampleRate / Route.updateRate).samples
    }
    let buffer = try PCMBuffer(samples: mix, format: Recording.format)
    #expect(buffer.level > -60)
    #expect(buffer.clicks(highestFrequency: 450).isEmpty)
  }

  @Test func `The table and the drawing have each leg and each monster`() throws {
    let recording = try Self.recording.get()
    let table = LegTable(of: recording).description
    #expect(table.split(separator: "\n").count == 2 + Route.legs.count * Monster.all.count)
    let drawing = HousePlot(of: recording)
    for leg in Route.legs {
      #expect(table.contains(leg.name) && drawing.markup.contains(leg.name))
    }
    for (index, monster) in Monster.all.enumerated() {
      #expect(drawing.markup.contains("\(monster.name) in the \(monster.room)"))
      let stretches = drawing.stretches(of: index)
      for (one, next) in zip(stretches, stretches.dropFirst()) {
        #expect(one.way != next.way && one.moments.last?.time == next.moments.first?.time)
      }
    }
  }

  @Test func `The page names the monsters by their keys`() throws {
    let page = WorldPage(try Self.recording.get().world, title: "Four rooms")
    let names = Set(page.snapshots.flatMap { $0.emitters.compactMap(\.key) })
    #expect(names == Set(Monster.all.map(\.name) + ["step"]))
    #expect(page.snapshots.first?.realCount == Monster.all.count)
  }
}
