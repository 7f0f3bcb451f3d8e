import Spatial3D
import Spatial3DTesting
import Stage

/// A world with its sounds and its meters, advanced update by update: live on a context, or offline alone.
final class Exploration {
  private(set) var world: World
  private(set) var readings: Readings
  private let envelopes: [SoundEnvelope]
  private let mix: OfflineMix
  private let live: Soundscape?

  /// An exploration of sounds in a house; with a context, they play in it as well.
  init(of sounds: [MonoSound], in context: AudioContext? = nil) throws(AudioError) {
    var placed: [(name: String, wallLoss: Double)] = []
    for sound in sounds { placed.append((sound.name, try WallLoss.measure(sound.pcm))) }
    world = World(.house, sounds: placed)
    envelopes = sounds.map { SoundEnvelope(of: $0.pcm) }
    mix = try OfflineMix(sounds, of: world)
    if let context { live = try Soundscape(sounds, of: world, in: context) } else { live = nil }
    let heading = live == nil ? "Ears, measured in the mix" : "Ears, measured in an offline mix"
    readings = Readings(soundCount: world.sounds.count, earsHeading: heading)
  }

  /// Whether the context of a live exploration has its output.
  var hasOutput: Bool { live?.hasOutput ?? false }

  /// Does what a key asks for, from the next update on.
  func perform(_ command: Command) { world.perform(command) }

  /// Lets a number of seconds pass, and returns their offline mix.
  @discardableResult
  func advance(by seconds: Double) -> PCMBuffer<Float> {
    world.advance(by: seconds)
    mix.soundscape.apply(world)
    live?.apply(world)
    let mixed = mix.render(seconds: seconds)
    let notices = mix.soundscape.takeNotices()
    readings.append(live?.takeNotices() ?? notices)
    let heard = live ?? mix.soundscape
    for (index, source) in heard.sources.enumerated() {
      let own = envelopes[index].level(atFrame: source.playbackFrame)
      readings.sounds[index].show(own + world.directLevel(of: index), after: seconds)
    }
    readings.ears.left.show(Double(mixed.level(ofChannel: 0).rawValue), after: seconds)
    readings.ears.right.show(Double(mixed.level(ofChannel: 1).rawValue), after: seconds)
    return mixed
  }

  /// The screen of a size, with words about the output.
  func screen(_ size: Screen.Size, output: String, isSilent: Bool = false, _ glyphs: Glyphs) -> Screen {
    Dashboard(world: world, readings: readings, output: output, isSilent: isSilent, glyphs: glyphs).screen(size)
  }
}
