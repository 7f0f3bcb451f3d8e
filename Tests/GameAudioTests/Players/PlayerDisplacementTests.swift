import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Players with a second voice that lose their first voice to a louder player.
@Suite struct PlayerDisplacementTests {
  /// The reason for the second voice of a quiet player.
  enum Second: CaseIterable, Sendable {
    case changedLoop, nextSound
  }

  @Test(arguments: Second.allCases)
  func `A player that loses its voice takes none with its second voice`(second: Second) throws {
    var fixture = try PlayerFixture(voices: 1)
    let tone = TestSignal.sine(frequency: 300, duration: .milliseconds(300), format: PlayerFixture.mono)
    let quiet = try SoundPlayer(playing: Sound(tone), in: fixture.world)
    quiet.volume = 0.1
    let loud = try SoundPlayer(playing: Sound(tone), in: fixture.world)
    switch second {
    case .changedLoop: quiet.repeats = .forever
    // A sound of another format has a second voice.
    case .nextSound: quiet.schedule(Sound(try PlayerFixture.noise(9_600)))
    }
    quiet.play()
    fixture.offline.render(frameCount: 7_680)
    if second == .changedLoop { quiet.loopRange = 0..<9_600 }
    loud.play()
    for _ in 0..<12 {
      fixture.offline.render(frameCount: 512)
      let count = fixture.world.snapshot().realCount
      #expect(count <= 1, "\(count) voices")
    }
    #expect(quiet.isPlaying && loud.isPlaying)
    let voices = fixture.world.snapshot().players.map(\.isVirtual)
    #expect(voices == [true, false])
  }
}
