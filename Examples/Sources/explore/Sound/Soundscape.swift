import GameAudio
import Stage

/// The sounds of a world in a context, as the emitters of an audio world.
///
/// Once a frame, ``apply(_:)`` brings the audio world up to date, and ``takeNotices()`` returns the events that came.
final class Soundscape {
  /// The fade of a sound that is muted.
  private static let fade = Fade(.milliseconds(80))

  /// The world that gives its voices to the emitters.
  let audio: AudioWorld

  /// The emitters in the order of the sounds; each repeats for ever.
  let emitters: [Emitter]

  /// The numbers and the names of the sounds.
  private let names: [String]
  private var isMuted: [Bool]
  private let inbox = NotificationInbox()
  private var token: NotificationToken?
  private var events: [EmitterNotification] = []
  private var notices: [Readings.Notice] = []

  /// Whether the context has its output, by the events so far.
  private(set) var hasOutput = true

  /// Starts all sounds of a world in a context, with a number of voices.
  init(_ sounds: [MonoSound], of world: World, in context: AudioContext, voices: Int = World.voices) {
    let audio = AudioWorld(in: context, voiceLimit: voices)
    if let hall = world.plan.bounds(of: .hall) { audio.zones = [Self.zone(of: hall)] }
    emitters = zip(sounds, world.sounds).map { sound, placed in
      var content = Sound(sound.pcm)
      content.attenuation = World.attenuation
      let room: BusName = world.plan.ground(at: placed.place) == .hall ? "hall" : "garden"
      let emitter = Emitter(playing: content, in: audio, on: audio.mixer.makeBus(room))
      emitter.position = World.scenePosition(placed.place)
      emitter.gain = Gain(Float(World.gain))
      emitter.repeats = .forever
      return emitter
    }
    self.audio = audio
    names = world.sounds.map(\.name)
    isMuted = world.sounds.map { _ in false }
    observe(context)
    apply(world)
    for (emitter, sound) in zip(emitters, world.sounds) where !sound.isMuted { emitter.play() }
  }

  deinit {
    // A source that is released before a mix has played it is reported as a mistake; a stopped source is not.
    for emitter in emitters { emitter.stop(.none) }
  }

  /// The hall with its reverb, which fades out in the garden.
  private static func zone(of hall: (low: SIMD2<Double>, high: SIMD2<Double>)) -> ReverbZone {
    let center = World.scenePosition((hall.low + hall.high) / 2)
    let size = World.scenePosition(hall.high - hall.low) + [0, World.hallHeight, 0]
    return ReverbZone(.box(center: center, size: size), World.hall, fade: 1, name: "hall")
  }

  /// Collects the events of the emitters and of the output.
  ///
  /// The inbox calls the closure only in ``takeNotices()``, on the same thread, so that it needs no lock.
  private func observe(_ context: AudioContext) {
    // The first call begins the collection.
    audio.takeEvents(into: &events)
    let rate = Double(context.sampleRate)
    token = inbox.observe(context) { [weak self] event in
      let time = Double(event.framePosition) / rate
      self?.notices.append(Readings.Notice(time: time, soundIndex: nil, words: "\(event.kind)"))
      self?.hasOutput = event.kind != .deviceLost
    }
  }

  /// The notices of the events since the last call.
  func takeNotices() -> [Readings.Notice] {
    defer { notices = [] }
    inbox.deliver()
    audio.takeEvents(into: &events)
    for event in events {
      guard let index = emitters.firstIndex(where: { $0.id == event.emitter }) else { continue }
      // A muted sound gives up its voice at the end of its fade: the notice of the pause is enough.
      if isMuted[index], event.event == .becameVirtual { continue }
      add(event.event.words, about: index)
    }
    return notices
  }

  private func add(_ words: String, about index: Int) {
    let time = audio.context.clock / .seconds(1)
    notices.append(Readings.Notice(time: time, soundIndex: index, words: "\(index + 1) \(names[index])  \(words)"))
  }

  /// Applies the world to the emitters; one tick of the mix takes over all changes.
  func apply(_ world: World) {
    audio.update {
      audio.listener = world.listener
      for (emitter, sound) in zip(emitters, world.sounds) { emitter.occlusion = Decibels(Float(sound.occlusion)) }
    }
    for (index, sound) in world.sounds.enumerated() where sound.isMuted != isMuted[index] {
      isMuted[index] = sound.isMuted
      // A paused emitter needs no voice.
      if sound.isMuted {
        emitters[index].pause(Self.fade)
        add("paused", about: index)
      } else {
        emitters[index].play()
      }
    }
  }

  /// The state of the audio world now, with the names of the sounds.
  func snapshot() -> WorldSnapshot {
    var snapshot = audio.snapshot()
    for (index, name) in names.enumerated() where snapshot.emitters.indices.contains(index) {
      snapshot.emitters[index].sound = name
    }
    return snapshot
  }
}

extension EmitterEvent {
  /// The event in words of the locale's plainest characters.
  fileprivate var words: String {
    switch self {
    case .becameReal: "has a voice"
    case .becameVirtual: "is virtual"
    case .looped: "looped"
    case .ended(let reason): "ended (\(reason))"
    @unknown default: "\(self)"
    }
  }
}
