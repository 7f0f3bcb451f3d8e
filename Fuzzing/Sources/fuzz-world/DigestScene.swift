import AudioSessions
import Foundation
import FuzzSupport
import GameAudio
import Spatial3D
import Synchronization

/// A random scene of a world offline, which its seed alone determines: one thread, no clock of the machine, and sounds
/// that are ready when their calls return.
///
/// The scene applies some operations, renders a piece of the mix, and writes what the world reports, until the mix has
/// its length.
struct DigestScene {
  let seed: UInt64
  let files: SoundFiles
  let run: Run

  /// One of four scenes has extreme values; half of the scenes have zones.
  private var hasExtremes: Bool { seed % 4 == 3 }
  private var hasZones: Bool { seed % 2 == 0 }

  private static let formats: [PCMFormat] = [
    .stereo(sampleRate: 48_000), .stereo(sampleRate: 44_100), .stereo(sampleRate: 48_000), .mono(sampleRate: 24_000),
    PCMFormat(sampleRate: 48_000, layout: .quad), PCMFormat(sampleRate: 44_100, layout: .surround51),
    PCMFormat(sampleRate: 48_000, layout: .surround71), .stereo(sampleRate: 96_000),
  ]

  func play() throws -> DigestResult {
    run.begin(scene: "--digests \(seed)")
    try files.restore()
    weak var remembered: AudioContext?
    let transcript = Transcript()
    var mix: [PCMBuffer<Float>] = []
    do {
      var values = Values(random: SplitMix64(mixing: seed, 0xD16E57), hasExtremes: false)
      let format = values.element(of: Self.formats)
      let hrtf: OutputSettings.HRTF = values.chance(0.2) ? .on : .off
      let renderer = try Renderer(format: format, settings: OutputSettings(hrtf: hrtf))
      let context = renderer.context
      remembered = context
      context.onDiagnostic = { transcript.write("diagnostic \($0.code): \($0)") }
      let observation = context.observe { transcript.write("context: \($0)") }
      let world = AudioWorld(in: context, voiceLimit: values.int(2...12))
      let laws = Laws(hasLedger: true, hasReplay: false, hasZones: hasZones)
      let game = Game(world: world, files: files, renderer: renderer, laws: laws, run: run, transcript: transcript)
      transcript.write("\(format), hrtf \(hrtf), \(world.snapshot().voiceLimit) voices")
      begin(game, &values)
      // 1 to 2 seconds.
      perform(frameCount: format.sampleRate * values.int(100...200) / 100, in: game)
      end(game)
      mix = game.mix.withLock { $0 }
      withExtendedLifetime(observation) {}
    }
    run.log.begin("wait for the context's end", on: 0)
    while remembered != nil { Thread.sleep(forTimeInterval: 0.000_1) }
    run.log.end(on: 0)
    return result(of: mix, transcript)
  }

  /// Begins sounds near the listener, so that no scene is silent.
  private func begin(_ game: Game, _ values: inout Values) {
    for index in 0..<3 {
      let bus = game.world.mixer.makeBus("bus \(index)", in: index == 2 ? game.buses[1] : nil)
      game.buses.put(bus, at: index)
    }
    for index in 0..<4 {
      let emitter = Emitter(playing: files.sound(&values, gate: nil), in: game.world, on: game.buses[index])
      emitter.position = values.vector(4)
      emitter.repeats = .forever
      emitter.play()
      game.emitters.put(emitter, at: index)
    }
    let clock = BeatClock(Tempo(Double(values.int(120...900))), in: game.world)
    clock.start()
    game.beats.put(clock, at: 0)
    for index in 0..<2 {
      guard let player = try? SoundPlayer(playing: files.sound(&values, gate: nil), in: game.world) else { continue }
      player.repeats = 2
      if index == 0 { player.play() }
      game.players.put(player, at: index)
    }
    if values.chance(0.5), game.takeUnit() {
      let unit = try? EffectUnit(values.effect(), in: game.world.context)
      if let unit { game.buses[0]?.send(to: unit, gain: .decibels(-6)) }
      game.units.put(unit, at: 0)
    }
    game.buses[0]?.duck(under: game.world.mixer.makeBus("bus 3"), Ducking(by: -12, attack: .milliseconds(50)))
    guard values.chance(0.4) else { return }
    let session = AudioSession(game.simulated)
    game.observe(session, as: 0)
    try? session.activate()
    game.sessions.put(session, at: 0)
    game.followings.put(game.world.follow(session, resuming: .players()), at: 0)
  }

  private func perform(frameCount: Int, in game: Game) {
    let lottery = Lottery(Operation.digested)
    var step = 0
    var renderedFrames = 0
    while renderedFrames < frameCount {
      let random = SplitMix64(mixing: seed, UInt64(step))
      var caller = Caller(
        game: game,
        lane: 0,
        values: Values(random: random, hasExtremes: hasExtremes),
        seed: seed
      )
      for _ in 0..<caller.values.int(0...8) { caller.operate(lottery) }
      caller.travel()
      let count = caller.values.chance(0.4) ? 512 * caller.values.int(1...4) : caller.values.int(1...3_000)
      render(count, in: game)
      game.report(withSnapshot: step % 4 == 3)
      renderedFrames += count
      step += 1
    }
  }

  private func render(_ frameCount: Int, in game: Game) {
    run.log.begin("render \(frameCount)", on: 0)
    defer { run.log.end(on: 0) }
    guard let mix = game.renderer?.render(frameCount) else { return }
    game.mix.withLock { $0.append(mix) }
    game.transcript?.write("rendered \(frameCount), \(game.mixedFrames) in all")
  }

  /// Ends the scene: everything goes on, stops, and is released, with a piece of the mix after each.
  private func end(_ game: Game) {
    game.isEnding.store(true, ordering: .sequentiallyConsistent)
    game.resumeAll()
    render(4_096, in: game)
    game.report(withSnapshot: true)
    for emitter in game.emitters.all + game.once.withLock({ $0 }) { emitter.stop() }
    for player in game.players.all + (game.endings?.players ?? []) { player.stop() }
    render(4_096, in: game)
    game.report(withSnapshot: true)
    game.removeAll()
    game.once.withLock { $0 = [] }
    game.endings?.releasePlayers()
    render(2_048, in: game)
    game.report(withSnapshot: true)
    game.endings?.write()
  }

  private func result(of pieces: [PCMBuffer<Float>], _ transcript: Transcript) -> DigestResult {
    var digest = Digest()
    var (squares, sampleCount, isFinite) = (0.0, 0, true)
    for samples in pieces.map(\.samples) {
      digest.add(samples)
      for sample in samples { squares += Double(sample) * Double(sample) }
      sampleCount += samples.count
      isFinite = isFinite && samples.allSatisfy(\.isFinite)
    }
    return DigestResult(
      seed: seed,
      frameCount: pieces.reduce(0) { $0 + $1.frameCount },
      mix: digest,
      report: transcript.digest,
      transcript: transcript.text,
      loudness: (squares / Double(max(sampleCount, 1))).squareRoot(),
      isFinite: isFinite,
      counts: transcript.counts
    )
  }
}
