import FuzzSupport
import Spatial3D
import Synchronization

/// The context of one step's calls: random values, the objects, and the log.
struct Caller {
  let world: World
  let lane: Int
  var values: Values
  /// Whether a handler calls.
  ///
  /// A handler may not render, because a render may have called it.
  let isInHandler: Bool
  /// Whether the calls are inside a deferred update.
  var isInBatch = false
  /// How many handlers had called when the operation began.
  private var handlersBefore = 0
  /// How deep operations are nested.
  var depth = 0

  init(world: World, lane: Int, values: Values, isInHandler: Bool = false) {
    (self.world, self.lane, self.values, self.isInHandler) = (world, lane, values, isInHandler)
  }

  var run: Run { world.run }

  /// Whether no other caller has called since the operation began, so that a property has the value that was set.
  var isExact: Bool { world.isAlone && world.handlerCount.load(ordering: .relaxed) == handlersBefore }

  /// Writes a text into the log, and then makes a call.
  func call<Result: ~Copyable>(_ text: @autoclosure () -> String, _ body: () -> Result) -> Result {
    run.log.begin(text(), on: lane)
    defer { run.log.end(on: lane) }
    return body()
  }

  /// Makes a call that may throw errors of some codes; `nil` where it throws.
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

  /// Requires that a law holds.
  func require(_ holds: Bool, _ law: @autoclosure () -> String) { run.require(holds, law()) }

  /// A random place.
  mutating func place<Element>(in slots: Slots<Element>) -> Int { values.int(0...slots.count - 1) }

  /// A random slot and its object; `nil` if the slot is empty.
  mutating func pick<Element>(_ slots: Slots<Element>) -> (place: Int, object: Element)? {
    let place = place(in: slots)
    return slots[place].map { (place, $0) }
  }

  /// A context: mostly the first.
  mutating func context() -> AudioContext? {
    values.chance(0.7) ? world.contexts[0] : pick(world.contexts)?.object
  }

  /// A random source, from the first slot of three that is not empty.
  mutating func emitter() -> (place: Int, object: Emitter)? {
    for _ in 0..<3 {
      if let found = pick(world.emitters) { return found }
    }
    return nil
  }

  /// Up to six sources of any context, possibly with repetitions.
  mutating func sources() -> [(place: Int, object: Emitter)] {
    (0..<values.int(0...6)).compactMap { _ in pick(world.emitters) }
  }

  /// Performs a random operation.
  mutating func operate() {
    guard depth < 3 else { return }
    depth += 1
    handlersBefore = world.handlerCount.load(ordering: .relaxed)
    let operation = world.operations.draw(using: &values.random)
    operation.body(&self)
    depth -= 1
  }
}
