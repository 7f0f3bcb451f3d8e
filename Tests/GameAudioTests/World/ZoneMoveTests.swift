import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The units of zones whose list changes: each stays with its zone, or rings out.
@Suite struct ZoneMoveTests {
  private static func zone(_ name: String, _ reverb: Reverb, radius: Float = 5) -> ReverbZone {
    ReverbZone(.sphere(center: .zero, radius: radius), reverb, fade: 0, name: name)
  }

  private static let tone = Sound(
    TestSignal.sine(frequency: 400, duration: .seconds(1), format: .mono(sampleRate: 48_000))
  )

  /// A state whose listener is in one zone, with a unit that is fed.
  private static func inside(_ zones: [ReverbZone]) throws -> CommandState {
    var scene = try CommandState([tone], mixesByFrames: true)
    scene.state.playback.setZones(zones)
    let reverb = try #require(scene.state.playback.scene.space.zones.reverb(of: 0))
    let effect = try EffectUnit(.reverb(reverb), in: scene.context)
    #expect(scene.state.playback.zoneOpened(0, effect, reverb, sendLimit: 2) == nil)
    scene.state.playback.stepZones()
    scene.state.play(0)
    _ = scene.takeCommands()
    #expect(
      scene.state.playback.scene.space.zones.pool.units[0].state == .fed
        && scene.state.playback.scene.space.zones.pool.units[0].angle > 0
    )
    return scene
  }

  @Test func `A zone that moves in the list keeps its unit, and one whose reverb changes gets it by a command`() throws
  {
    let (small, large) = (Reverb(.smallRoom), Reverb(.largeHall))
    for (name, zones, index, commands) in [
      ("the same", [Self.zone("hall", small)], 0, []),
      ("moved", [Self.zone("far", large), Self.zone("hall", small)], 1, []),
      ("another reverb", [Self.zone("hall", large)], 0, ["reverb of a unit"]),
      ("another name, the same reverb", [Self.zone("cave", small)], 0, []),
    ] as [(String, [ReverbZone], Int, [String])] {
      // The listener is not in the far one.
      var scene = try Self.inside([Self.zone("hall", small)])
      let list = zones.map {
        $0.name == "far" ? ReverbZone(.sphere(center: [99, 0, 0], radius: 1), large, name: "far") : $0
      }
      scene.state.playback.setZones(list)
      #expect(
        scene.state.playback.scene.space.zones.pool.units[0].zone == ZoneIndex(index)
          && scene.state.playback.scene.space.zones.pool.units[0].state == .fed,
        "\(name)"
      )
      #expect(scene.takeCommands().filter { $0 != "gain of a unit" } == commands, "\(name)")
      #expect(
        scene.state.playback.scene.space.zones.zones == list
          && scene.state.playback.scene.space.zones.ringing.count == list.count
      )
      #expect(
        scene.state.playback.scene.space.factors(of: scene.state.playback.scene.feeds(of: 0)).map(\.kind) == [
          .zone(name: list[index].name, index: index)
        ]
      )
    }
  }

  @Test func `A zone that is removed rings out, and its share names no zone`() throws {
    var scene = try Self.inside([Self.zone("", Reverb(.smallRoom))])
    #expect(
      scene.state.playback.scene.space.factors(of: scene.state.playback.scene.feeds(of: 0)).map(\.kind) == [
        .zone(name: "", index: 0)
      ]
    )
    scene.state.playback.setZones([])
    #expect(
      scene.state.playback.scene.space.zones.pool.units[0].zone == nil && scene.state.playback.scene.space.zones.isInUse
    )
    #expect(
      scene.state.playback.scene.space.factors(of: scene.state.playback.scene.feeds(of: 0)).map(\.kind) == [
        .removedZone
      ]
    )
    var closed = false
    for _ in 0..<3_000 where !closed {
      scene.tick(after: 512)
      closed = scene.takeCommands().contains("close zone 0")
    }
    #expect(closed && !scene.state.playback.scene.space.zones.isInUse)
  }
}
