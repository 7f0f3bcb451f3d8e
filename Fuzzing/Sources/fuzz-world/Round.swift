import Foundation
import FuzzSupport
import GameAudio
import Spatial3D
import Spatial3DTesting
import Synchronization

/// A few hundred steps on a fresh world, which a seed repeats.
struct Round {
  let seed: UInt64
  let threadCount: Int
  let output: Output
  let files: SoundFiles
  let run: Run

  /// Half of the rounds have tame values, which a game would use.
  private var hasExtremes: Bool { seed % 2 == 0 && run.options.allows("extremes") }
  private var isAlone: Bool { threadCount == 1 }
  /// Three of four rounds with a ledger are replayed; the others make the calls that no recording holds.
  private var isRecorded: Bool { seed / 2 % 4 != 0 }
  /// Half of the rounds that are replayed have zones, and one effect of the game instead of four.
  private var isZoned: Bool { seed / 8 % 2 == 0 }

  func play(number: Int) throws {
    var values = Values(random: SplitMix64(mixing: seed, 0xA0D10), hasExtremes: false)
    let drawn = values.int(100...800)
    let stepCount = run.options.steps ?? drawn
    let server = run.options.server.map { " --server \($0.option)" } ?? ""
    run.begin(
      round: "--rounds 1 --threads \(threadCount) --output \(output.rawValue)\(server) --seed \(seed)"
        + " --steps \(stepCount)",
      number: number
    )
    let voices = values.int(1...12)
    try files.restore()
    weak var remembered: AudioContext?
    do {
      let renderer = output == .offline ? try Renderer() : nil
      guard let context = try renderer?.context ?? openContext() else { return }
      remembered = context
      let diagnostics = context.observeDiagnostics { [run] diagnostic in
        run.diagnostics.add(1, ordering: .relaxed)
        run.require(!diagnostic.description.isEmpty, "a diagnostic without words")
      }
      let world = AudioWorld(in: context, voiceLimit: voices)
      let hasLedger = isAlone && output == .offline
      let laws = Laws(
        hasLedger: hasLedger,
        hasReplay: hasLedger && isRecorded && run.options.allows("replay"),
        hasZones: !(hasLedger && isRecorded) || isZoned
      )
      let game = Game(world: world, files: files, renderer: renderer, laws: laws, run: run)
      game.takeEvents()
      let recording = game.isReplayed ? world.record(snapshotsEach: .milliseconds(50)) : nil
      perform(stepCount, in: game)
      if let recording {
        recording.stop()
        try requireReplay(recording, voices: voices, of: game)
      }
      try end(game)
      withExtendedLifetime(diagnostics) {}
    }
    // A thread of the engine, or a handler, may have the last reference.
    wait("the context's end") { remembered == nil }
  }

  /// A context on an output; `nil` while a server that was killed has none.
  private func openContext() throws -> AudioContext? {
    run.log.begin("context on \(output.rawValue)", on: 0)
    defer { run.log.end(on: 0) }
    if output == .silent { return try AudioContext(device: .silent) }
    guard output == .server else { return try AudioContext() }
    for _ in 0..<100 {
      if let context = try? AudioContext() { return context }
      Thread.sleep(forTimeInterval: 0.1)
    }
    return nil
  }

  /// Performs the steps of all threads.
  private func perform(_ stepCount: Int, in game: Game) {
    let lottery = Lottery(Operation.all.filter { run.options.allows($0.name) })
    let threads = DispatchGroup()
    for lane in 0..<threadCount {
      threads.enter()
      let body: @Sendable () -> Void = {
        for step in lane * stepCount..<(lane + 1) * stepCount where run.options.allows(step: step) {
          let random = SplitMix64(mixing: seed, UInt64(lane), UInt64(step))
          let values = Values(random: random, hasExtremes: hasExtremes)
          var caller = Caller(game: game, lane: lane, values: values, seed: seed)
          caller.operate(lottery)
        }
        threads.leave()
      }
      if isAlone { body() } else { Thread.detachNewThread(body) }
    }
    threads.wait()
  }

  /// Requires that the replay of a recording gives the same mix.
  private func requireReplay(_ recording: WorldRecording, voices: Int, of game: Game) throws {
    let pieces = game.mix.withLock { $0 }
    requireMix(pieces)
    guard recording.isComplete else { return }
    let renderer = try Renderer()
    let copy = AudioWorld(in: renderer.context, voiceLimit: voices)
    run.log.begin("replay", on: 0)
    recording.replay(in: copy)
    var frame = 0
    for piece in pieces {
      let again = renderer.render(piece.frameCount)
      let place = zip(piece.samples, again.samples).enumerated().first { $0.element.0 != $0.element.1 }
      run.require(place == nil, "the replay differs at frame \(frame + (place?.offset ?? 0) / 2)")
      frame += piece.frameCount
    }
    run.log.end(on: 0)
    run.replays.add(1, ordering: .relaxed)
  }

  /// Requires that the mix of a tame round is below the sum of its voices, and has no click.
  private func requireMix(_ pieces: [PCMBuffer<Float>]) {
    guard !hasExtremes, let first = pieces.first else { return }
    guard let mix = try? PCMBuffer(samples: pieces.flatMap(\.samples), format: first.format) else { return }
    // The voices of the pool, those that fade out, and the rooms.
    let bound = SoundFiles.amplitude * 40
    run.require(mix.samples.allSatisfy { abs($0) <= bound }, "the mix is louder than its voices")
    guard run.options.allows("clicks") else { return }
    let clicks = mix.clicks(highestFrequency: 2_500)
    run.require(clicks.isEmpty, "\(clicks.count) clicks, the first: \(clicks.first?.description ?? "")")
  }

  /// Ends a round: stops and releases everything, and requires one end for each play.
  private func end(_ game: Game) throws {
    game.isEnding.store(true, ordering: .sequentiallyConsistent)
    let world = game.world
    step("resume") {
      for reason in world.context.suspensions.keys { world.context.resume(from: reason) }
      for bus in world.mixer.buses { bus.resume() }
    }
    let once = game.once.withLock { $0 }
    step("stop all") { for emitter in game.emitters.all + once { emitter.stop() } }
    step("release all") { game.removeAll() }
    if let renderer = game.renderer, game.isAlone {
      let mix = renderer.render(9_600)
      run.require(mix.samples.allSatisfy(\.isFinite), "the last mix is not finite")
    }
    game.takeEvents()
    let fault = game.ledger.withLock { game.isAlone ? $0.fault(isOver: true) : $0.faultOfSums }
    run.require(fault == nil, fault ?? "")
  }

  private func step(_ text: String, _ body: () -> Void) {
    run.log.begin("end: \(text)", on: 0)
    body()
    run.log.end(on: 0)
  }

  /// Waits for a condition; the watchdog ends the process if it stays false.
  private func wait(_ text: String, until isDone: () -> Bool) {
    step("wait for \(text)") { while !isDone() { Thread.sleep(forTimeInterval: 0.001) } }
  }
}
