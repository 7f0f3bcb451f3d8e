internal import AudioSupport
internal import Synchronization

/// A part of the mix of a rendered device: the sum of a context of its own, which is not in the mix.
///
/// The library renders the context for the same frames as the mix, with one clock. The stem has a device of the library
/// for that, which the contexts of the mix do not share: buffers and effects belong to one of the two. Sources start,
/// fade and end at the same frames in both.
///
/// The ``MixStage`` of the device reads the frames of the stem in ``MixStage/process(_:at:)``, and adds them to the
/// mix.
package final class MixStem: Sendable {
  /// The context of the stem.
  ///
  /// It has no listener, room or physics of the mix: see ``AudioContext/follow(_:)``.
  package let context: AudioContext

  private let format: PCMFormat
  private let block: Lock<Block>

  private struct Block: Sendable {
    /// The frames of the last piece.
    var mix: PCMBuffer<Float>
    /// Whether the library does not render the stem: nothing plays in it, and its last piece was silent.
    var isResting = true
    /// Whether the last piece was silent.
    var isSilent = false
    /// The starts of sources that the stem has noticed.
    var startCount = 0
  }

  /// A level below this rests: the tail of a reverb never reaches zero.
  ///
  /// Chosen: -140 dB re full scale, 20 dB below the quietest step of 20 bits.
  private static let silence: Float = 1e-7

  fileprivate init(_ context: AudioContext, format: PCMFormat) {
    (self.context, self.format) = (context, format)
    block = Lock(Block(mix: PCMBuffer(format: format)))
  }

  /// Whether nothing sounds in the stem, so that its frames are zeros.
  package var isResting: Bool { block.withLock { $0.isResting } }

  /// Hands the frames of the last piece to a closure; one thread at a time calls it, behind the piece.
  package func edit(_ body: (inout MutableSpan<Float>) -> Void) {
    block.withLock { $0.mix.edit(from: 0, body) }
  }

  /// Finds out whether the next piece has sound; called without the lock of the context, which the piece may have.
  ///
  /// The count of starts alone wakes a stem that rests, because a look at all of its sources takes longer than the mix
  /// of some of them.
  func prepare() {
    let startCount = context.handle.startCount.load(ordering: .acquiring)
    let mayRest = block.withLock { block in
      if block.startCount != startCount { (block.isResting, block.isSilent) = (false, false) }
      block.startCount = startCount
      return block.isSilent && !block.isResting
    }
    guard mayRest else { return }
    // A source that waits for its start is silent, too.
    let isSounding = context.state.withLock { $0.isSounding }
    block.withLock { $0.isResting = !isSounding }
  }

  /// Renders frames behind the frames of the mix, the first of them on their own; the clock alone goes on at rest.
  func render(_ frames: Int, first: Int, besides device: DeviceHandle) {
    block.withLock { block in
      block.mix.removeAll(adopting: format)
      block.mix.reserveCapacity(frames: frames)
      guard !block.isResting else {
        context.handle.device.adoptClock(of: device)
        block.mix.append(frames: frames) { room in for _ in 0..<room.freeCapacity { room.append(0) } }
        return
      }
      context.handle.render(frameCount: first, format: format, appendingTo: &block.mix)
      context.handle.render(frameCount: frames - first, format: format, appendingTo: &block.mix)
      block.isSilent = block.mix.samples.allSatisfy { abs($0) < Self.silence }
    }
  }

  func framesUntilCut(atMost limit: Int) -> Int {
    isResting ? limit : context.handle.framesUntilCut(atMost: limit)
  }

  func reset(_ settings: OutputSettings, leastSendLimit: Int, named name: String) throws(AudioError) {
    try context.handle.device.reset(settings, leastSendLimit: leastSendLimit, named: name)
  }
}

extension AudioDevice {
  /// Adds a stem to a rendered mix, with the settings of one of its contexts.
  ///
  /// It lasts until it is removed. It takes 3 MB, or 8 MB before OpenAL Soft 1.20. While nothing plays in it, it takes
  /// a twentieth of the time of 64 voices.
  ///
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` or `contextUnavailable` if the library refuses.
  package func makeStem(like context: AudioContext) throws(AudioError) -> MixStem {
    guard let format = renderedFormat else { preconditionFailure("The library mixes the device \(name) itself.") }
    let device = try DeviceHandle(beside: handle)
    let handle = try ContextHandle(offlineOn: device, format: format, settings: context.settings)
    device.adoptClock(of: self.handle)
    let stem = MixStem(AudioContext(handle: handle, on: self, settings: context.settings), format: format)
    stem.context.onDiagnostic = { [context = Weak(context)] in context.object?.report($0) }
    stem.context.follow(context)
    mixStems.withLock { $0.append(stem) }
    return stem
  }

  /// Removes a stem; a piece that is rendered meanwhile may still have it.
  package func removeStem(_ stem: MixStem) {
    let former = mixStems.withLock { stems in
      let former = stems
      stems = former.filter { $0 !== stem }
      return former
    }
    withExtendedLifetime(former) {}
  }
}

extension AudioContext {
  /// Whether the context is the context of a stem.
  var isStem: Bool { handle.device !== device.handle }

  /// Whether the sources of both contexts can play the same buffers.
  func sharesBuffers(with other: AudioContext) -> Bool { handle.device === other.handle.device }

  /// Takes over the listener and the physics of another context.
  package func follow(_ other: AudioContext) {
    let (listener, model, doppler, speed) = other.state.withLock {
      ($0.scene.listener, $0.scene.distanceModel, $0.scene.dopplerFactor, $0.scene.speedOfSound)
    }
    if listener != self.listener { setListener(listener) }
    if model != distanceModel { distanceModel = model }
    if doppler != dopplerFactor { dopplerFactor = doppler }
    if speed != speedOfSound { speedOfSound = speed }
  }
}
