internal import AudioSupport
internal import FileDecode
internal import PCM
internal import SignalProcessing
internal import Spatial3D
internal import Synchronization

/// The strip of a bus with a sum, in a world whose mix this package renders.
///
/// The thread that renders calls ``enter(_:at:)`` and ``process(_:at:)``. The thread of a call of the game prepares a
/// change, and makes the chains for it without a lock. A tick performs the change. The lock of the strip is held to
/// hand a chain over: the thread that renders waits for it.
///
/// Lock order: the lock of the strip is the last, except for the locks of its meters and of the threads of its taps.
final class BusStrip: Sendable {
  let format: PCMFormat
  private let strip: Lock<Strip>
  private let owner = BackgroundLoop()
  /// Whether the caller renders: nothing then happens on another thread.
  private let rendersOnRequest: Bool
  private let plans = Lock(Plans())
  /// The changes that wait for a tick.
  private let changes = Lock(StripChanges())
  /// The faults, changes and chains that the owner has still to deal with.
  private let leftovers = Lock(Leftovers())
  private let context: Weak<AudioContext>

  /// The newest settings.
  private struct Plans: Sendable {
    /// The number of the settings that were prepared last.
    var version = 0
    /// The steps that were prepared last.
    var steps: [Strip.Part: [ProcessorStep]] = [:]
    /// The frames by which the steps of each part delay the sound, and the delays that align the strip with others.
    var frames: [Strip.Part: Int] = [:]
    var objects = StripObjects()
  }

  private struct Leftovers: Sendable {
    var faults: [ChainFault] = []
    var chains: [ReplacedChain] = []
    var changes: [UnfitChange] = []
  }

  /// A change without a chain that no glide reaches.
  private struct UnfitChange: Sendable {
    let part: Strip.Part
    let steps: [ProcessorStep]
    let frameCount: Int
  }

  /// A strip for a mix of a format, which reports faults to a context.
  init(format: PCMFormat, reportingTo context: AudioContext) {
    self.format = format
    self.context = Weak(context)
    rendersOnRequest = context.device.mixesOnRequest
    strip = Lock(Strip(format: format))
  }

  // MARK: The mix

  /// Delays the sounds of the bus, as long as the sums that come to them.
  func enter(_ samples: inout MutableSpan<Float>, at frame: Int) { strip.withLock { $0.enter(&samples, at: frame) } }

  /// Processes frames of the sum; returns whether the strip rests.
  func process(_ samples: inout MutableSpan<Float>, at frame: Int) -> Bool {
    var (fault, hasRetired, isResting) = strip.withLock { strip -> (ChainFault?, Bool, Bool) in
      strip.process(&samples, at: frame)
      return (strip.takeFault(), strip.hasRetired, strip.isResting)
    }
    let needsOwner = fault != nil || hasRetired
    while let next = fault {
      leftovers.withLock { $0.faults.append(next) }
      fault = strip.withLock { $0.takeFault() }
    }
    if needsOwner { beginOwner() }
    if rendersOnRequest { for tap in strip.withLock({ $0.taps }) { tap.read() } }
    return isResting
  }

  /// Whether silence stays silence without the strip: it has no processors, meters or taps, and no sound.
  var isIdle: Bool { strip.withLock { $0.isIdle } }

  private func beginOwner() {
    if rendersOnRequest { return finish() }
    owner.begin { [weak self] in
      self?.finish()
      return .end
    }
  }

  /// Reports faults, makes missing chains, and releases the chains that have left: the next exchange waits for it.
  ///
  /// It runs away from the thread that mixes, except where the caller renders.
  private func finish() {
    var left = Leftovers()
    leftovers.withLock { swap(&$0, &left) }
    for change in left.changes { remake(change) }
    for fault in left.faults { context.object?.report(.processorFailed(fault.processor.name)) }
    for part in Strip.Part.allCases {
      // The chain is released without the lock.
      let retired = strip.withLock { $0.takeRetired(part) }
      _ = consume retired
    }
  }

  deinit {
    guard !isInherited else { return }
    for tap in strip.withLock({ $0.taps }) { end(tap) }
  }

  // MARK: Settings

  /// Prepares a change to other settings, with a fade over so many frames; ``performChanges()`` performs it.
  ///
  /// Settings with an older number than those before have no effect. Returns the objects that the inserts name, and
  /// that the strip does not have.
  func prepare(_ settings: StripSettings, version: Int, over frameCount: Int) -> StripObjects.Missing {
    let (steps, missing) = plans.withLock { plans -> ([Strip.Part: [ProcessorStep]], StripObjects.Missing) in
      guard version > plans.version else { return ([:], StripObjects.Missing()) }
      plans.version = version
      let (inserts, missing) = Self.steps(of: settings.inserts, &plans.objects)
      var steps: [Strip.Part: [ProcessorStep]] = [.inserts: inserts]
      steps[.leveler] = settings.loudnessTarget.map { Insert(.leveler($0)) }?.step().map { [$0] } ?? []
      steps[.limiter] = settings.limiter.map { Insert(.limiter($0)) }?.step().map { [$0] } ?? []
      let changed = steps.filter { $0.value != plans.steps[$0.key] ?? [] }
      plans.steps = steps
      return (changed, missing)
    }
    for (part, steps) in steps { prepare(part, steps, version: version, over: frameCount) }
    return missing
  }

  /// The steps of inserts, one for each, and the objects that a strip lacks for them.
  private static func steps(
    of inserts: [Insert],
    _ objects: inout StripObjects
  ) -> (steps: [ProcessorStep], missing: StripObjects.Missing) {
    let missing = objects.adopt(inserts)
    // An equalizer without bands leaves the sound as it is.
    return (inserts.map { $0.step(objects.known) ?? ProcessorStep(.equalizer([])) }, missing)
  }

