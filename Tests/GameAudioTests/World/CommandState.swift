import Spatial3DTesting

@testable import GameAudio

/// The state of a world whose commands nobody carries out, as on an output or offline.
struct CommandState {
  let context: AudioContext
  var state: WorldState

  /// A state with emitters of sounds that are loaded, at their own rates or at the rate of the mix.
  init(
    _ sounds: [Sound],
    mixesByFrames: Bool,
    voices: Int = 2,
    in known: AudioContext? = nil,
    bank: Int? = nil,
    convertsRate: Bool = false
  ) throws {
    context = try known ?? OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    let physics = context.physics
    state = WorldState(
      voiceLimit: voices,
      poolSize: voices + 8,
      mixesByFrames: mixesByFrames,
      context: context,
      physics: physics
    )
    if let bank { state.playback.scene.sounds.addBank(bank) }
    for sound in sounds { _ = state.playback.add(sound, isPlaced: true, bus: 0) }
    for job in state.playback.outbox.takeJobs() {
      let sound = try LoadedSound(job.content, job.key, convertsRate: convertsRate, in: context)
      state.playback.finishLoading(sound, for: job.key)
    }
  }

  /// The commands since the last call, in words.
  mutating func takeCommands() -> [String] {
    var commands: [VoiceCommand] = []
    _ = state.playback.outbox.takeCommands(&commands)
    return commands.map(\.words)
  }

  /// Moves the time of the mix.
  mutating func advance(by frames: Int) {
    var physics = state.playback.scene.time.physics
    physics.frame += frames
    state.adopt(physics)
  }

  /// A tick after some frames.
  mutating func tick(after frames: Int) {
    var physics = state.playback.scene.time.physics
    physics.frame += frames
    state.tick(physics)
  }
}

extension LoadKey {
  /// The key of a sound without a loop range.
  init(_ content: SoundContent, isPlaced: Bool) {
    self.init(content: content.identity, isPlaced: isPlaced, loopRange: nil)
  }
}

extension VoiceCommand {
  /// The kind of the command and its voice.
  fileprivate var words: String {
    switch self {
    case .start(let voice, _): "start \(voice.position)"
    case .open(let voice, _, _): "open \(voice.position)"
    case .set(let voice, _, _): "set \(voice.position)"
    case .move(let voice, _): "move \(voice.position)"
    case .setSends(let voice, _): "sends \(voice.position)"
    case .setLooping(let voice, let isLooping): "loop \(voice.position) \(isLooping)"
    case .silence(let voice): "silence \(voice.position)"
    case .stop(let voice): "stop \(voice.position)"
    case .empty(let voice): "empty \(voice.position)"
    case .play(let voice, _): "play \(voice.position)"
    case .pause(let voice, _): "pause \(voice.position)"
    case .adopt(let voice, _, _): "adopt \(voice.position)"
    case .adoptDelay(let voice, _): "adopt delay \(voice.position)"
    case .checkReplacement(let key): "check replacement \(key.voice.position)"
    case .poll(let voice, _): "poll \(voice.position)"
    case .revive(let voice): "revive \(voice.position)"
    case .listener: "listener"
    case .feed(let voice, _, _): "feed \(voice.position)"
    case .endFeed(let voice, _): "end feed \(voice.position)"
    case .openZone(let unit): "open zone \(unit.position)"
    case .closeZone(let unit): "close zone \(unit.position)"
    case .setUnitGain: "gain of a unit"
    case .setUnitReverb: "reverb of a unit"
    case .changeStrip: "strip"
    case .routeStems: "stems"
    case .moveFader: "fader"
    }
  }
}
