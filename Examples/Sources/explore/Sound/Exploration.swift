import GameAudio
import Spatial3DTesting
import Stage

/// A world with its sounds and its meters, advanced update by update: live on a context, or offline alone.
final class Exploration {
  private(set) var world: World
  private(set) var readings: Readings
  private let envelopes: [SoundEnvelope]
  private let mix: OfflineMix
  private let live: Soundscape?
  /// The state of the audio world, with the time at which it was taken, while the screen shows it instead of the plan.
  private var view: (snapshot: WorldSnapshot, time: Double)?

  /// The seconds between two snapshots of the view.
  private static let viewInterval = 0.1

  /// An exploration of sounds in a house, on a number of voices; with a context, they play in it as well.
  init(of sounds: [MonoSound], in context: AudioContext? = nil, voices: Int = World.voices) throws(AudioError) {
    var placed: [(name: String, wallLoss: Double)] = []
    for sound in sounds { placed.append((sound.name, try WallLoss.measure(sound.pcm))) }
    world = World(.house, sounds: placed)
    envelopes = sounds.map { SoundEnvelope(of: $0.pcm) }
    mix = try OfflineMix(sounds, of: world, voices: voices)
    live = context.map { [world] in Soundscape(sounds, of: world, in: $0, voices: voices) }
    let heading = live == nil ? "Ears, measured in the mix" : "Ears, measured in an offline mix"
    readings = Readings(soundCount: world.sounds.count, earsHeading: heading)
  }

  /// Whether the context of a live exploration has its output.
  var hasOutput: Bool { live?.hasOutput ?? false }

  /// The soundscape that is heard.
  private var heard: Soundscape { live ?? mix.soundscape }

  /// Does what a key asks for, from the next update on.
  func perform(_ command: Command) {
    guard command == .toggleView else { return world.perform(command) }
    view = view == nil ? (heard.snapshot(), world.time) : nil
  }

  /// Lets a number of seconds pass, and returns their offline mix.
  @discardableResult
  func advance(by seconds: Double) -> PCMBuffer<Float> {
    world.advance(by: seconds)
    mix.soundscape.apply(world)
    live?.apply(world)
    let mixed = mix.render(seconds: seconds)
    let notices = mix.soundscape.takeNotices()
    readings.append(live?.takeNotices() ?? notices)
    for (index, emitter) in heard.emitters.enumerated() {
      let own = emitter.isVirtual ? -.infinity : envelopes[index].level(at: emitter.playbackTime)
      readings.sounds[index].show(own + world.directLevel(of: index), after: seconds)
    }
    readings.ears.left.show(Double(mixed.level(ofChannel: 0).rawValue), after: seconds)
    readings.ears.right.show(Double(mixed.level(ofChannel: 1).rawValue), after: seconds)
    // Half a millisecond covers the rounding of the times.
    if let view, world.time - view.time >= Self.viewInterval - 0.000_5 { self.view = (heard.snapshot(), world.time) }
    return mixed
  }

  /// The screen of a size, with words about the output.
  func screen(_ size: Screen.Size, output: String, isSilent: Bool = false, _ glyphs: Glyphs) -> Screen {
    var dashboard = Dashboard(world: world, readings: readings, output: output, isSilent: isSilent, glyphs: glyphs)
    dashboard.snapshot = view?.snapshot
    return dashboard.screen(size)
  }
}