  /// Loads an impulse response that the strip lacked; the next change of the settings uses it.
  ///
  /// Reports a file that cannot be read.
  func loadResponse(of convolution: Insert.Convolution) {
    var response: ImpulseResponse?
    do throws(AudioFileError) {
      response = try ImpulseResponse(convolution, sampleRate: format.sampleRate)
    } catch {
      context.object?.report(.responseUnavailable(error.message))
    }
    plans.withLock { [response] in $0.objects.add(response, for: convolution) }
  }

  private func prepare(_ part: Strip.Part, _ steps: [ProcessorStep], version: Int, over frameCount: Int) {
    var change: StripChange? = StripChange(steps: steps, frameCount: frameCount)
    var latency: Int?
    if strip.withLock({ $0.needsChain(part, for: steps) }) {
      let chain = Strip.chain(steps, format)
      latency = chain.latency
      change?.chain = consume chain
    }
    // A call of another thread may have been faster.
    plans.withLock { plans in
      guard plans.version == version || plans.steps[part] == steps else { return }
      // A glide keeps the latency.
      if let latency { plans.frames[part] = latency }
      changes.withLock { changes in changes.swapChange(of: part, with: &change) }
    }
    // A change that no tick has performed is released here, without the lock.
  }

  /// The frames by which the strip will delay the sound with all changes that are prepared, without its alignment.
  var preparedLatency: Int {
    plans.withLock { plans in
      [.inserts, .leveler, .limiter].reduce(0) { $0 + plans.frames[$1, default: 0] }
    }
  }

  /// Prepares delays before and behind the strip, in frames; ``performChanges()`` crosses over to them.
  func prepareAlignment(entry: Int, exit: Int) {
    for (part, delay) in [(Strip.Part.entry, entry), (.exit, exit)] {
      let isNew = plans.withLock { plans in
        defer { plans.frames[part] = delay }
        return plans.frames[part, default: 0] != delay
      }
      guard isNew else { continue }
      var change: StripChange? = StripChange(steps: [], frameCount: 0)
      change?.chain = AlignedChain(ProcessorChain([], format: format), latency: delay)
      changes.withLock { changes in changes.swapChange(of: part, with: &change) }
    }
  }

  /// Performs the changes that are prepared, before the next piece of the mix.
  ///
  /// Another thread releases the replaced chains.
  func performChanges() {
    var needsOwner = false
    for part in Strip.Part.allCases {
      var replaced: AlignedChain?
      // One lock over both steps: of two threads, the second one has the newer change, and performs it second.
      let unfit = strip.withLock { strip -> UnfitChange? in
        var change: StripChange?
        changes.withLock { changes in changes.swapChange(of: part, with: &change) }
        guard var change = change.take() else { return nil }
        replaced = change.chain.take()
        let isDone = strip.set(part, to: change.steps, by: &replaced, over: change.frameCount)
        return isDone ? nil : UnfitChange(part: part, steps: change.steps, frameCount: change.frameCount)
      }
      if let unfit { leftovers.withLock { $0.changes.append(unfit) } }
      if let chain = replaced.take() {
        let replaced = ReplacedChain(chain)
        leftovers.withLock { $0.chains.append(replaced) }
        needsOwner = true
      }
      needsOwner = needsOwner || unfit != nil
    }
    if needsOwner { beginOwner() }
  }

  /// Makes the chain of a change that was to glide, after another change has replaced the list that it glides from.
  private func remake(_ unfit: UnfitChange) {
    var change: StripChange? = StripChange(steps: unfit.steps, frameCount: unfit.frameCount)
    change?.chain = Strip.chain(unfit.steps, format)
    plans.withLock { plans in
      guard plans.steps[unfit.part] == unfit.steps else { return }
      changes.withLock { changes in changes.swapChange(of: unfit.part, with: &change) }
    }
    performChanges()
  }

  /// Moves the fader to a gain, until the next tick.
  func moveFader(to gain: Float) { strip.withLock { $0.moveFader(to: gain) } }

  // MARK: Readings

  /// The frames by which the strip delays the sound.
  var latency: Int { strip.withLock { $0.latency } }

  /// The frames by which the mix of all sounds is late behind the strip.
  var delay: Int { strip.withLock { $0.entryLatency + $0.latency } }

  /// The present changes of the gain by the dynamics of the inserts, in decibels; 0 for the others.
  func reductions(ofFirst count: Int) -> [Decibels] {
    // Made without the lock.
    var result = [Decibels](repeating: 0, count: count)
    strip.withLock { strip in
      for index in result.indices {
        if let change = strip.gainChange(ofInsert: StepIndex(index)) { result[index] = Decibels(Float(change)) }
      }
    }
    return result
  }

  /// Whether the thread that renders reads the taps.
  var readsTapsInline: Bool { rendersOnRequest }

  func add(_ tap: StripTap) {
    tap.begin()
    strip.withLock { $0.add(tap) }
  }

  /// Removes a tap and lets its reader end; a second call does nothing.
  ///
  /// A forked child lacks the thread that may hold the lock, and the thread of the reader.
  func end(_ tap: StripTap) {
    guard !isInherited else { return }
    if strip.withLock({ $0.remove(tap) }) { tap.end() }
  }

  private var isInherited: Bool { context.object?.isInherited == true }

  func add(_ meter: MeterBox) { strip.withLock { $0.add(meter) } }
  func remove(_ meter: MeterBox) { strip.withLock { $0.remove(meter) } }
}
