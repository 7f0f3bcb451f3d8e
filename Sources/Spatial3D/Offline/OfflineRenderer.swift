/// A scene that is not heard but rendered, without a sound card: as fast as the machine can, the same each time.
///
/// Build the scene in ``context`` as in any other, and take the mix a piece at a time. What is set between two pieces is
/// heard in the second: from its first frame on, a gain gliding to its new value over up to 1,024 frames. Samples are not
/// limited: a loud scene goes beyond ±1. A user's OpenAL Soft configuration files apply, as they do to what is heard.
///
/// ```swift
/// var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
/// let source = try SoundSource(playing: SoundBuffer(pcm, in: offline.context), in: offline.context)
/// source.play()
/// let mix = offline.render(.seconds(2))
/// ```
///
/// The OpenAL counterpart is `ALC_SOFT_loopback`.
public struct OfflineRenderer: ~Copyable, Sendable {
  /// The scene that is rendered.
  public let context: AudioContext

  /// The rate and the channels of the mix.
  public let format: PCMFormat

  /// A renderer of an empty scene.
  ///
  /// - Parameters:
  ///   - format: Mono, stereo, quad, surround or Ambisonics, at 8,000 to 192,000 Hz; before OpenAL Soft 1.25.2
  ///     from 11,025.
  ///   - settings: What else is asked; the format stands in place of their rate and layout. An automatic HRTF is off, so
  ///     that a mix does not depend on the machine.
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for any other format, `hrtfUnavailable` for an HRTF by an
  ///   unknown name, `notInLibrary` where the OpenAL library is not OpenAL Soft.
  public init(format: PCMFormat, settings: OutputSettings = OutputSettings()) throws(AudioError) {
    try self.init(format: format, settings: settings, forcing: MissingParts())
  }

  init(
    format: PCMFormat,
    settings: OutputSettings = OutputSettings(),
    forcing missing: MissingParts
  ) throws(AudioError) {
    let device = AudioDevice(handle: try DeviceHandle(offlineForcing: missing), isOffline: true)
    let handle = try ContextHandle(offlineOn: device, format: format, settings: settings)
    context = AudioContext(handle: handle, settings: settings)
    self.format = format
  }

  deinit {
    // Nothing brings them to their end any more.
    context.dropOneShots()
  }

  /// The next piece of the mix, rounded to whole frames; empty for a duration below half a frame.
  ///
  /// What it returns may be left alone, to let time pass.
  ///
  /// Traps, as an array does, where the piece does not fit memory.
  @discardableResult
  public mutating func render(_ duration: Duration) -> PCMBuffer<Float> {
    render(frameCount: format.frameCount(in: duration))
  }

  /// The next frames of the mix; none for a count of 0 or below.
  ///
  /// Traps, as an array does, where the frames do not fit memory.
  @discardableResult
  public mutating func render(frameCount: Int) -> PCMBuffer<Float> {
    var mix = PCMBuffer<Float>(format: format)
    render(into: &mix, frameCount: frameCount)
    return mix
  }

  /// Puts the next frames of the mix into a buffer, in place of what it held.
  ///
  /// The buffer keeps its memory, so that a loop over pieces allocates once. Traps, as an array does, where the frames do
  /// not fit memory.
  public mutating func render(into mix: inout PCMBuffer<Float>, frameCount: Int) {
    context.render(frameCount: frameCount, format: format, into: &mix)
  }
}
