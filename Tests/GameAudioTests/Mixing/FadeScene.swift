import GameAudio
import Spatial3DTesting
import TestSupport

/// A level of a world that can fade.
enum FadingLevel: String, CaseIterable {
  case bus, emitter, player, busSend, emitterSend

  /// The share of an effect changes beside the direct sound.
  var isSend: Bool { self == .busSend || self == .emitterSend }
}

/// An offline world with one sound, whose level can fade.
final class FadeScene {
  static let format = PCMFormat.mono(sampleRate: 48_000)

  var offline: OfflineRenderer
  let world: AudioWorld
  private let target: FadingLevel
  private let (emitter, player, bus): (Emitter, SoundPlayer, Bus)
  private let unit: EffectUnit

  /// A world whose sound has played for some frames, with all of its level.
  init(_ target: FadingLevel, _ sound: PCMBuffer<Float>, after frameCount: Int) throws {
    offline = try OfflineRenderer(format: Self.format)
    world = AudioWorld(in: offline.context)
    self.target = target
    bus = world.mixer.makeBus("music")
    unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    emitter = Emitter(playing: Sound(sound), in: world, on: bus)
    player = try SoundPlayer(playing: Sound(sound), in: world, on: bus)
    if target == .busSend { bus.send(to: unit, gain: .unity) }
    if target == .emitterSend { emitter.send(to: unit, gain: .unity) }
    if target == .player { player.play() } else { emitter.play() }
    offline.render(frameCount: frameCount)
  }

  func fade(to gain: Gain, _ fade: Fade) {
    switch target {
    case .bus: bus.fade(to: gain, fade)
    case .emitter: emitter.fade(to: gain, fade)
    case .player: player.fade(to: gain, fade)
    case .busSend: bus.send(to: unit, gain: gain, fade)
    case .emitterSend: emitter.send(to: unit, gain: gain, fade)
    }
  }

  /// The level in force.
  var level: Decibels {
    switch target {
    case .bus: bus.gain.decibels
    case .emitter: emitter.gain.decibels
    case .player: player.volume.decibels
    case .busSend, .emitterSend:
      (world.inspector.sources.compactMap { $0.effectSends.first?.gain }.max() ?? .silence).decibels
    }
  }
}
