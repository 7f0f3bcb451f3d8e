import AudioSessions
import Testing

@Suite struct MultiAppSimulatorTests {
  private let system = MultiAppSimulator()

  @Test(arguments: [(true, true), (true, false), (false, true), (false, false)])
  func `Of two programs, only one that does not mix interrupts another that does not`(
    mineMixes: Bool,
    theirsMixes: Bool
  ) throws {
    let mine = system.makeSession()
    let theirs = system.makeSession()
    try mine.setCategory(.playback, options: mineMixes ? .mixWithOthers : [])
    try theirs.setCategory(.playback, options: theirsMixes ? .mixWithOthers : [])
    try theirs.activate()
    let log = EventLog(theirs)
    try mine.activate()

    #expect(mine.state == .active)
    #expect(system.audibility(of: mine) == .full)
    if mineMixes || theirsMixes {
      #expect(theirs.state == .active)
      #expect(system.audibility(of: theirs) == .full)
      #expect(log.events == [])
    } else {
      #expect(theirs.state == .interrupted(by: [.otherSession]))
      #expect(system.audibility(of: theirs) == .silent)
      #expect(log.events == [.interruptionBegan(.otherSession)])
    }
    #expect(mine.isOtherAudioPlaying == (mineMixes || theirsMixes ? true : nil))
  }

  @Test func `A program that resumes inside an observer is reported to the others after the cause`() throws {
    let sessions = (0..<3).map { _ in system.makeSession() }
    for session in sessions {
      try session.setCategory(.playback)
      try session.activate()
    }
    let first = sessions[0]
    let resuming = first.observe { [weak first] event in
      if event == .interruptionEnded(shouldResume: true) { try? first?.activate() }
    }
    sessions[2].deactivate(notifyingOthers: true)
    #expect(first.state == .active)
    #expect(sessions[1].state == .inactive && sessions[1].isOtherAudioPlaying == true)
    withExtendedLifetime(resuming) {}
  }

  @Test(arguments: [true, false])
  func `Deactivation asks the interrupted program to resume if it notifies others`(notifying: Bool) throws {
    let call = system.makeSession()
    let music = system.makeSession()
    try music.setCategory(.playback)
    try music.activate()
    let log = EventLog(music)
    try call.setCategory(.playAndRecord, mode: .voiceChat)
    try call.activate()
    call.deactivate(notifyingOthers: notifying)
    #expect(log.events == [.interruptionBegan(.otherSession), .interruptionEnded(shouldResume: notifying)])
    #expect(music.state == .inactive)
    #expect(music.directives.shouldReactivate == notifying)
  }

  @Test func `A prompt pauses a podcast and lowers music, and the podcast resumes two seconds earlier`() throws {
    let podcast = system.makeSession(playsInBackground: true)
    let music = system.makeSession(playsInBackground: true)
    let navigation = system.makeSession(playsInBackground: true)
    try podcast.setCategory(.playback, mode: .spokenAudio)
    try music.setCategory(.playback, options: .mixWithOthers)
    try navigation.setCategory(.playback, options: [.interruptSpokenAudioAndMixWithOthers, .duckOthers])
    try music.activate()
    try podcast.activate()
    let rewinds = Record<Duration>()
    let resuming = podcast.observe { [weak podcast] event in
      guard let podcast, event == .interruptionEnded(shouldResume: true) else { return }
      try? podcast.activate()
      rewinds.append(podcast.directives.resumeRewind)
    }
    let log = EventLog(podcast)

    try navigation.activate()
    #expect(podcast.state == .interrupted(by: [.spokenPrompt]))
    #expect(podcast.directives.pausesPlayers)
    #expect(system.audibility(of: podcast) == .silent)
    #expect(system.audibility(of: music) == .lowered)
    #expect(system.audibility(of: navigation) == .full)

    navigation.deactivate(notifyingOthers: true)
    #expect(podcast.state == .active)
    #expect(rewinds.values == [.seconds(2)])
    #expect(system.audibility(of: podcast) == .full)
    #expect(system.audibility(of: music) == .full)
    #expect(log.events == [.interruptionBegan(.spokenPrompt), .interruptionEnded(shouldResume: true)])
    withExtendedLifetime(resuming) {}
  }

  @Test func `A prompt that only lowers others leaves a podcast lowered`() throws {
    let podcast = system.makeSession()
    let navigation = system.makeSession()
    try podcast.setCategory(.playback, mode: .spokenAudio)
    try navigation.setCategory(.playback, options: .duckOthers)
    try podcast.activate()
    try navigation.activate()
    #expect(podcast.state == .active)
    #expect(system.audibility(of: podcast) == .lowered)
  }

  @Test func `A recording silences every other program, and asks the ones that mix for nothing`() throws {
    let recorder = system.makeSession()
    let game = system.makeSession()
    try recorder.setCategory(.record)
    try game.setCategory(.ambient)
    try game.activate()
    try recorder.activate()
    #expect(game.state == .active)
    #expect(system.audibility(of: game) == .silent)
    recorder.deactivate()
    #expect(system.audibility(of: game) == .full)
  }

  @Test func `A game beside music keeps its effects and mutes its own music`() throws {
    let music = system.makeSession(playsInBackground: true)
    let game = system.makeSession()
    try music.setCategory(.playback)
    try music.activate()
    music.report(.enteredBackground)
    try game.setCategory(.recommended(isOtherAudioPlaying: game.isOtherAudioPlaying ?? false))
    #expect(game.category == .ambient)
    try game.activate()
    #expect(system.audibility(of: music) == .full)
    #expect(system.audibility(of: game) == .full)
    #expect(game.directives.mutesWithOtherAudio)
    music.deactivate()
    #expect(!game.directives.mutesWithOtherAudio)
  }

  @Test func `The end of one of two other programs leaves the interruption by the second`() throws {
    let game = system.makeSession()
    let music = system.makeSession()
    let chat = system.makeSession()
    try chat.setCategory(.ambient)
    try music.setCategory(.playback)
    try game.activate()
    let log = EventLog(game)
    try chat.activate()
    try music.activate()
    chat.deactivate(notifyingOthers: true)
    #expect(game.state == .interrupted(by: [.otherSession]))
    try chat.activate()
    music.deactivate(notifyingOthers: true)
    #expect(log.events == [.interruptionBegan(.otherSession), .interruptionEnded(shouldResume: true)])
    #expect(game.isOtherAudioPlaying == true)
  }

  @Test func `A released program resumes nobody`() throws {
    let game = system.makeSession()
    try game.activate()
    let log = EventLog(game)
    do {
      let music = system.makeSession()
      try music.setCategory(.playback)
      try music.activate()
    }
    #expect(log.events == [.interruptionBegan(.otherSession), .interruptionEnded(shouldResume: false)])
    #expect(game.isOtherAudioPlaying == nil)
  }

  @Test func `Programs take the output from one another`() throws {
    let first = system.makeSession()
    let second = system.makeSession()
    try first.activate()
    try second.activate()
    try first.activate()
    #expect(first.state == .active)
    #expect(second.state == .interrupted(by: [.otherSession]))
    try second.activate()
    #expect(first.state == .interrupted(by: [.otherSession]))
    #expect(second.state == .active)
  }

  @Test func `A session of another simulator is silent`() throws {
    let other = MultiAppSimulator().makeSession()
    try other.activate()
    #expect(system.audibility(of: other) == .silent)
    #expect(other.otherAudioEffect == .ducked)
  }
}
