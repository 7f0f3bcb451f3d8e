//! A game's tests of its interruptions, for the guide of AudioSessions.

// snippet.imports
import AudioSessions
import Testing
// snippet.end

// snippet.music
/// The music of a game, which pauses while the session directs it to.
final class Music: Sendable {
  private let session: AudioSession

  init(in session: AudioSession) { self.session = session }

  var isAudible: Bool { session.directives.suspensions.isEmpty }
}
// snippet.end

@Suite struct InterruptionTests {
  // snippet.call
  @Test func `A call silences the music, until it ends`() throws {
    let system = SimulatedSession()
    let session = AudioSession(system)
    let music = Music(in: session)
    try session.activate()
    #expect(music.isAudible)

    system.post(.phoneCallBegan)
    #expect(session.state == .interrupted(by: [.phone]))
    #expect(!music.isAudible)

    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.directives.shouldReactivate)
    try session.activate()
    #expect(music.isAudible)
  }
  // snippet.end

  // snippet.background
  @Test func `A game is silent in the background`() throws {
    let system = SimulatedSession()
    let session = AudioSession(system)
    try session.activate()

    system.post(.enteredBackground)
    system.post(.screenLocked)
    let suspensions = session.directives.suspensions
    #expect(suspensions == [.background: .queue, .screenLock: .queue])
    system.post(.screenUnlocked)
    system.post(.enteredForeground)
    #expect(session.directives.suspensions.isEmpty)
  }
  // snippet.end

  // snippet.programs
  @Test func `A prompt pauses the podcast, which rewinds`() throws {
    let system = MultiAppSimulator()
    let podcast = system.makeSession()
    let navigation = system.makeSession()
    try podcast.setCategory(.playback, mode: .spokenAudio)
    try podcast.activate()

    try navigation.setCategory(
      .playback,
      options: [.interruptSpokenAudioAndMixWithOthers, .duckOthers]
    )
    try navigation.activate()
    #expect(podcast.state == .interrupted(by: [.spokenPrompt]))
    #expect(system.audibility(of: navigation) == .full)

    navigation.deactivate(notifyingOthers: true)
    #expect(podcast.directives.shouldReactivate)
    #expect(podcast.directives.resumeRewind == .seconds(2))
    try podcast.activate()
    #expect(system.audibility(of: podcast) == .full)
  }
  // snippet.end

  /// Holds the snippets of the doc comments.
  private func comments() throws {
    do {
      // snippet.simulated
      let system = SimulatedSession()
      let session = AudioSession(system)
      try session.activate()
      system.post(.phoneCallBegan)
      #expect(session.state == .interrupted(by: [.phone]))
      // snippet.end
    }
    // snippet.simulator
    let system = MultiAppSimulator()
    let podcast = system.makeSession()
    let navigation = system.makeSession()
    // snippet.end
    _ = (podcast, navigation)
  }
}
