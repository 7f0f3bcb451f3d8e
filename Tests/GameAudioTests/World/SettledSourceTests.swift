import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// A source that has all values of its emitter gets the position alone, until the emitter or its bus changes.
///
/// Debug builds compare all values of such a source at each tick: every test of a world is a test of that, too.
@Suite struct SettledSourceTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))

  /// A scene with an emitter whose source has all values.
  private static func settled(_ sound: Sound = tone) throws -> CommandState {
    var scene = try CommandState([sound], mixesByFrames: true)
    scene.state.playback.scene.emitters.setPosition([0, 0, -2], of: 0)
    scene.state.play(0)
    for _ in 0..<2 { scene.tick(after: 512) }
    _ = scene.takeCommands()
    return scene
  }

  private static func isSettled(_ scene: CommandState) -> Bool {
    let update = scene.state.playback.scene.mixer.buses.updateCount
    return scene.state.playback.voices[0].settledUpdate == update
      && !scene.state.playback.scene.emitters[0].hasNewValues
  }

  @Test func `A source that is settled gets the position alone`() throws {
    var scene = try Self.settled()
    #expect(Self.isSettled(scene))
    scene.tick(after: 512)
    #expect(scene.takeCommands().isEmpty)
    scene.state.playback.scene.emitters.setPosition([0, 0, -3], of: 0)
    scene.tick(after: 512)
    #expect(scene.takeCommands() == ["move 0"] && Self.isSettled(scene))
    #expect(scene.state.playback.voices[0].values.position == [0, 0, -3])
  }

  @Test func `A change of the emitter or of its bus reaches the source`() throws {
    var scene = try Self.settled()
    scene.state.playback.scene.modify(0) { $0.gain = 0.5 }
    scene.tick(after: 512)
    #expect(scene.takeCommands() == ["set 0"] && scene.state.playback.voices[0].values.gain == 0.5)
    _ = scene.state.playback.scene.mixer.change(0) { $0.gain = 0.5 }
    scene.tick(after: 512)
    #expect(scene.takeCommands() == ["set 0"] && scene.state.playback.voices[0].values.gain == 0.25)
    scene.state.playback.scene.emitters.changeRare(0) { $0.radius = 2 }
    scene.tick(after: 512)
    #expect(scene.takeCommands() == ["set 0"] && scene.state.playback.voices[0].values.radius == 2)
    #expect(Self.isSettled(scene))
  }

  @Test func `A filter that glides reaches its value`() throws {
    var scene = try Self.settled()
    scene.state.playback.scene.emitters.changeRare(0) { $0.occlusion = -1 }
    let ticks = Int(1 / scene.state.playback.scene.time.physics.filterStep)
    for _ in 1...ticks {
      #expect(!Self.isSettled(scene))
      scene.tick(after: 512)
      #expect(scene.takeCommands() == ["set 0"])
    }
    #expect(scene.state.playback.voices[0].values.occlusion == -1 && Self.isSettled(scene))
  }

  @Test func `A source whose gain follows from the distance gets all values`() throws {
    var sound = Self.tone
    sound.silentBeyond = 10
    var scene = try Self.settled(sound)
    #expect(!Self.isSettled(scene))
    scene.state.playback.scene.emitters.setPosition([0, 0, -9.5], of: 0)
    scene.tick(after: 512)
    #expect(scene.takeCommands() == ["set 0"] && scene.state.playback.voices[0].values.gain < 1)
  }

  @Test func `A source gets all values while there are portals or several listeners`() throws {
    var scene = try Self.settled()
    _ = scene.state.playback.scene.space.listeners.set([Listener(), Listener()])
    scene.tick(after: 512)
    #expect(!Self.isSettled(scene))
    _ = scene.state.playback.scene.space.listeners.set([Listener()])
    for _ in 0..<3 { scene.tick(after: 512) }
    #expect(Self.isSettled(scene))
  }
}
