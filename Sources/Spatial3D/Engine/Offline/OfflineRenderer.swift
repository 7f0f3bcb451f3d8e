internal import AudioSupport

/// A context that renders into memory, without a sound card: at the full speed of the machine, with the same result
/// each time.
///
/// Build the scene in ``context`` and render the mix in pieces. A change between two pieces is audible in the second
/// one from its first frame on; a gain reaches its new value over up to 1,024 frames. Samples are not limited: a loud
/// scene goes beyond ±1. The user's OpenAL Soft configuration files apply, like on an output.
///
/// ```swift
/// var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
/// let source = try SoundSource(
///   playing: SoundBuffer(pcm, in: offline.context),
///   in: offline.context
/// )
/// source.play()
/// let mix = offline.render(.seconds(2))
/// ```
///
/// The OpenAL counterpart is `ALC_SOFT_loopback`.
public struct OfflineRenderer: ~Copyable, Sendable {
  /// The first context that is rendered, with all others that were created on its ``AudioContext/device``.
  public let context: AudioContext

  /// The rate and the channels of the mix.
  public let format: PCMFormat

  /// A renderer of an empty scene.
  ///
  /// - Parameters:
  ///   - format: Mono, stereo, quad, surround or Ambisonics, at 8,000 to 192,000 Hz; before OpenAL Soft 1.25.2
  ///     from 11,025.
  ///   - settings: Further settings; `format` replaces their rate and layout. An automatic HRTF is off, and the mix
  ///     does not depend on the machine.
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for any other format, `hrtfUnavailable` for an HRTF by
  ///   an unknown name, `notInLibrary` if the OpenAL library is not OpenAL Soft.
  public init(format: PCMFormat, settings: OutputSettings = OutputSettings()) throws(AudioError) {
    try self.init(format: format, settings: settings, disabling: [])
  }

  init(
    format: PCMFormat,
    settings: OutputSettings = OutputSettings(),
    disabling features: DisabledFeatures
  ) throws(AudioError) {
    let device = AudioDevice(handle: try DeviceHandle(offlineDisabling: features), mixing: .onRequest(format))
    let handle = try ContextHandle(offlineOn: device.handle, format: format, settings: settings)
    device.negotiatedSends.withLock { $0 = handle.sendLimit }
    context = AudioContext(handle: handle, on: device, settings: settings)
    self.format = format
  }

  deinit {
    // No later mix ends them.
    for context in context.device.livingContexts { context.dropOneShots() }
  }

  /// Renders the next piece of the mix, rounded to whole frames; empty for a duration below half a frame.
  ///
  /// Ignore the result to let time pass. For 16-bit samples, clipped at full scale and without dither, use
  /// `PCMBuffer<Int16>(converting: offline.render(.seconds(1)))`.
  ///
  /// Traps if the piece does not fit in memory.
  @discardableResult
  public mutating func render(_ duration: Duration) -> PCMBuffer<Float> {
    render(frameCount: format.frameCount(in: duration))
  }

  /// Renders the next frames of the mix; none for a count of 0 or below.
  ///
  /// Traps if the frames do not fit in memory.
  @discardableResult
  public mutating func render(frameCount: Int) -> PCMBuffer<Float> {
    var mix = PCMBuffer<Float>(format: format)
    render(into: &mix, frameCount: frameCount)
    return mix
  }

  /// Replaces the content of a buffer by the next frames of the mix.
  ///
  /// The buffer keeps its memory: a loop over pieces allocates once. Traps if the frames do not fit in memory.
  public mutating func render(into mix: inout PCMBuffer<Float>, frameCount: Int) {
    mix.removeAll(adopting: format)
    mix.reserveCapacity(frames: frameCount)
    var left = max(frameCount, 0)
    if left > 0 { context.device.reportReleases() }
    while left > 0 { left -= context.device.renderPiece(by: context.handle, atMost: left, appendingTo: &mix) }
  }
}
