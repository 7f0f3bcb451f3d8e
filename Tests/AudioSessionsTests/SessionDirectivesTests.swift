import AudioSessions
import Testing

@Suite struct SessionDirectivesTests {
  private let system = SimulatedSession()

  private func makeActiveSession(
    _ category: SessionCategory,
    mode: SessionMode = .default,
    options: SessionOptions = [],
    playsInBackground: Bool = false,
    suspendsInBackground: Bool = false
  ) throws -> AudioSession {
    let session = AudioSession(
      system,
      playsInBackground: playsInBackground,
      suspendsInBackground: suspendsInBackground
    )
    try session.setCategory(category, mode: mode, options: options)
    try session.activate()
    return session
  }

  @Test func `In Wwise's way an interruption mutes, and time and players continue`() throws {
    let session = try makeActiveSession(.soloAmbient)
    system.post(.phoneCallBegan)
    system.post(.screenLocked)
    #expect(session.directives.suspensions == [.interruption: .freeze, .screenLock: .queue])
    #expect(session.directives.pausesPlayers)
    let directives = session.directives.mutingInterruptions()
    #expect(directives.suspensions == [.interruption: .mute, .screenLock: .queue])
    #expect(!directives.pausesPlayers)
    #expect(directives.advice == session.directives.advice)
    system.post(.phoneCallEnded(shouldResume: true))
    #expect(session.directives.mutingInterruptions() == session.directives)
  }

  @Test(arguments: [SessionCategory.ambient, .soloAmbient])
  func `The background queues the calls of a game, as in Wwise`(category: SessionCategory) throws {
    let session = try makeActiveSession(category, playsInBackground: true)
    system.post(.enteredBackground)
    #expect(session.directives.suspensions == [.background: .queue])
    system.post(.enteredForeground)
    #expect(session.directives.suspensions == [:])
  }

  @Test(arguments: [SessionCategory.playback, .playAndRecord])
  func `A program that declares it plays in the background, unless it asks for a suspension`(
    category: SessionCategory
  ) throws {
    let plays = try makeActiveSession(category, playsInBackground: true)
    let suspends = try makeActiveSession(category, playsInBackground: true, suspendsInBackground: true)
    let undeclared = try makeActiveSession(category)
    system.post(.enteredBackground)
    #expect(plays.directives.suspensions == [:])
    #expect(suspends.directives.suspensions == [.background: .queue])
    #expect(undeclared.directives.suspensions == [.background: .queue])
  }

  @Test func `The ring switch mutes a game and not a player`() throws {
    let game = try makeActiveSession(.ambient)
    let player = try makeActiveSession(.playback)
    system.post(.ringSwitch(silent: true))
    #expect(game.directives.suspensions == [.ringSwitch: .mute])
    #expect(player.directives.suspensions == [:])
    system.post(.ringSwitch(silent: false))
    #expect(game.directives.suspensions == [:])
  }

  @Test func `A recording program is silent, and so is the system`() throws {
    let session = try makeActiveSession(.record)
    #expect(session.directives.suspensions == [.category: .mute])
    #expect(system.requests.silencesOutput)
    session.deactivate()
    #expect(!system.requests.silencesOutput)
  }

  @Test func `Speech goes back by two seconds when it resumes`() throws {
    #expect(try makeActiveSession(.playback, mode: .spokenAudio).directives.resumeRewind == .seconds(2))
    #expect(try makeActiveSession(.playback).directives.resumeRewind == .zero)
  }

  @Test func `The music of the user silences the game's own, and the game is notified`() throws {
    let session = try makeActiveSession(.ambient)
    let log = EventLog(session)
    #expect(session.isOtherAudioPlaying == nil)
    system.post(.otherAudio(isPlaying: true))
    #expect(session.isOtherAudioPlaying == true)
    #expect(session.directives.mutesWithOtherAudio)
    #expect(session.directives.suspensions == [:])
    system.post(.otherAudio(isPlaying: false))
    #expect(session.isOtherAudioPlaying == false)
    #expect(!session.directives.mutesWithOtherAudio)
    #expect(log.events == [.secondaryAudioHint(begins: true), .secondaryAudioHint(begins: false)])
    #expect(SessionDirectives.busFade == .milliseconds(500))
  }

  @Test func `A session of others that mixes is no music of the user`() throws {
    let session = try makeActiveSession(.ambient)
    system.post(.otherSessionActivated(mixable: true))
    #expect(session.isOtherAudioPlaying == true)
    #expect(!session.directives.mutesWithOtherAudio)
    system.post(.otherSessionActivated(mixable: false))
    #expect(session.directives.mutesWithOtherAudio)
    #expect(session.state == .active)
    system.post(.otherSessionDeactivated(notifyingOthers: true))
    #expect(!session.directives.mutesWithOtherAudio)
  }

  @Test func `A game that is in the background learns about the music when it returns`() throws {
    let session = try makeActiveSession(.ambient)
    let log = EventLog(session)
    system.post(.enteredBackground)
    system.post(.otherAudio(isPlaying: true))
    #expect(log.events == [])
    system.post(.enteredForeground)
    #expect(log.events == [.secondaryAudioHint(begins: true)])
    system.post(.enteredBackground)
    system.post(.otherAudio(isPlaying: false))
    system.post(.otherAudio(isPlaying: true))
    system.post(.enteredForeground)
    #expect(log.events == [.secondaryAudioHint(begins: true)])
  }

  @Test func `A game that is activated beside music is notified of it`() throws {
    let session = AudioSession(system)
    let log = EventLog(session)
    try session.setCategory(.ambient)
    system.post(.otherAudio(isPlaying: true))
    #expect(log.events == [])
    try session.activate()
    #expect(log.events == [.secondaryAudioHint(begins: true)])
    try session.setCategory(.soloAmbient)
    #expect(log.events == [.secondaryAudioHint(begins: true), .secondaryAudioHint(begins: false)])
  }

  @Test func `The advice of Wwise comes with a category that does not suit a game`() throws {
    let session = AudioSession()
    #expect(session.directives.advice == [])
    try session.setCategory(.playAndRecord)
    #expect(
      session.directives.advice.map(\.description) == [
        "Choose record and playAndRecord only while the game uses the microphone, because they stop the music of the"
          + " user."
      ]
    )
    try session.setCategory(.playback)
    #expect(
      session.directives.advice.map(\.description) == [
        "Choose playback only for sound that continues in the background, and declare that with playsInBackground."
          + " A game is ambient or soloAmbient."
      ]
    )
    #expect(AudioSession(playsInBackground: true).directives.advice == [])
  }

  @Test func `Modes advise about the output and the microphone`() throws {
    let session = AudioSession()
    try session.setCategory(.playAndRecord, mode: .measurement)
    #expect(session.directives.advice == [.onlyWithMicrophone, .turnLimiterOff, .turnHRTFOff])
    try session.setCategory(.playAndRecord, mode: .voiceChat)
    #expect(session.directives.advice == [.onlyWithMicrophone, .processVoice, .routeIsNotChosen])
    try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
    #expect(session.directives.advice == [.onlyWithMicrophone, .routeIsNotChosen])
  }

  @Test func `Every advice is a sentence`() {
    for advice in SessionAdvice.allCases { #expect(advice.description.hasSuffix(".")) }
  }
}
