internal import AudioSupport
internal import PCM
internal import SignalProcessing
internal import Spatial3D
internal import Synchronization

/// The strips of a world whose mix this package renders: the strip of the main bus, and the stems of other buses.
///
/// The thread that renders calls ``process(_:at:)`` with each piece of the mix. The sum of a stem passes its strip, and
/// is added to the sum of the stem around it, which is the mix in the end.
///
/// Lock order: the lock of the stems is held for a copy of the list alone. The lock of the alignment comes before the
/// locks of the strips.
final class MixGraph: MixStage {
  /// The strip of the main bus.
  let main: BusStrip

  private let stems = Lock(Stems())
  private let alignment = Lock(())
  private let context: Weak<AudioContext>
  private let owner = BackgroundLoop()
  /// The frames that are left until the graph ends; negative while its world lives.
  private let framesLeft = Atomic(-1)

  private struct Stems: Sendable {
    var plan = StemPlan.main
    /// The stems behind the stem of the main bus, in the order of their indices.
    var others: [BusStem] = []
  }

  /// A graph with the strip of the main bus, for the mix of a context.
  init(main: BusStrip, in context: AudioContext) {
    self.main = main
    self.context = Weak(context)
  }

  deinit { releaseStems() }

  // MARK: Stems

  /// The strip of a stem; `nil` for a stem that the graph does not have.
  func strip(of stem: StemIndex) -> BusStrip? { stem == .main ? main : self.stem(stem)?.strip }

  /// A stem other than the stem of the main bus; `nil` for a stem that the graph does not have.
  func stem(_ stem: StemIndex) -> BusStem? {
    stems.withLock { $0.others.indices.contains(stem.position - 1) ? $0.others[stem.position - 1] : nil }
  }

  /// The contexts of the stems, but for the context of the mix.
  var contexts: [AudioContext] { stems.withLock { $0.others }.map(\.mix.context) }

  /// Adds the next stem, which sounds once a plan has it.
  func add(_ stem: BusStem) { stems.withLock { $0.others.append(stem) } }

  /// Adds the sums by another plan, from the next piece on.
  func adopt(_ plan: StemPlan) { stems.withLock { $0.plan = plan } }

  /// Prepares the delays that align all stems of a plan, as their strips are prepared.
  func prepareAlignment(by plan: StemPlan) {
    guard plan.parents.count > 1 else { return }
    alignment.withLock { _ in
      let strips = plan.parents.indices.compactMap { strip(of: StemIndex($0)) }
      guard strips.count == plan.parents.count else { return }
      let alignments = plan.alignments(forLatencies: strips.map(\.preparedLatency))
      for (strip, alignment) in zip(strips, alignments) {
        strip.prepareAlignment(entry: alignment.entry, exit: alignment.exit)
      }
    }
  }

  // MARK: The mix

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    guard isEnding else {
      _ = process(&samples, at: frame, offset: 0)
      return
    }
    // In short pieces, so that the end is noticed: what sounds behind it passes as it is.
    let channelCount = main.format.channelCount
    let frameCount = samples.count / channelCount
    var first = 0
    while first < frameCount, !hasEnded {
      let count = min(MixTime.tick, frameCount - first)
      var piece = samples._mutatingExtracting(first * channelCount..<(first + count) * channelCount)
      let isResting = process(&piece, at: frame + first, offset: first * channelCount)
      let left = framesLeft.load(ordering: .relaxed)
      framesLeft.store(isResting ? 0 : max(left - count, 0), ordering: .relaxed)
      first += count
    }
    if hasEnded { releaseStems() }
  }

  /// Processes a piece, whose samples begin at an offset in the blocks of the stems; returns whether all strips rest.
  private func process(_ samples: inout MutableSpan<Float>, at frame: Int, offset: Int) -> Bool {
    let (plan, others) = stems.withLock { ($0.plan, $0.others) }
    let range = offset..<offset + samples.count
    var isResting = true
    for index in plan.order where index != .main && index.position <= others.count {
      let stem = others[index.position - 1]
      guard !stem.isIdle else { continue }
      stem.mix.edit { block in
        var part = block._mutatingExtracting(range)
        stem.strip.enter(&part, at: frame)
        Self.add(others, inside: index, by: plan, range, to: &part)
        isResting = stem.strip.process(&part, at: frame) && isResting
      }
    }
    main.enter(&samples, at: frame)
    Self.add(others, inside: .main, by: plan, range, to: &samples)
    return main.process(&samples, at: frame) && isResting
  }

  /// Adds the sums of the stems inside a stem, which have passed their strips.
  private static func add(
    _ stems: [BusStem],
    inside parent: StemIndex,
    by plan: StemPlan,
    _ range: Range<Int>,
    to samples: inout MutableSpan<Float>
  ) {
    for position in stems.indices where position + 1 < plan.parents.count && plan.parents[position + 1] == parent {
      if stems[position].isIdle { continue }
      stems[position].mix.edit { block in
        for (index, other) in zip(samples.indices, range) { samples[index] += block[other] }
      }
    }
  }

  // MARK: The end

  /// Lets the graph end with the last sounds of its world, which fade out in the next mixes.
  func end() {
    // Chosen: after ten seconds the graph also ends where something else sounds in the context.
    framesLeft.store(10 * main.format.sampleRate, ordering: .relaxed)
  }

  var isEnding: Bool { framesLeft.load(ordering: .relaxed) >= 0 }
  var hasEnded: Bool { framesLeft.load(ordering: .relaxed) == 0 }

  /// Removes the stems from the device; another thread closes their devices of the library.
  private func releaseStems() {
    let gone = stems.withLock { stems in
      let gone = stems.others
      (stems.others, stems.plan) = ([], .main)
      return gone
    }
    guard !gone.isEmpty else { return }
    // A forked child lacks the threads that may hold the locks.
    guard let context = context.object, !context.isInherited else { return }
    for stem in gone { context.device.removeStem(stem.mix) }
    if context.device.mixesOnRequest { return }
    let box = Lock(gone)
    owner.begin {
      box.withLock { $0 = [] }
      return .end
    }
  }
}
