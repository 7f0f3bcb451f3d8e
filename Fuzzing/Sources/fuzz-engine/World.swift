import FuzzSupport
import Spatial3D
import Synchronization

/// A source of a round, with the facts that the laws need.
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
  let check: NotificationCheck
}

/// The objects that the operations of a round use.
final class World: Sendable {
  let run: Run
  let seed: UInt64
  let output: Output
  /// Whether one thread alone calls, so that a property has the value that was set.
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
  /// Sources beside a model; none in some rounds.
  let modelled = Slots<ModelledSource>(count: 8)
  let hasModels: Bool
  /// Frames of the mix so far, and frames that the clock has counted.
  let counts = Lock((mixed: 0, clock: 0))
  let waits: Waits
  let oneShots = Lock<[WeakSource]>([])
  /// The renderer of the first context; `nil` on an output.
  let renderer: Renderer?
  /// Whether a context had settings of its own, which may change the rate of the mix.
  let mayChangeRate = Atomic(false)
  /// Whether handlers have stopped calling.
  let isEnding = Atomic(false)
  /// How many handlers are calling now.
  let callingHandlers = Atomic(0)
  /// How many threads still perform steps.
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

  /// The caller of a step of a thread.
  func caller(lane: Int, step: Int) -> Caller {
    let random = SplitMix64(mixing: seed, UInt64(lane), UInt64(step))
    let values = Values(random: random, hasExtremes: hasExtremes, options: run.options)
    return Caller(world: self, lane: lane, values: values)
  }

  /// The caller of a handler's operation, on any thread.
  func handlerCaller() -> Caller {
    let number = handlerCount.add(1, ordering: .relaxed).newValue
    let random = SplitMix64(mixing: seed, 1 << 32, UInt64(number))
    let values = Values(random: random, hasExtremes: hasExtremes, options: run.options)
    return Caller(world: self, lane: CallLog.handlerLane, values: values, isInHandler: true)
  }

  /// Releases all objects.
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

/// A reference to a source that does not keep it.
final class WeakSource: Sendable {
  weak let source: SoundSource?

  init(_ source: SoundSource) { self.source = source }
}

/// An offline renderer that several threads use, one at a time.
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
