internal import AudioSupport
internal import PCM
internal import SignalProcessing
internal import Spatial3D

/// The strip of the main bus of a world whose mix this package renders.
///
/// The thread that renders calls ``process(_:at:)``. One thread at a time sets the strip: the thread that carries out
/// the work of the world. It makes chains without the lock, which the thread that renders waits for: the lock is held
/// to hand a chain over.
///
/// Lock order: the lock of the strip is the last, except for the locks of its meters.
final class MainStrip: MixStage {
  let format: PCMFormat
  private let strip: Lock<Strip>
  private let owner = BackgroundLoop()
  /// Whether the caller renders: nothing then happens on another thread.
  private let rendersOnRequest: Bool
  /// The processors of the program by their names: an insert from a file has a name alone.
  private let knownProcessors = Lock<[String: CustomProcessor]>([:])
  /// The steps that were prepared last.
  private let latestSteps = Lock<[Strip.Part: [ProcessorStep]]>([.inserts: [], .lastStages: []])
  /// The changes that wait for a tick, and what performed changes have replaced.
  private let changes = Lock(StripChanges())
  /// The faults that the owner has still to report.
  private let faults = Lock<[ChainFault]>([])
  private let context: Weak<AudioContext>

  /// A strip of a device with such a mix; faults are reported to the context.
  init(format: PCMFormat, reportingTo context: AudioContext) {
    self.format = format
    self.context = Weak(context)
    rendersOnRequest = context.device.mixesOnRequest
    strip = Lock(Strip(format: format))
  }

  // MARK: The mix

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    var (fault, hasRetired) = strip.withLock { strip -> (ChainFault?, Bool) in
      strip.process(&samples, at: frame)
      return (strip.takeFault(), strip.hasRetired)
    }
    let needsOwner = fault != nil || hasRetired
    while let next = fault {
      faults.withLock { $0.append(next) }
      fault = strip.withLock { $0.takeFault() }
    }
    guard needsOwner else { return }
    if rendersOnRequest { finish() } else { beginOwner() }
  }

  private func beginOwner() {
    owner.begin { [weak self] in
      self?.finish()
      return .end
    }
  }

  /// Reports faults, and releases the chains that have left: the next exchange waits for it.
  ///
  /// It runs away from the thread that mixes, except where the caller renders.
  private func finish() {
    var failed: [ChainFault] = []
    faults.withLock { swap(&$0, &failed) }
    for fault in failed { context.object?.report(.processorFailed(fault.processor.name)) }
    for part in Strip.Part.allCases {
      // The chain is released without the lock.
      let retired = strip.withLock { $0.takeRetired(part) }
      _ = consume retired
      let performed = changes.withLock { $0.takePerformed(part) }
      _ = consume performed
    }
  }

  // MARK: Settings

  /// Prepares a change to other settings, with a fade over so many frames; ``performChanges()`` performs it.
  ///
  /// Returns the names of processors that the program has not set before: their inserts leave the sound as it is.
  func prepare(_ settings: StripSettings, over frameCount: Int) -> [String] {
    let (inserts, unknown) = steps(of: settings.inserts)
    prepare(.inserts, inserts, over: frameCount)
    prepare(.lastStages, settings.lastSteps, over: frameCount)
    return unknown
  }

  /// The steps of inserts, one for each, and the names of processors without a description.
  private func steps(of inserts: [Insert]) -> (steps: [ProcessorStep], unknown: [String]) {
    var unknown: [String] = []
    let known = knownProcessors.withLock { processors in
      // The first processor of a name stays: a chain keeps it as long as it is the same object.
      for case .custom(let custom) in inserts.lazy.map(\.kind) where processors[custom.name] == nil {
        processors[custom.name] = custom.processor
        if custom.processor == nil { unknown.append(custom.name) }
      }
      return processors
    }
    // An equalizer without bands leaves the sound as it is.
    let steps = inserts.map { $0.step(known) ?? ProcessorStep(.equalizer([])) }
    return (steps, unknown)
  }

  private func prepare(_ part: Strip.Part, _ steps: [ProcessorStep], over frameCount: Int) {
    guard latestSteps.withLock({ $0.updateValue(steps, forKey: part) }) != steps else { return }
    var change: StripChange? = StripChange(steps: steps, frameCount: frameCount)
    if strip.withLock({ $0.needsChain(part, for: steps) }) { change?.chain = Strip.chain(steps, format) }
    changes.withLock { changes in changes.swapChange(of: part, with: &change) }
    // A change that nobody has performed is released here, without the lock.
  }

  /// Performs the changes that are prepared, before the next piece of the mix.
  ///
  /// What it replaces is released on another thread.
  func performChanges() {
    var isChanged = false
    for part in Strip.Part.allCases where performChange(part) { isChanged = true }
    guard isChanged else { return }
    if rendersOnRequest { finish() } else { beginOwner() }
  }

  /// Performs the change of a part; returns whether there was one.
  private func performChange(_ part: Strip.Part) -> Bool {
    var change: StripChange?
    changes.withLock { changes in changes.swapChange(of: part, with: &change) }
    guard var change = change.take(), !change.isPerformed else { return false }
    let (steps, frameCount) = (change.steps, change.frameCount)
    var chain = change.chain.take()
    if !strip.withLock({ $0.set(part, to: steps, by: &chain, over: frameCount) }) {
      // The sound has begun or ended since the change was prepared.
      chain = Strip.chain(steps, format)
      _ = strip.withLock { $0.set(part, to: steps, by: &chain, over: frameCount) }
    }
    change.chain = consume chain
    change.isPerformed = true
    var performed: StripChange? = consume change
    changes.withLock { changes in changes.keep(&performed, of: part) }
    return true
  }

  /// Moves the fader to a gain, until the next tick.
  func moveFader(to gain: Float) { strip.withLock { $0.moveFader(to: gain) } }

  // MARK: Readings

  /// The frames by which the strip delays the sound.
  var latency: Int { strip.withLock { $0.latency } }

  /// The present changes of the gain by the dynamics of the inserts, in decibels; 0 for the others.
  func reductions(ofFirst count: Int) -> [Decibels] {
    strip.withLock { strip in
      (0..<count).map { Decibels(Float(strip.gainChange(.inserts, ofStep: StepIndex($0)) ?? 0)) }
    }
  }

  func add(_ meter: MeterBox) { strip.withLock { $0.add(meter) } }
  func remove(_ meter: MeterBox) { strip.withLock { $0.remove(meter) } }
}

extension StripSettings {
  /// The steps of the last stages.
  fileprivate var lastSteps: [ProcessorStep] {
    let stages = [loudnessTarget.map { Insert(.leveler($0)) }, limiter.map { Insert(.limiter($0)) }]
    return stages.compactMap { $0?.step() }
  }
}
