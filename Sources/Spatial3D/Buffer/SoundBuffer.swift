/// A sound in memory, ready to be played by any number of sources.
///
/// Sources that play a buffer share it and keep it alive. Contexts on one device share buffers as well.
///
/// The OpenAL counterpart is a buffer, filled with `alBufferData`.
public final class SoundBuffer: Sendable {
  /// The rate and the channels of the sound.
  public let format: PCMFormat

  /// How many frames the sound has.
  public let frameCount: Int

  /// How long the sound lasts when played at its own pitch.
  public var duration: Duration { format.duration(ofFrames: frameCount) }

  let context: AudioContext
  let id: UInt32

  /// A buffer that holds a copy of samples.
  ///
  /// 16-bit samples stay 16-bit. Only a mono sound is placed in space; a stereo or surround sound is heard as it is.
  ///
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for a layout other than mono, stereo, quad and surround,
  ///   `invalidSamples` for a sample that is not finite, `bufferTooLarge` above 2 GiB, `outOfMemory` where the library
  ///   cannot store it.
  public init<Sample: PCMSample>(_ pcm: PCMBuffer<Sample>, in context: AudioContext) throws(AudioError) {
    id = try context.handle.createBuffer(pcm)
    self.context = context
    format = pcm.format
    frameCount = pcm.frameCount
  }

  deinit {
    context.handle.destroyBuffer(id)
  }
}
