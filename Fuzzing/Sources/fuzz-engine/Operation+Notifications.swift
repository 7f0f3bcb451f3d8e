import Spatial3D
import Synchronization

/// Observations of sources and contexts; some handlers call back.
extension Operation {
  static let notifications = [
    Operation("observe", 8) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let kinds = SourceNotification.Kinds(rawValue: UInt8(hand.values.int(0...15)))
      let watcher = Watcher(
        "source \(place)",
        kinds: kinds,
        initial: hand.knownState(of: emitter.source),
        in: hand.world,
        isPrompt: hand.world.isAlone
      )
      let callsBack = hand.values.chance(0.3)
      let world = hand.world
      let token = hand.call("observe source \(place), kinds \(kinds.rawValue)\(callsBack ? ", calling back" : "")") {
        emitter.source.observe(kinds) { [weak world] notification in
          watcher.take(notification)
          if callsBack { world?.callBack() }
        }
      }
      let free = hand.place(in: hand.world.observations)
      let observation = Observation(source: WeakSource(emitter.source), token: token, watcher: watcher)
      hand.drop("old observation \(free)", in: hand.world.observations, at: free, for: observation)
    },
    Operation("observe.drop", 4) { hand in
      let place = hand.place(in: hand.world.observations)
      hand.drop("drop observation \(place)", in: hand.world.observations, at: place)
    },
    Operation("observe.cancel", 1) { hand in
      guard let (place, observation) = hand.pick(hand.world.observations) else { return }
      hand.call("cancel observation \(place), twice") {
        observation.watcher.isCancelled.store(true, ordering: .relaxed)
        observation.token.cancel()
        observation.token.cancel()
      }
    },
    Operation("context.observe", 1) { hand in
      guard let context = hand.context() else { return }
      let place = hand.place(in: hand.world.contextTokens)
      let world = hand.world
      let token = hand.call("observe a context") { context.observe { [weak world] _ in world?.callBack() } }
      hand.drop("old observation \(place) of a context", in: hand.world.contextTokens, at: place, for: token)
    },
  ]

  /// Tasks that wait for notifications and events.
  static let waits = [
    Operation("wait.stopped", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let source = emitter.source
      hand.call("wait until source \(place) has stopped") {
        hand.world.waits.begin { await source.waitUntilStopped() }
        hand.world.oneShots.withLock { $0.append(WeakSource(source)) }
      }
    },
    Operation("wait.notifications", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let source = emitter.source
      let state = hand.knownState(of: source)
      let watcher = Watcher("a loop over source \(place)", kinds: .all, initial: state, in: hand.world, isPrompt: false)
      hand.call("wait for notifications of source \(place)") {
        let notifications = source.notifications()
        hand.world.waits.begin { for await notification in notifications { watcher.take(notification) } }
      }
    },
    Operation("wait.events", 1) { hand in
      guard let context = hand.context() else { return }
      hand.call("wait for events of a context") {
        let events = context.events()
        hand.world.waits.begin { for await _ in events {} }
      }
    },
    Operation("wait.cancel", 2) { hand in
      let number = hand.values.int(0...Waits.limit - 1)
      hand.call("cancel wait \(number)") { hand.world.waits.cancel(number) }
    },
  ]
}

extension World {
  /// Does something from a handler.
  func callBack() {
    callingHandlers.add(1, ordering: .sequentiallyConsistent)
    defer { callingHandlers.subtract(1, ordering: .sequentiallyConsistent) }
    guard !isEnding.load(ordering: .sequentiallyConsistent) else { return }
    var hand = handlerHand()
    // A handler whose calls bring about more notifications is called for them in turn.
    guard hand.values.chance(0.5) else { return }
    hand.operate()
  }
}

extension Hand {
  /// What observers were told last of a source; `nil` where another thread, or a suspension, may be about to change it.
  fileprivate func knownState(of source: SoundSource) -> SourceState? {
    world.isAlone && !source.context.keepsCalls ? source.state : nil
  }
}
