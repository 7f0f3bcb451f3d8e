import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Changes of a mix that move over a tick or longer: none of them clicks.
@Suite struct RampTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// A change, and the change that takes it back.
  enum Change: String, CaseIterable {
    case pause, mute, solo, apply, send, steppedSend, outputLoss, pauseOfAll, interruption, mutedInterruption

    /// Whether the tone is silent meanwhile.
    var silences: Bool { ![.apply, .send, .steppedSend].contains(self) }

    var loss: SessionLink.OutputLoss { self == .pauseOfAll ? .pauseAll : .pausePlayers }
    var style: SessionLink.InterruptionStyle { self == .mutedInterruption ? .mute : .freeze }
  }

  /// A player or an emitter with a tone on a bus, in a world that follows a session.
  private final class Scene {
    var offline: OfflineRenderer
    let world: AudioWorld
    let (music, other): (Bus, Bus)
    let player: SoundPlayer
    let emitter: Emitter
    let unit: EffectUnit
    let system = SimulatedSession()
    let following: SessionLink

    init(_ change: Change, playsEmitter: Bool = false) throws {
      offline = try OfflineRenderer(format: RampTests.mono)
      world = AudioWorld(in: offline.context)
      (music, other) = (world.mixer.makeBus("music"), world.mixer.makeBus("other"))
      unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
      let session = AudioSession(system)
      try session.setCategory(.playback)
      try session.activate()
      system.post(.outputPlugged("headphones"))
      following = world.follow(
        session,
        onInterruption: change.style,
        resuming: .players(),
        onOutputLoss: change.loss
      )
      let tone = TestSignal.sine(frequency: 500, duration: .seconds(2), format: RampTests.mono, amplitude: 0.3)
      player = try SoundPlayer(playing: Sound(tone), in: world, on: music)
      emitter = Emitter(playing: Sound(tone), in: world, on: music)
      if playsEmitter { emitter.play() } else { player.play() }
      offline.render(frameCount: 4_800)
    }

    func begin(_ change: Change) {
      switch change {
      case .pause: music.pause()
      case .mute: music.isMuted = true
      case .solo: other.isSoloed = true
      case .apply: world.mixer.apply(MixSnapshot(lines: ["music": .init(gain: .decibels(-20))]))
      case .send: music.send(to: unit, gain: .unity, .declick)
      case .steppedSend: music.send(to: unit, gain: .unity)
      case .outputLoss, .pauseOfAll: system.post(.outputUnplugged)
      case .interruption, .mutedInterruption: system.post(.phoneCallBegan)
      }
    }

    func end(_ change: Change) {
      switch change {
      case .pause: music.resume()
      case .mute: music.isMuted = false
      case .solo: other.isSoloed = false
      case .apply: world.mixer.apply(MixSnapshot(lines: ["music": .init()]))
      case .send: music.send(to: unit, gain: nil, .declick)
      case .steppedSend: music.send(to: unit, gain: nil)
      case .outputLoss: player.play()
      case .pauseOfAll: world.mixer.main.resume()
      case .interruption, .mutedInterruption: system.post(.phoneCallEnded(shouldResume: true))
      }
    }
  }

  @Test(arguments: Change.allCases, [false, true])
  func `A change of the mix and its end do not click`(change: Change, playsEmitter: Bool) throws {
    // An emitter goes on on the next output.
    if change == .outputLoss, playsEmitter { return }
    let scene = try Scene(change, playsEmitter: playsEmitter)
    let before = scene.offline.render(frameCount: 4_800)
    scene.begin(change)
    let during = scene.offline.render(frameCount: 14_400)
    scene.end(change)
    let after = scene.offline.render(frameCount: 14_400)
    let settled = during.frames(9_600..<14_400)
    #expect(change.silences == settled.isSilent())
    #expect(abs((settled.level(at: 500) - before.level(at: 500)).rawValue) > 1)
    // The echoes of a send ring on.
    if ![.send, .steppedSend].contains(change) {
      #expect(abs((after.frames(9_600..<14_400).level(at: 500) - before.level(at: 500)).rawValue) < 0.1)
    }
    // A freeze stops the mix itself: emitters go on at the next sample, and players begin from silence.
    let isFrozen = change == .interruption
    let parts = isFrozen ? (playsEmitter ? [after] : [during, after]) : [before, during, after]
    let mix = try PCMBuffer(samples: parts.flatMap(\.samples), format: Self.mono)
    let clicks = mix.clicks(highestFrequency: 1_000)
    #expect(clicks.isEmpty, "\(clicks)")
  }

  @Test(arguments: [Float(2), 0.5])
  func `A pitch of a bus that fades does not click`(pitch: Float) throws {
    let scene = try Scene(.apply)
    var samples: [Float] = []
    for goal in [pitch, 1] {
      scene.world.mixer.apply(MixSnapshot(lines: ["music": .init(pitch: goal)]), Fade(.milliseconds(200)))
      samples += scene.offline.render(frameCount: 14_400).samples
    }
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.frames(10_800..<14_400).level(at: 500 * Double(pitch)) > -20)
    #expect(mix.frames(25_200..<28_800).level(at: 500) > -20)
    let clicks = mix.clicks(highestFrequency: 1_000)
    #expect(clicks.isEmpty, "\(clicks)")
  }
}
