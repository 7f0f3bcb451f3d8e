import FuzzSupport
import Spatial3D
import Synchronization

/// Observations of sources and contexts; some handlers call back.
extension Operation {
  static let notifications = [
    Operation("observe", 8) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let kinds = SourceNotification.Kinds(rawValue: UInt8(caller.values.int(0...15)))
      let check = NotificationCheck(
        "source \(place)",
        kinds: kinds,
        initial: caller.knownState(of: emitter.source),
        in: caller.world,
        isPrompt: caller.world.isAlone
      )
      let callsBack = caller.values.chance(0.3)
      let world = caller.world
      let token = caller.call("observe source \(place), kinds \(kinds.rawValue)\(callsBack ? ", calling back" : "")") {
        emitter.source.observe(kinds) { [weak world] notification in
          check.take(notification)
          if callsBack { world?.callBack() }
        }
      }
      let free = caller.place(in: caller.world.observations)
      let observation = Observation(source: WeakSource(emitter.source), token: token, check: check)
      caller.drop("old observation \(free)", in: caller.world.observations, at: free, for: observation)
    },
    Operation("observe.drop", 4) { caller in
      let place = caller.place(in: caller.world.observations)
      caller.drop("drop observation \(place)", in: caller.world.observations, at: place)
    },
    Operation("observe.cancel", 1) { caller in
      guard let (place, observation) = caller.pick(caller.world.observations) else { return }
      caller.call("cancel observation \(place), twice") {
        observation.check.isCancelled.store(true, ordering: .relaxed)
        observation.token.cancel()
        observation.token.cancel()
      }
    },
    Operation("context.observe", 1) { caller in
      guard let context = caller.context() else { return }
      let place = caller.place(in: caller.world.contextTokens)
      let world = caller.world
      let token = caller.call("observe a context") { context.observe { [weak world] _ in world?.callBack() } }
      caller.drop("old observation \(place) of a context", in: caller.world.contextTokens, at: place, for: token)
    },
  ]

  /// Tasks that wait for notifications and events.
  static let waits = [
    Operation("wait.stopped", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let source = emitter.source
      caller.call("wait until source \(place) has stopped") {
        caller.world.waits.begin { await source.waitUntilStopped() }
        caller.world.oneShots.withLock { $0.append(WeakSource(source)) }
      }
    },
    Operation("wait.notifications", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let source = emitter.source
      let state = caller.knownState(of: source)
      let name = "a loop over source \(place)"
      let check = NotificationCheck(name, kinds: .all, initial: state, in: caller.world, isPrompt: false)
      caller.call("wait for notifications of source \(place)") {
        let notifications = source.events()
        caller.world.waits.begin { for await notification in notifications { check.take(notification) } }
      }
    },
    Operation("wait.events", 1) { caller in
      guard let context = caller.context() else { return }
      caller.call("wait for events of a context") {
        let events = context.events()
        caller.world.waits.begin { for await _ in events {} }
      }
    },
    Operation("wait.cancel", 2) { caller in
      let number = caller.values.int(0...Waits.limit - 1)
      caller.call("cancel wait \(number)") { caller.world.waits.cancel(number) }
    },
  ]
}

extension World {
  /// Performs an operation from a handler.
  func callBack() {
    callingHandlers.add(1, ordering: .sequentiallyConsistent)
    defer { callingHandlers.subtract(1, ordering: .sequentiallyConsistent) }
    guard !isEnding.load(ordering: .sequentiallyConsistent) else { return }
    var caller = handlerCaller()
    // The notifications that a handler causes call it in turn.
    guard caller.values.chance(0.5) else { return }
    caller.operate()
  }
}

extension Caller {
  /// The state in the last notification of a source; `nil` if another thread or a suspension may have a newer
  /// notification pending.
  fileprivate func knownState(of source: SoundSource) -> SourceState? {
    world.isAlone && !source.context.defersCommands ? source.state : nil
  }
}
