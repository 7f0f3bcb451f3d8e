import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The paths in a state: when they are searched, how much they occlude, and their portals.
@Suite struct PortalStateTests {
  private static let tone = Sound(
    TestSignal.sine(frequency: 400, duration: .seconds(9), format: .mono(sampleRate: 48_000))
  )

  /// A hall whose only door leads to the outdoors; the listener is inside, and two emitters are outdoors.
  private static func house(openness: Float = 1) throws -> WorldState {
    var state = try CommandState([tone, tone], mixesByFrames: true).state
    state.playback.scene.space.listeners = ListenerSet(Listener(position: [-5, 0, 0]))
    for slot in [0, 1] as [EmitterSlot] { state.playback.scene.emitters.setPosition([5, 0, 0], of: slot) }
    let shape = ReverbZone.Shape.box(center: [-5, 0, 0], size: [10, 4, 10])
    state.playback.setZones([ReverbZone(shape, Reverb(.smallRoom), fade: 0, name: "hall")])
    _ = state.playback.scene.space.setPortals([Portal(between: "hall", and: nil, at: .zero, openness: openness)])
    return state
  }

  /// Whether the room of an emitter could be searched.
  private static func updateRoom(_ state: inout WorldState, _ slot: EmitterSlot) -> Bool {
    guard let emitter = state.playback.scene.emitters.placed(slot) else { return false }
    state.playback.scene.space.updateRoom(of: emitter)
    return state.playback.scene.space.portals.paths.indices.contains(slot.position)
  }

