import Foundation
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import GameAudio

/// A world that follows an audio session, on a simulated system.
@Suite struct SessionLinkTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func tone(_ frequency: Double, _ seconds: Int = 20) -> Sound {
    Sound(TestSignal.sine(frequency: frequency, duration: .seconds(seconds), format: mono, amplitude: 0.4))
  }

  /// An offline world, its session and the system.
  private final class Scene {
    var offline: OfflineRenderer
    let world: AudioWorld
    let system = SimulatedSession()
    let session: AudioSession

    init(_ category: SessionCategory = .soloAmbient, playsInBackground: Bool = false) throws {
      offline = try OfflineRenderer(format: mono)
      world = AudioWorld(in: offline.context)
      session = AudioSession(system, playsInBackground: playsInBackground)
      try session.setCategory(category)
      try session.activate()
    }

    /// Whether anything is audible behind the first frames of the next part of the mix.
    func isAudible(_ frameCount: Int = 9_600) -> Bool {
      !offline.render(frameCount: frameCount).frames(1_024..<frameCount).isSilent()
    }
  }

  @Test func `A call pauses the game and its end resumes it`() throws {
    let scene = try Scene()
    let following = scene.world.follow(scene.session)
    let hum = scene.world.playOnce(Sound(TestSignal.noise(duration: .seconds(3), format: Self.mono)))
    scene.offline.render(.seconds(1))
    let place = hum.playbackTime
    scene.system.post(.phoneCallBegan)
    #expect(scene.offline.render(.seconds(1)).frames(1_024..<48_000).isSilent())
    #expect(hum.playbackTime == place)
    #expect(scene.world.explain(hum).verdict == .silent(.silencedBySession))
    scene.system.post(.phoneCallEnded(shouldResume: true))
    #expect(scene.session.state == .active)
    #expect(scene.isAudible())
    withExtendedLifetime(following) {}
  }

  @Test
  func `A call whose end does not suggest to resume leaves the world silent until the game activates its session`()
    throws
  {
    let scene = try Scene()
    let following = scene.world.follow(scene.session)
    scene.world.playOnce(Self.tone(500))
    scene.system.post(.phoneCallBegan)
    scene.system.post(.phoneCallEnded(shouldResume: false))
    #expect(!scene.isAudible() && scene.session.state == .inactive)
    try scene.session.activate()
    #expect(scene.isAudible())
    withExtendedLifetime(following) {}
  }

  @Test func `A world stays silent while another reason holds`() throws {
    let scene = try Scene()
    let following = scene.world.follow(scene.session)
    scene.world.playOnce(Self.tone(500))
    #expect(scene.isAudible())
    scene.offline.context.suspend(.freeze, for: .userPause)
    scene.system.post(.phoneCallBegan)
    scene.system.post(.phoneCallEnded(shouldResume: true))
    #expect(!scene.isAudible())
    scene.offline.context.resume(from: .userPause)
    #expect(scene.isAudible())
    scene.system.post(.screenLocked)
    scene.system.post(.enteredBackground)
    scene.system.post(.screenUnlocked)
    #expect(!scene.isAudible())
    scene.system.post(.enteredForeground)
    #expect(scene.isAudible())
    withExtendedLifetime(following) {}
  }

  @Test func `An interruption that mutes lets the time go on, so that one-shots end`() throws {
    let scene = try Scene()
    let following = scene.world.follow(scene.session, onInterruption: .mute)
    let emitter = scene.world.playOnce(Self.tone(500, 1))
    let ends = Collected<EmitterEvent>()
    let token = emitter.observe { ends.append($0) }
    scene.offline.render(.milliseconds(500))
    scene.system.post(.phoneCallBegan)
    #expect(!scene.isAudible(48_000))
    #expect(ends.all.contains(.ended(.played)))
    scene.world.playOnce(Self.tone(700))
    #expect(!scene.isAudible())
    scene.system.post(.phoneCallEnded(shouldResume: true))
    #expect(scene.isAudible())
    withExtendedLifetime((following, token)) {}
  }

  @Test func `The background suspends ambient sessions, and keeps a session that plays there`() throws {
    for category in [SessionCategory.ambient, .soloAmbient, .playback] {
      let scene = try Scene(category, playsInBackground: true)
      let following = scene.world.follow(scene.session)
      let emitter = Emitter(playing: Self.tone(500), in: scene.world)
      emitter.play()
      #expect(scene.isAudible())
      scene.system.post(.enteredBackground)
      #expect(scene.isAudible() == (category == .playback))
      scene.system.post(.enteredForeground)
      #expect(scene.isAudible())
      scene.system.post(.ringSwitch(silent: true))
      #expect(scene.isAudible() == (category == .playback))
      scene.system.post(.ringSwitch(silent: false))
      #expect(scene.isAudible())
      withExtendedLifetime(following) {}
    }
  }

  @Test(arguments: [false, true])
  func `Players that a call has paused resume where the link is to resume them`(resumes: Bool) throws {
    let scene = try Scene(.playback)
    let resumption = resumes ? SessionLink.Resumption.players(rewind: .milliseconds(500)) : .manual
    let following = scene.world.follow(scene.session, resuming: resumption)
    let (music, other) = (
      try SoundPlayer(playing: Self.tone(500), in: scene.world),
      try SoundPlayer(playing: Self.tone(900), in: scene.world)
    )
    let events = Collected<PlayerEvent>()
    let token = music.observe { events.append($0) }
    music.play()
    other.play()
    scene.offline.render(.seconds(2))
    let place = music.playbackTime
    scene.system.post(.phoneCallBegan)
    #expect(!music.isPlaying && events.all == [.interruptionBegan])
    #expect(!scene.isAudible())
    // The player that a call of the game touches is the game's.
    other.pause()
    scene.system.post(.phoneCallEnded(shouldResume: true))
    #expect(events.all == [.interruptionBegan, .interruptionEnded(shouldResume: true)])
    #expect(music.isPlaying == resumes && !other.isPlaying)
    #expect(abs((music.playbackTime - (resumes ? place - .milliseconds(500) : place)) / .milliseconds(1)) < 12)
    #expect(scene.isAudible() == resumes)
    withExtendedLifetime((following, token)) {}
  }

  @Test func `Spoken audio goes back two seconds after an interruption`() throws {
    let scene = try Scene(.playback)
    try scene.session.setCategory(.playback, mode: .spokenAudio)
    let following = scene.world.follow(scene.session, resuming: .players())
    let podcast = try SoundPlayer(playing: Self.tone(500), in: scene.world)
    podcast.play()
    scene.offline.render(.seconds(5))
    scene.system.post(.spokenPromptBegan)
    #expect(!scene.isAudible())
    scene.system.post(.spokenPromptEnded(shouldResume: true))
    #expect(podcast.isPlaying)
    #expect(abs((podcast.playbackTime - .seconds(3)) / .milliseconds(1)) < 12)
    #expect(scene.isAudible())
    withExtendedLifetime(following) {}
  }

  @Test func `Music of another program fades the buses that give way to it`() throws {
    let scene = try Scene(.ambient)
    let following = scene.world.follow(scene.session)
    let (music, sfx) = (scene.world.mixer.makeBus("music"), scene.world.mixer.makeBus("sfx"))
    music.mutesWithOtherAudio = true
    scene.world.playOnce(Self.tone(500), on: music)
    scene.world.playOnce(Self.tone(900), on: sfx)
    let before = scene.offline.render(.seconds(1))
    scene.system.post(.otherAudio(isPlaying: true))
    let fade = scene.offline.render(.seconds(1))
    let after = scene.offline.render(.seconds(1))
    #expect(fade.clicks(highestFrequency: 1_000).isEmpty)
    #expect(after.level(at: 500) < -80 && abs((after.level(at: 900) - before.level(at: 900)).rawValue) < 0.1)
    music.mutesWithOtherAudio = false
    scene.offline.render(.seconds(1))
    #expect(abs((scene.offline.render(.seconds(1)).level(at: 500) - before.level(at: 500)).rawValue) < 0.1)
    music.mutesWithOtherAudio = true
    scene.offline.render(.seconds(1))
    scene.system.post(.otherAudio(isPlaying: false))
    scene.offline.render(.seconds(1))
    #expect(abs((scene.offline.render(.seconds(1)).level(at: 500) - before.level(at: 500)).rawValue) < 0.1)
    withExtendedLifetime(following) {}
  }

  @Test(arguments: SessionLink.OutputLoss.allCases)
  func `Headphones that are pulled out pause what they are set to`(loss: SessionLink.OutputLoss) throws {
    let scene = try Scene(.playback)
    let following = scene.world.follow(scene.session, onOutputLoss: loss)
    let music = try SoundPlayer(playing: Self.tone(500), in: scene.world)
    music.play()
    scene.world.playOnce(Self.tone(900))
    scene.system.post(.outputPlugged("headphones"))
    scene.offline.render(.milliseconds(200))
    #expect(music.isPlaying)
    scene.system.post(.outputUnplugged)
    scene.offline.render(.milliseconds(200))
    let mix = scene.offline.render(.milliseconds(500))
    #expect((mix.level(at: 500) > -40) == (loss == .keepPlaying))
    #expect((mix.level(at: 900) > -40) == (loss != .pauseAll))
    scene.world.mixer.main.resume()
    music.play()
    scene.offline.render(.milliseconds(200))
    #expect(scene.offline.render(.milliseconds(500)).level(at: 500) > -40)
    withExtendedLifetime(following) {}
  }

  @Test(arguments: [SessionLink.OutputLoss.pausePlayers, .keepPlaying])
  func `The end of a call resumes no player whose headphones were pulled out in it`(
    loss: SessionLink.OutputLoss
  ) throws {
    let scene = try Scene(.playback)
    let following = scene.world.follow(scene.session, resuming: .players(), onOutputLoss: loss)
    let music = try SoundPlayer(playing: Self.tone(500, 2), in: scene.world)
    music.play()
    scene.system.post(.outputPlugged("headphones"))
    #expect(scene.isAudible(4_800))
    scene.system.post(.phoneCallBegan)
    scene.system.post(.outputUnplugged)
    scene.system.post(.phoneCallEnded(shouldResume: true))
    #expect(music.isPlaying == (loss == .keepPlaying))
    #expect(scene.isAudible(4_800) == (loss == .keepPlaying))
    music.play()
    #expect(scene.isAudible(4_800))
    withExtendedLifetime(following) {}
  }

  @Test func `A world freezes while the sound service is gone, and goes on with its return`() throws {
    let scene = try Scene()
    let following = scene.world.follow(scene.session)
    scene.world.playOnce(Self.tone(500))
    #expect(scene.isAudible())
    scene.system.post(.servicesLost)
    #expect(!scene.isAudible())
    scene.system.post(.servicesReset)
    #expect(scene.isAudible() && scene.session.state == .active)
    withExtendedLifetime(following) {}
  }

  @Test func `A sound that begins in an interruption is reported once, and is heard after it`() throws {
    let scene = try Scene()
    let reports = Collected<Diagnostic>()
    scene.offline.context.onDiagnostic = { reports.append($0) }
    let following = scene.world.follow(scene.session)
    for _ in 0..<2 {
      scene.system.post(.phoneCallBegan)
      scene.world.playOnce(Self.tone(500))
      scene.world.playOnce(Self.tone(500))
      #expect(!scene.isAudible())
      scene.system.post(.phoneCallEnded(shouldResume: true))
      #expect(scene.isAudible())
    }
    #expect(reports.all.map(\.code) == [.playedInInterruption, .playedInInterruption])
    withExtendedLifetime(following) {}
  }

  @Test func `The release of the link ends its suspension and restores the policy`() throws {
    let scene = try Scene()
    scene.offline.context.device.policy = .stay
    var following: SessionLink? = scene.world.follow(scene.session)
    #expect(scene.offline.context.device.policy == .follow)
    scene.world.playOnce(Self.tone(500))
    scene.system.post(.phoneCallBegan)
    #expect(!scene.isAudible() && following != nil)
    following = nil
    #expect(scene.isAudible() && scene.offline.context.device.policy == .stay)
    scene.system.post(.screenLocked)
    #expect(scene.isAudible())
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `The last link of a device restores its policy`(order: [Int]) throws {
    let scene = try Scene()
    let device = scene.offline.context.device
    device.policy = .stay
    let other = AudioWorld(in: try AudioContext(device: device))
    let links = [scene.world.follow(scene.session), other.follow(scene.session)]
    links[order[0]].cancel()
    #expect(device.policy == .follow)
    links[order[1]].cancel()
    #expect(device.policy == .stay)
    // A policy that the program sets meanwhile stays.
    let last = scene.world.follow(scene.session)
    device.policy = .pauseOnOutputLoss
    last.cancel()
    #expect(device.policy == .pauseOnOutputLoss)
  }

  @Test func `A link that begins while the last one ends follows, and restores the policy`() throws {
    let device = try Scene().offline.context.device
    device.policy = .stay
    let devices = FollowedDevices()
    let meeting = Meeting()
    let rounds = 15_000
    Thread.detachNewThread {
      for _ in 0..<rounds {
        meeting.meet()
        devices.begin(device)
        meeting.meet()
      }
    }
    var (linked, restored): (Set<DevicePolicy>, Set<DevicePolicy>) = ([], [])
    for _ in 0..<rounds {
      devices.begin(device)
      meeting.meet()
      devices.end(device)
      meeting.meet()
      // The link of the other thread holds.
      linked.insert(device.policy)
      devices.end(device)
      restored.insert(device.policy)
      device.policy = .stay
    }
    #expect(linked == [.follow] && restored == [.stay])
  }

  @Test func `A session that is not active silences the world that follows it`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let session = AudioSession()
    let following = world.follow(session)
    let tone = world.playOnce(Self.tone(500))
    #expect(offline.render(.seconds(1)).isSilent())
    #expect(world.explain(tone).description.contains("silences the world: it is not active (call activate())"))
    try session.activate()
    #expect(!offline.render(.seconds(1)).isSilent())
    session.deactivate()
    offline.render(frameCount: 1_024)
    #expect(offline.render(.seconds(1)).isSilent())
    withExtendedLifetime(following) {}
  }

  @Test(arguments: [SessionLink.InterruptionStyle.freeze, .mute])
  func `Players stand in an interruption that freezes, and go on in one that mutes`(
    style: SessionLink.InterruptionStyle
  ) throws {
    let scene = try Scene(.playback)
    let following = scene.world.follow(scene.session, onInterruption: style)
    let player = try SoundPlayer(playing: Self.tone(500), in: scene.world)
    player.play()
    scene.offline.render(.milliseconds(200))
    scene.system.post(.phoneCallBegan)
    let status = player.inspector.status
    #expect(status == (style == .mute ? .playing : .paused))
    withExtendedLifetime(following) {}
  }

  @Test func `A link that is cancelled leaves nothing of its session in the world`() throws {
    let scene = try Scene(.ambient)
    let following = scene.world.follow(scene.session)
    #expect(scene.world.inspector.sessionReasonCount == 1)
    scene.system.post(.otherAudio(isPlaying: true))
    scene.system.post(.phoneCallBegan)
    #expect(scene.world.inspector.isOtherAudioPlaying && scene.world.inspector.isInterrupted)
    #expect(!scene.offline.context.suspensions.isEmpty)
    for _ in 0..<2 {
      following.cancel()
      #expect(scene.world.inspector.sessionReasonCount == 0 && scene.offline.context.suspensions.isEmpty)
      #expect(!scene.world.inspector.isOtherAudioPlaying && !scene.world.inspector.isInterrupted)
      scene.system.post(.phoneCallEnded(shouldResume: true))
      scene.system.post(.phoneCallBegan)
    }
  }
}

/// The points at which two threads wait for each other.
private final class Meeting: Sendable {
  private let arrivals = Atomic(0)

  func meet() {
    let count = arrivals.add(1, ordering: .acquiringAndReleasing).newValue
    while arrivals.load(ordering: .acquiring) < count + count % 2 { sched_yield() }
  }
}
