import Spatial3DTesting

@testable import GameAudio

// The calls of a random game before its recording, and the calls of banks, sessions and readers.

extension RandomScene {
  /// Changes the settings of half of the games, in which nothing has played.
  mutating func prepare() throws {
    guard Bool.random(using: &random) else { return }
    for _ in 0..<6 { actOnSpace() }
    world.listener.position = place()
    for index in 0..<3 {
      let name = "bus \(index)"
      buses.append(
        world.mixer.makeBus(BusName(name), in: index == 2 ? buses[0] : nil, kind: index == 1 ? .direct : .spatial)
      )
    }
    for bus in buses { for _ in 0..<3 { act(on: bus) } }
    for _ in 0..<4 {
      let emitter = Emitter(playing: sounds[Int.random(in: 0..<4, using: &random)], in: world, on: anyBus())
      emitter.position = place()
      emitter.repeats = Bool.random(using: &random) ? .forever : .times(2)
      emitters.append(emitter)
      for _ in 0..<6 { set(emitter) }
    }
    for _ in 0..<2 {
      let player = try SoundPlayer(playing: sounds[3], in: world, on: anyBus())
      players.append(player)
      for _ in 0..<4 { set(player) }
      // Later than the reservation of a voice: a recording is complete before that.
      let moment = moment() + .milliseconds(310)
      if Bool.random(using: &random) { player.schedule(sounds[0], .at(moment)) }
    }
    if Bool.random(using: &random) { world.inspector.setOtherAudio(true) }
    let seed = UInt64.random(in: 0...9, using: &random)
    world.seed = seed
    // The two time lines are no whole number of ticks apart.
    offline.render(frameCount: [0, 512, 1_000, 4_800].randomElement(using: &random) ?? 0)
  }

  /// Calls what concerns many emitters and players at once.
  mutating func actOnMany() throws {
    switch Int.random(in: 0..<13, using: &random) {
    case 0...1:
      try bank.play("noise", at: place(), gain: .decibels(-3), repeats: Bool.random(using: &random) ? .forever : 1)
    case 2: bank.stop("noise", fade())
    case 3: bank.rewind("noise")
    case 4:
      var mix = world.mixer.snapshot()
      for name in mix.lines.keys.sorted() { mix.lines[name]?.gain = .decibels(Decibels(number(-12...0))) }
      mix.lines["main"]?.high = Decibels(number(-12...0))
      mix.lines["main"]?.pitch = number(0.9...1.1)
      world.mixer.apply(mix, fade())
    case 5: world.streamLimit = Int.random(in: 1...16, using: &random)
    case 6: world.seed = UInt64.random(in: 0...9, using: &random)
    case 7: world.beginInterruption(isStanding: false)
    case 8:
      let rewind: Duration? = Bool.random(using: &random) ? .milliseconds(100) : nil
      world.endInterruption(shouldResume: true, resumingAfter: rewind)
    case 9: world.perform(.pausePlayers)
    case 10: world.inspector.setOtherAudio(!world.inspector.isOtherAudioPlaying)
    case 11: SoundPlayer.play(players, at: moment())
    default:
      let (first, second) = (players.randomElement(using: &random), players.randomElement(using: &random))
      if let first, let second { first.crossfade(to: second, fade()) }
    }
  }

  /// Moves an emitter to two positions in one call.
  func moveTwice(_ emitter: Emitter, _ place: SIMD3<Float>) {
    let places = [place, emitter.position]
    world.move([emitter, emitter], to: places.span)
  }

  /// Reads values, which changes nothing.
  mutating func read() {
    if let emitter = emitters.randomElement(using: &random) {
      _ = (world.explain(emitter), emitter.playbackTime, emitter.isVirtual)
    }
    if let player = players.randomElement(using: &random) { _ = (player.playbackTime, player.meter, player.repeats) }
    _ = (world.snapshot(), world.voiceStatistics(), world.mixer.main.level, world.mixer.makeBus("speech"))
  }
}