  @Test func `A way through a door has its length, and one through the wall the straight one`() throws {
    for (openness, portal, muffling) in [(1, 0, nil), (0.5, 0, -6), (0, nil, -30)] as [(Float, Int?, Float?)] {
      var state = try Self.house(openness: openness)
      #expect(state.path(of: 0) == nil && state.portal(of: 0) == nil)
      state.playback.scene.updatePath(of: 0)
      let path = try #require(state.pathSnapshot(of: 0))
      #expect(path.portal == portal && abs(path.length - 10) < 1e-4)
      #expect(muffling.map { abs((path.muffling?.rawValue ?? 0) - $0) < 0.05 } ?? (path.muffling == nil))
      #expect(state.portal(of: 0) == portal.map { state.playback.scene.space.portals.portals[$0] })
      #expect((state.path(of: 0)?.course == .wall) == (portal == nil))
      #expect(state.path(of: 0).map { ($0.place - [5, 0, 0]).length < 1e-4 && $0.turned(.zero) == .zero } == true)
      // The other emitter has no path before it is searched, and an emitter without a position has none.
      #expect(state.path(of: 1) == nil)
      state.playback.scene.emitters[stored: 1].placement = .unplaced
      state.playback.scene.updatePath(of: 1)
      #expect(state.path(of: 1) == nil && !Self.updateRoom(&state, 1) && Self.updateRoom(&state, 0))
      _ = state.playback.scene.space.setPortals([])
      #expect(
        state.path(of: 0) == nil && state.playback.scene.space.portals.paths.isEmpty && !Self.updateRoom(&state, 0)
      )
    }
  }

  @Test func `A door occludes on top of the emitter and its rays, and a wall on top of the emitter alone`() throws {
    for (openness, own, rays, whole) in [
      (1, 0, 0, 0), (1, -3, -4, -7), (0.5, -3, -4, -13), (0, -3, -4, -33), (0, -80, -4, -100), (0.5, -50, -60, -100),
    ] as [(Float, Float, Float, Float)] {
      var state = try Self.house(openness: openness)
      state.playback.scene.emitters.changeRare(0) { rare in
        (rare.occlusion, rare.obstruction) = (Decibels(own), Decibels(own))
        rare.rays.take(occlusion: rays, obstruction: rays, at: 1, isHeard: false)
      }
      state.playback.scene.updatePath(of: 0)
      let levels = state.playback.scene.emitters[rare: 0].occlusion(on: state.path(of: 0))
      #expect(abs(levels.occlusion.rawValue - whole) < 0.05, "\(openness), \(own), \(rays)")
      #expect(levels.obstruction.rawValue == max(openness > 0 ? own + rays : own, -100))
      let values = state.playback.scene.voiceValues(of: 0)
      #expect(values.occlusion == levels.occlusion && values.obstruction == levels.obstruction)
    }
  }

  @Test func `A way is searched anew when the emitter, the listener or a door has moved`() throws {
    var state = try Self.house()
    state.playback.scene.updatePath(of: 0)
    #expect(state.playback.scene.space.portals.paths[0].room == 1 && state.zoneName(of: 0) == nil)
    #expect(
      !state.playback.scene.space.portals.paths[0].isMoved
        && state.playback.scene.space.portals.paths[0].searched == [5, 0, 0]
    )
    let (search, version) = (
      state.playback.scene.space.portals.paths[0].search, state.playback.scene.space.portals.roomVersion
    )
    #expect(
      search == state.playback.scene.space.portals.routes[0].number
        && state.playback.scene.space.portals.paths[0].listener == [-5, 0, 0]
    )
    // Nothing has moved: nothing is searched.
    state.playback.scene.space.searchRoutes()
    #expect(
      Self.updateRoom(&state, 0) && state.playback.scene.space.portals.routes[0].number == search
        && !state.playback.scene.space.portals.paths[0].isMoved
    )
    state.playback.scene.emitters.setPosition([-2, 0, 0], of: 0)
    #expect(
      Self.updateRoom(&state, 0) && state.playback.scene.space.portals.paths[0].isMoved
        && state.zoneName(of: 0) == "hall"
    )
    state.playback.scene.updatePath(of: 0)
    #expect(state.pathSnapshot(of: 0) == nil && state.portal(of: 0) == nil)
    state.playback.scene.space.listeners = ListenerSet(Listener(position: [-6, 0, 0]))
    state.playback.scene.space.searchRoutes()
    #expect(
      state.playback.scene.space.portals.routes[0].number != search
        && state.playback.scene.space.portals.routes[0].origin == [-6, 0, 0]
    )
    _ = state.playback.scene.space.setPortals([Portal(between: "hall", and: nil, at: [0, 0, 2])])
    #expect(state.playback.scene.space.portals.routes[0].version != state.playback.scene.space.portals.graph.version)
    state.playback.scene.updatePath(of: 1)
    #expect(state.playback.scene.space.portals.routes[0].version == state.playback.scene.space.portals.graph.version)
    // The path bends to the ball of the door, or through its middle at most.
    let length = state.pathSnapshot(of: 1)?.length ?? 0
    #expect(length > 11.1 && length < 11.8, "\(length)")
    state.playback.setZones([])
    #expect(state.playback.scene.space.portals.roomVersion > version && state.zoneName(of: 1) == nil)
  }

  @Test func `An emitter is in the zone of its place, by its name or its number`() throws {
    var state = try CommandState([Self.tone], mixesByFrames: true).state
    #expect(state.zoneName(of: 0) == nil)
    state.playback.setZones([
      ReverbZone(.sphere(center: .zero, radius: 4), Reverb(.smallRoom), name: "hall"),
      ReverbZone(.sphere(center: [20, 0, 0], radius: 4), Reverb(.smallRoom)),
    ])
    for hasPortals in [false, true] {
      if hasPortals { _ = state.playback.scene.space.setPortals([Portal(between: "hall", and: nil, at: [4, 0, 0])]) }
      for (x, name) in [(0, "hall"), (20, "1"), (10, nil), (1, "hall")] as [(Float, String?)] {
        state.playback.scene.emitters.setPosition([x, 0, 0], of: 0)
        #expect(state.zoneName(of: 0) == name, "\(x)")
        state.playback.scene.updatePath(of: 0)
        #expect(state.zoneName(of: 0) == name, "\(x)")
      }
    }
    state.playback.scene.emitters[stored: 0].placement = .unplaced
    #expect(state.zoneName(of: 0) == nil)
  }
}

extension WorldState {
  fileprivate func path(of slot: EmitterSlot) -> SoundPath? {
    playback.scene.space.path(of: playback.scene.emitters.placed(slot))
  }

  fileprivate func portal(of slot: EmitterSlot) -> Portal? {
    playback.scene.space.portals.portal(of: path(of: slot)?.course)
  }

  fileprivate func zoneName(of slot: EmitterSlot) -> String? {
    WorldSnapshot(WorldCopy(self)).emitters[slot.position].zone
  }

  fileprivate func pathSnapshot(of slot: EmitterSlot) -> WorldSnapshot.Path? {
    WorldSnapshot(WorldCopy(self)).emitters[slot.position].path
  }
}
