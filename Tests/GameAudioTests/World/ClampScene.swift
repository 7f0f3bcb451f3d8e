import GameAudio
import Spatial3DTesting

/// A world whose reports are collected, with one object of each kind that a game sets values of.
final class ClampScene {
  static let samples = TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))
  static let tone = Sound(samples)

  let offline: OfflineRenderer
  let world: AudioWorld
  let emitter: Emitter
  let (player, other): (SoundPlayer, SoundPlayer)
  let (bus, speech): (Bus, Bus)
  let unit: EffectUnit
  let bank: SoundBank
  let reports = Collected<Diagnostic>()

  init() throws {
    offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    world = AudioWorld(in: offline.context)
    emitter = Emitter(playing: Self.tone, in: world)
    player = try SoundPlayer(playing: Self.tone, in: world)
    other = try SoundPlayer(playing: Self.tone, in: world)
    (bus, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    bank = SoundBank(in: world)
    let reports = reports
    offline.context.onDiagnostic = { reports.append($0) }
  }

  var sentences: [String] { reports.all.map(\.message) }
  var codes: [Diagnostic.Code] { reports.all.map(\.code) }

  /// Applies a snapshot of one bus at once.
  func apply(_ line: MixSnapshot.Line) { world.mixer.apply(MixSnapshot(lines: ["music": line]), .none) }
}
