import FuzzSupport
import Spatial3D
import Synchronization

/// What makes the calls of one step: random values, objects to call, and the log.
struct Hand {
  let world: World
  let lane: Int
  var values: Values
  /// Whether a handler calls, which may not render: its caller may be rendering.
  let isInHandler: Bool
  /// Whether it calls inside a deferred update.
  var isInBatch = false
  /// How many handlers had called when the operation began.
  private var handlersBefore = 0
  /// How deep operations are inside one another.
  var depth = 0

  init(world: World, lane: Int, values: Values, isInHandler: Bool = false) {
    (self.world, self.lane, self.values, self.isInHandler) = (world, lane, values, isInHandler)
  }

  var run: Run { world.run }

  /// Whether nobody else has called since the operation began, so that a property is what it was set to.
  var isExact: Bool { world.isAlone && world.handlerCount.load(ordering: .relaxed) == handlersBefore }

  /// Makes a call, with its text in the log before.
  func call<Result: ~Copyable>(_ text: @autoclosure () -> String, _ body: () -> Result) -> Result {
    run.log.begin(text(), on: lane)
    defer { run.log.end(on: lane) }
    return body()
  }

  /// Makes a call that may throw some errors; `nil` where it did.
  func attempt<Result>(
    _ text: @autoclosure () -> String,
    mayThrow codes: AudioError.Code...,
    body: () throws(AudioError) -> Result
  ) -> Result? {
    run.log.begin(text(), on: lane)
    defer { run.log.end(on: lane) }
    do throws(AudioError) {
      return try body()
    } catch {
      run.require(codes.contains(error.code), "\(text()) threw \(error.code): \(error)")
      run.require(!error.message.isEmpty && !error.operation.isEmpty, "an error without words: \(error)")
      return nil
    }
  }

  /// Requires a law of what a call returned.
  func require(_ holds: Bool, _ law: @autoclosure () -> String) { run.require(holds, law()) }

  /// One of the places of some objects.
  mutating func place<Element>(in slots: Slots<Element>) -> Int { values.int(0...slots.count - 1) }

  /// One of some objects and its place; `nil` where that place is empty.
  mutating func pick<Element>(_ slots: Slots<Element>) -> (place: Int, object: Element)? {
    let place = place(in: slots)
    return slots[place].map { (place, $0) }
  }

  /// A context: mostly the first.
  mutating func context() -> AudioContext? {
    values.chance(0.7) ? world.contexts[0] : pick(world.contexts)?.object
  }

  /// The thing to call a property of: mostly of a source that is there.
  mutating func emitter() -> (place: Int, object: Emitter)? {
    for _ in 0..<3 {
      if let found = pick(world.emitters) { return found }
    }
    return nil
  }

  /// Some sources, possibly none, of any context, possibly with repetitions.
  mutating func sources() -> [(place: Int, object: Emitter)] {
    (0..<values.int(0...6)).compactMap { _ in pick(world.emitters) }
  }

  /// Does one of the operations, drawn by their weights.
  mutating func operate() {
    guard depth < 3 else { return }
    depth += 1
    handlersBefore = world.handlerCount.load(ordering: .relaxed)
    let operation = world.operations.draw(using: &values.random)
    operation.body(&self)
    depth -= 1
  }
}
