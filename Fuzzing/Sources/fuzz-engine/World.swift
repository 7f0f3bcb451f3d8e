import FuzzSupport
import Spatial3D
import Synchronization

/// A sound buffer, unit or source of a round, with what the laws have to know of it.
struct Emitter: Sendable {
  let source: SoundSource
  /// How many frames its sound has; `nil` of a queue or a stream.
  let frameCount: Int?
  let isStream: Bool
}

/// An observation of a source: dropping it ends the observation.
struct Observation: Sendable {
  let source: WeakSource
  let token: NotificationToken
  let watcher: Watcher
}

/// What the operations of a round work on.
final class World: Sendable {
  let run: Run
  let seed: UInt64
  let output: Output
  /// Whether one thread alone calls, so that a property reads back what was set.
  let isAlone: Bool
  let hasExtremes: Bool
  let operations: Lottery

  let contexts = Slots<AudioContext>(count: 3)
  /// A context of another device.
  let strangers = Slots<AudioContext>(count: 1)
  let devices = Slots<AudioDevice>(count: 2)
  let buffers = Slots<SoundBuffer>(count: 12)
  let emitters = Slots<Emitter>(count: 20)
  let units = Slots<EffectUnit>(count: 6)
  let observations = Slots<Observation>(count: 12)
  let contextTokens = Slots<NotificationToken>(count: 3)
  /// Sources with models, of rounds that have some.
  let modelled = Slots<ModelledSource>(count: 8)
  let hasModels: Bool
  /// Frames of the mix so far, and those that the clock has counted.
  let counts = Lock((mixed: 0, clock: 0))
  let waits: Waits
  let oneShots = Lock<[WeakSource]>([])
  /// What renders the first context, offline.
  let renderer: Renderer?
  /// Whether a context asked a device for something, which may change the rate that frames are counted at.
  let mayChangeRate = Atomic(false)
  /// Whether handlers call nothing any more.
  let isEnding = Atomic(false)
  /// How many handlers are calling.
  let callingHandlers = Atomic(0)
  /// How many threads still make steps.
  let busyThreads = Atomic(0)
  /// How many handlers have called.
  let handlerCount = Atomic(0)

  init(
    seed: UInt64,
    mode: Mode,
    output: Output,
    renderer: Renderer?,
    run: Run,
    operations: Lottery,
    waits: Waits
  ) {
    (self.run, self.seed, self.output, self.renderer) = (run, seed, output, renderer)
    (self.operations, self.waits) = (operations, waits)
    isAlone = mode == .model && output == .offline
    hasModels = isAlone && seed % 3 != 0
    hasExtremes = seed % 2 == 0
  }

  /// A hand for a step of a thread.
  func hand(lane: Int, step: Int) -> Hand {
    let random = SplitMix64(mixing: seed, UInt64(lane), UInt64(step))
    let values = Values(random: random, hasExtremes: hasExtremes, options: run.options)
    return Hand(world: self, lane: lane, values: values)
  }

  /// A hand for what a handler does, on whichever thread.
  func handlerHand() -> Hand {
    let number = handlerCount.add(1, ordering: .relaxed).newValue
    let random = SplitMix64(mixing: seed, 1 << 32, UInt64(number))
    let values = Values(random: random, hasExtremes: hasExtremes, options: run.options)
    return Hand(world: self, lane: CallLog.handlerLane, values: values, isInHandler: true)
  }

  /// Puts everything out of the hands of the round.
  func removeAll() {
    modelled.removeAll()
    observations.removeAll()
    contextTokens.removeAll()
    emitters.removeAll()
    units.removeAll()
    buffers.removeAll()
    contexts.removeAll()
    strangers.removeAll()
    devices.removeAll()
  }
}

/// A source that somebody else keeps.
final class WeakSource: Sendable {
  weak let source: SoundSource?

  init(_ source: SoundSource) { self.source = source }
}

/// An offline renderer that threads take turns at.
final class Renderer: Sendable {
  let format: PCMFormat
  let context: AudioContext
  private let renderer: Lock<OfflineRenderer>

  init(_ renderer: consuming OfflineRenderer) {
    (format, context) = (renderer.format, renderer.context)
    self.renderer = Lock(renderer)
  }

  func render<Result: Sendable>(_ body: (inout OfflineRenderer) -> Result) -> Result {
    renderer.withLock { body(&$0) }
  }
}
