import Foundation
import FuzzSupport
import GameAudio
import Spatial3D
import Synchronization

/// The context of one step's calls: random values, the objects, and the log.
struct Caller {
  let game: Game
  let lane: Int
  var values: Values
  let seed: UInt64
  var depth = 0
  /// The name of the operation that runs.
  var operation = ""

  var world: AudioWorld { game.world }
  var run: Run { game.run }

  /// Writes a text into the log and the transcript, and then makes a call.
  @discardableResult
  func call<Result: ~Copyable>(_ text: @autoclosure () -> String, _ body: () -> Result) -> Result {
    let text = text()
    run.log.begin(text, on: lane)
    game.transcript?.begin(call: text, of: operation)
    defer { run.log.end(on: lane) }
    return body()
  }

  /// A random place.
  mutating func place<Element>(in slots: Slots<Element>) -> Int { values.int(0...slots.count - 1) }

  /// A random object and its slot; the first of three slots that is not empty.
  mutating func pick<Element>(_ slots: Slots<Element>) -> (place: Int, object: Element)? {
    for _ in 0..<3 {
      let place = place(in: slots)
      if let object = slots[place] { return (place, object) }
    }
    return nil
  }

  /// A bus, mostly one of the game's own; `nil` for the main one.
  mutating func bus() -> Bus? { values.chance(0.6) ? pick(game.buses)?.object : nil }

  /// Performs a random operation.
  mutating func operate(_ lottery: Lottery) {
    guard depth < 3 else { return }
    let (drawn, outer) = (lottery.draw(using: &values.random), operation)
    depth += 1
    operation = drawn.name
    drawn.body(&self)
    operation = outer
    depth -= 1
  }

  /// Renders some frames, and requires the laws of a mix.
  mutating func render() {
    guard let renderer = game.renderer else {
      // An output mixes by itself.
      if values.chance(0.2) { Thread.sleep(forTimeInterval: 0.002) }
      return
    }
    let wanted = values.chance(0.5) ? 512 * values.int(1...4) : values.int(1...3_000)
    let frameCount = game.isAlone ? withoutShortPieces(wanted) : wanted
    let mix = call("render \(frameCount)") { renderer.render(frameCount) }
    run.frames.add(frameCount, ordering: .relaxed)
    run.require(mix.samples.allSatisfy(\.isFinite), "the mix is not finite")
    if game.isAlone { game.mix.withLock { $0.append(mix) } }
    game.takeEvents()
    requireLaws()
  }

  /// A number of frames that leaves no piece of the mix below 16 frames behind a tick or ahead of one.
  ///
  /// A large move of a sound or of the listener steps within a shorter piece, as `AudioWorld` documents.
  private func withoutShortPieces(_ frameCount: Int) -> Int {
    let end = (game.mixedFrames + frameCount) % 512
    return end == 0 || 16...496 ~= end ? frameCount : frameCount + (end < 16 ? 16 : 512) - end
  }

  /// Requires the laws that hold at any time.
  func requireLaws() {
    let snapshot = call("snapshot") { world.snapshot() }
    let real = snapshot.realCount
    run.require(real <= snapshot.voiceLimit, "\(real) real voices, more than \(snapshot.voiceLimit)")
    let fault = game.ledger.withLock { game.isAlone ? $0.fault(isOver: false) : $0.faultOfSums }
    run.require(fault == nil, fault ?? "")
  }

  /// Plays an emitter, and enters the play into the ledger where it begins a sound.
  func play(_ emitter: Emitter, at moment: Duration? = nil) {
    // The entry is made before the call, because another thread may take the event of the end.
    let resumes = game.isAlone && moment == nil && emitter.isPaused
    if !resumes {
      expect()
      game.ledger.withLock { $0.begin(emitter.id) }
    }
    if let moment { emitter.play(at: moment) } else { emitter.play() }
  }

  /// Counts a play before its call, because another thread may take the event of the end before the call returns.
  func expect() {
    game.ledger.withLock { $0.expect() }
    run.plays.add(1, ordering: .relaxed)
  }

  /// Enters the play of an emitter that its world keeps to its end.
  func enter(_ emitter: Emitter) {
    game.ledger.withLock { $0.begin(emitter.id) }
    if game.isAlone { game.once.withLock { $0.append(emitter) } }
  }
}

/// A kind of call: its name, its weight in the draw, and its body.
struct Operation: Sendable {
  let name: String
  let weight: Int
  let body: @Sendable (inout Caller) -> Void

  init(_ name: String, _ weight: Int, _ body: @escaping @Sendable (inout Caller) -> Void) {
    (self.name, self.weight, self.body) = (name, weight, body)
  }

  static let all = emitters + players + banks + buses + space + beats + worlds + reports + sessions
}

/// Operations, drawn in proportion to their weights.
struct Lottery: Sendable {
  private let tickets: [Operation]

  init(_ operations: [Operation]) {
    precondition(!operations.isEmpty, "no operation is left")
    tickets = operations.flatMap { Array(repeating: $0, count: $0.weight) }
  }

  func draw(using random: inout SplitMix64) -> Operation {
    tickets[Int.random(in: 0..<tickets.count, using: &random)]
  }
}
