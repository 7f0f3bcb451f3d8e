import Spatial3D
import Stage

/// The sounds of a world in a context.
///
/// Once a frame, ``apply(_:)`` brings the context up to date, and ``takeNotices()`` returns the notifications that came.
final class Soundscape {
  /// The duration of a fade of a sound that is muted or audible again.
  private static let fade = Duration.milliseconds(80)

  let context: AudioContext

  /// The sources in the order of the sounds; each loops.
  let sources: [SoundSource]

  private var isMuted: [Bool]
  private let inbox = NotificationInbox()
  private var tokens: [NotificationToken] = []
  private var notices: [Readings.Notice] = []

  /// Whether the context has its output, by the events so far.
  private(set) var hasOutput = true

  /// Starts all sounds of a world in a context.
  init(_ sounds: [MonoSound], of world: World, in context: AudioContext) throws(AudioError) {
    self.context = context
    isMuted = world.sounds.map { _ in false }
    var sources: [SoundSource] = []
    for (sound, placed) in zip(sounds, world.sounds) {
      let source = try SoundSource(playing: SoundBuffer(sound.pcm, in: context), in: context)
      source.position = World.scenePosition(placed.place)
      source.attenuation = World.attenuation
      source.gain = Float(World.gain)
      source.reverbSendLevel = World.reverbSendLevel
      source.isLooping = true
      sources.append(source)
    }
    self.sources = sources
    observe(world)
    apply(world)
    context.play(sources)
  }

  /// Collects the notifications of the sources and of the output.
  ///
  /// The inbox calls the closures only in ``takeNotices()``, on the same thread, so that they need no lock.
  private func observe(_ world: World) {
    let rate = Double(context.sampleRate)
    tokens = sources.enumerated().map { index, source in
      let name = "\(index + 1) \(world.sounds[index].name)"
      return inbox.observe(source, [.state, .loop]) { [weak self] notification in
        let time = Double(notification.framePosition) / rate
        self?.notices.append(Readings.Notice(time: time, soundIndex: index, words: "\(name)  \(notification.kind)"))
      }
    }
    tokens.append(
      inbox.observe(context) { [weak self] event in
        let time = Double(event.framePosition) / rate
        self?.notices.append(Readings.Notice(time: time, soundIndex: nil, words: "\(event.kind)"))
        self?.hasOutput = event.kind != .deviceLost
      }
    )
  }

  /// The notifications that came since the last call.
  func takeNotices() -> [Readings.Notice] {
    notices = []
    inbox.deliver()
    return notices
  }

  /// Applies the world to the context, with all changes of the scene in one deferred update.
  func apply(_ world: World) {
    // Setting the same room again has no effect.
    context.reverb = world.isInHall ? Reverb(World.hall) : nil
    context.withDeferredUpdates {
      context.listener = world.listener
      for (source, sound) in zip(sources, world.sounds) { source.occlusion = Decibels(Float(sound.occlusion)) }
    }
    for (index, sound) in world.sounds.enumerated() where sound.isMuted != isMuted[index] {
      isMuted[index] = sound.isMuted
      // A paused voice costs almost nothing, unlike one with a gain of 0.
      if sound.isMuted {
        sources[index].pause(fadingOut: Self.fade)
      } else {
        sources[index].play(fadingIn: Self.fade)
      }
    }
  }
}
