import GameAudio

/// The game: its buses, its sounds and its frames.
///
/// The mixer comes from GameAudio.
final class Game {
  let world: AudioWorld
  let music: Bus
  let effects: Bus
  let steps: Bus
  let interface: Bus
  let speech: Bus

  private let sounds: Sounds
  private let score: SoundPlayer
  private let torches: [Emitter]
  private var shots: [Emitter] = []
  private let (hall, cave): (EffectUnit, EffectUnit)
  private var nextStep = 0.0

  init(in context: AudioContext) throws {
    world = AudioWorld(in: context)
    let mixer = world.mixer
    music = mixer.makeBus("music", kind: .direct)
    effects = mixer.makeBus("effects")
    steps = mixer.makeBus("steps", in: effects)
    interface = mixer.makeBus("interface", kind: .direct)
    speech = mixer.makeBus("speech", kind: .direct)
    music.duck(under: speech, Ducking(by: -12))
    effects.duck(under: speech, Ducking(by: -6))
    steps.limit = PlaybackLimit(4, whenReached: .stealOldest)
    // The sounds of the effects are heard in two rooms; the shares follow the listener.
    hall = try EffectUnit(.reverb(Reverb(.largeHall)), in: context)
    cave = try EffectUnit(.reverb(Reverb(efx: .cave)), in: context)

    sounds = try Sounds()
    score = try SoundPlayer(playing: sounds.music, in: world, on: music)
    score.loopRange = Sounds.loop
    score.repeats = .forever
    torches = Rooms.torches.enumerated().map { [world, effects, sounds] index, place in
      let torch = Emitter(playing: sounds.flame, in: world, on: effects)
      torch.position = place
      torch.gain = .decibels(-6)
      torch.repeats = .forever
      // Copies in step would add up to one loud torch.
      torch.playbackTime = .seconds(3 * Double(index) / Double(Rooms.torches.count))
      return torch
    }
    update(at: 0)
    for torch in torches { torch.play() }
    score.play()
  }

  /// Does an action of the player.
  func take(_ action: Script.Action) {
    switch action {
    case .shoot: shoot()
    case .speak: world.playOnce(sounds.speech, on: speech)
    case .openMenu:
      effects.pause(Fade(.milliseconds(100)))
      world.playOnce(sounds.click, on: interface)
    case .closeMenu:
      effects.resume(Fade(.milliseconds(100)))
      world.playOnce(sounds.click, on: interface)
    case .click: world.playOnce(sounds.click, on: interface)
    case .setMusic(let gain): music.fade(to: gain, Fade(.milliseconds(300)))
    }
  }

  /// Moves the listener to its position at a time: one frame of the game.
  func update(at time: Double) {
    let distance = Script.distance(at: time)
    let place = Rooms.place(after: distance)
    let shares = Rooms.shares(at: place)
    world.update {
      world.listener.position = place
      effects.send(to: hall, gain: Gain(shares.hall) * .decibels(-9))
      effects.send(to: cave, gain: Gain(shares.cave) * .decibels(-9))
      guard distance >= nextStep else { return }
      nextStep += 0.7
      world.playOnce(sounds.step, at: place - [0, 1.7, 0], on: steps)
    }
  }

  /// Ten shots in a row, each on its frame of the mix.
  private func shoot() {
    let place = world.listener.position
    let start = world.context.clock + .milliseconds(50)
    shots = (0..<10).map { shot in
      let gun = Emitter(playing: sounds.shot, in: world, on: effects)
      gun.position = place + [shot.isMultiple(of: 2) ? -3 : 3, 0, -4]
      gun.play(at: start + .milliseconds(90) * shot)
      return gun
    }
  }
}
