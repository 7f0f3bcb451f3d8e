import FuzzSupport
import Foundation
import Spatial3D
import Synchronization

extension Round {
  static let threadCount = 4

  /// Performs the steps of four threads, while a fifth thread renders.
  func performTogether(_ stepCount: Int, in world: World) {
    let threads = DispatchGroup()
    world.busyThreads.store(Self.threadCount, ordering: .relaxed)
    for lane in 0..<Self.threadCount {
      begin(threads) {
        perform(lane * stepCount..<(lane + 1) * stepCount, lane: lane, in: world)
        world.busyThreads.subtract(1, ordering: .releasing)
      }
    }
    if let renderer = world.renderer {
      begin(threads) {
        var caller = world.caller(lane: Self.threadCount, step: 0)
        while world.busyThreads.load(ordering: .acquiring) > 0 {
          caller.render(renderer, frameCount: caller.values.pieceLength())
        }
      }
    }
    threads.wait()
  }

  private func begin(_ threads: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    threads.enter()
    Thread.detachNewThread {
      body()
      threads.leave()
    }
  }

  /// Ends a round: stops all sources, checks the last notifications, and releases all objects.
  func end(_ world: World) {
    world.isEnding.store(true, ordering: .sequentiallyConsistent)
    wait("handlers that call") { world.callingHandlers.load(ordering: .sequentiallyConsistent) == 0 }
    let sources = world.emitters.all.map(\.source) + world.oneShots.withLock { $0.compactMap(\.source) }
    // Sources keep a context that was dropped.
    for context in world.contexts.all + sources.map(\.context) {
      for reason in context.suspensions.keys {
        step("resume from \(reason)") { context.resume(from: reason) }
      }
    }
    for source in sources {
      step("stop a source") { source.stop() }
      let state = source.state
      run.require(state == .stopped || state == .initial, "\(state) after the last stop")
    }
    for observation in world.observations.all {
      guard let source = observation.source.source else { continue }
      let state = source.state
      if world.output == .offline {
        run.require(observation.check.knows(state), "an observation ends with another state than \(state)")
      } else {
        wait("an observation that has not heard of \(state)") { observation.check.knows(state) }
      }
    }
    step("drop everything") { world.removeAll() }
  }

  private func step(_ text: String, _ body: () -> Void) {
    run.log.begin("end: \(text)", on: 0)
    body()
    run.log.end(on: 0)
  }

  /// Waits for a condition.
  ///
  /// The watchdog ends the process if the condition stays false.
  func wait(_ text: String, until isDone: () -> Bool) {
    step("wait for \(text)") { while !isDone() { Thread.sleep(forTimeInterval: 0.001) } }
  }
}
