import AudioSessions
import FuzzSupport
import GameAudio
import Spatial3D
import Synchronization

/// The objects that the calls of a round use.
final class Game: Sendable {
  let world: AudioWorld
  let files: SoundFiles
  let run: Run
  let renderer: Renderer?
  /// Whether one thread calls, offline: a ledger has an end for each play.
  let isAlone: Bool
  /// Whether a recording of the round has to replay to the bit.
  let isReplayed: Bool
  /// Whether the round has zones: OpenAL Soft 1.25 mixes more than four effects in an order that differs between runs.
  let hasZones: Bool
  /// Whether the effects are at most as many as OpenAL Soft 1.25 mixes in a fixed order.
  private let limitsEffects: Bool
  private let unitCount = Atomic(0)
  /// The transcript of a scene; `nil` in a round.
  let transcript: Transcript?
  /// The waits of a scene.
  let endings: Endings?

  let emitters = Slots<Emitter>(count: 24)
  let players = Slots<SoundPlayer>(count: 6)
  let buses = Slots<Bus>(count: 6)
  let beats = Slots<BeatClock>(count: 3)
  let units = Slots<EffectUnit>(count: 3)
  let tokens = Slots<NotificationToken>(count: 12)
  let recordings = Slots<WorldRecording>(count: 2)
  let snapshots = Slots<MixSnapshot>(count: 2)
  let sessions = Slots<AudioSession>(count: 4)
  let sessionTokens = Slots<NotificationToken>(count: 4)
  let simulator = MultiAppSimulator()
  let simulated = SimulatedSession()
  let followings = Slots<SessionLink>(count: 1)
  let bank: SoundBank
  let ledger = Lock(Ledger())
  /// The emitters that the world keeps to their ends; only of a round of one thread.
  let once = Lock<[Emitter]>([])
  /// The frames of the mix so far, piece by piece; only of a round of one thread.
  let mix = Lock<[PCMBuffer<Float>]>([])
  /// The number of frames of the mix so far; 0 in a round of several threads.
  var mixedFrames: Int { mix.withLock { $0.reduce(0) { $0 + $1.frameCount } } }
  /// Whether a reverb that is made now leaves no piece below 16 frames behind a tick: the mix of OpenAL Soft 1.19 ends
  /// with the crossfade of a new reverb.
  var mayMakeReverb: Bool { !(1..<16 ~= (mixedFrames + 128) % 512) }
  /// Whether handlers have stopped calling.
  let isEnding = Atomic(false)
  let busyThreads = Atomic(0)
  let handlerCount = Atomic(0)

  /// The gate at which readers wait; `nil` offline, where a render reads.
  let gate: Gate?

  init(
    world: AudioWorld,
    files: SoundFiles,
    renderer: Renderer?,
    laws: Laws,
    run: Run,
    transcript: Transcript? = nil
  ) {
    (self.world, self.files, self.renderer, self.run) = (world, files, renderer, run)
    (isAlone, isReplayed, hasZones) = (laws.hasLedger, laws.hasReplay, laws.hasZones)
    limitsEffects = laws.hasReplay || transcript != nil
    self.transcript = transcript
    endings = transcript.map(Endings.init)
    gate = renderer == nil ? Gate() : nil
    bank = SoundBank(in: world)
    for (index, path) in files.bankPaths.enumerated() {
      bank.define(SoundKey("tone\(index)"), Sound(path), loading: .onDemand)
    }
  }

  /// A random sound.
  func sound(_ values: inout Values) -> Sound { files.sound(&values, gate: gate) }

  /// Whether another effect may be made: a limited context has at most four effects, with the effects of zones.
  func takeUnit() -> Bool {
    !limitsEffects || unitCount.add(1, ordering: .relaxed).newValue <= (hasZones ? 1 : 4)
  }

  /// Takes the events since the last call into the ledger.
  func takeEvents() {
    var events: [EmitterNotification] = []
    world.takeEvents(into: &events)
    ledger.withLock { ledger in
      for notification in events {
        if case .ended = notification.event { ledger.end(notification.emitter) }
      }
    }
  }

  /// Releases all objects but the world.
  func removeAll() {
    gate?.open()
    tokens.removeAll()
    sessionTokens.removeAll()
    followings.removeAll()
    sessions.removeAll()
    recordings.removeAll()
    emitters.removeAll()
    players.removeAll()
    beats.removeAll()
    buses.removeAll()
    units.removeAll()
  }
}

/// The laws that a round is held to.
struct Laws: Sendable {
  let hasLedger: Bool
  let hasReplay: Bool
  let hasZones: Bool
}

/// An offline renderer that several threads use, one at a time.
final class Renderer: Sendable {
  let context: AudioContext
  private let renderer: Lock<OfflineRenderer>

  init(
    format: PCMFormat = .stereo(sampleRate: 48_000),
    settings: OutputSettings = OutputSettings()
  ) throws(AudioError) {
    let renderer = try OfflineRenderer(format: format, settings: settings)
    context = renderer.context
    self.renderer = Lock(renderer)
  }

  func render(_ frameCount: Int) -> PCMBuffer<Float> { renderer.withLock { $0.render(frameCount: frameCount) } }
}
