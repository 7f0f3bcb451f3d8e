/// A sound in memory, ready to be played by any number of sources.
///
/// Sources that play a buffer share it and keep it alive. Contexts on one device share buffers as well.
///
/// Only a mono sound is placed in space. A stereo or surround sound is heard as it is. A B-Format sound is all around the
/// listener, wherever its source is: turning the head turns it the other way, unless the source is
/// ``SoundSource/isListenerRelative``. Without HRTF, OpenAL Soft 1.19 drops what a channel takes away from a speaker: such a
/// sound is louder on the proper side, and up to 6 dB off.
///
/// The OpenAL counterpart is a buffer, filled with `alBufferData`.
public final class SoundBuffer: Sendable {
  /// The rate and the channels of the sound.
  public let format: PCMFormat

  /// How many frames the sound has.
  public let frameCount: Int

  /// The frames that repeat while a source is ``SoundSource/isLooping``; all of them, unless said otherwise.
  ///
  /// What is before them is heard once, as an introduction. What is after them is heard once the source no longer loops.
  ///
  /// The OpenAL counterpart is `AL_LOOP_POINTS_SOFT`.
  public let loopRange: Range<Int>

  /// How long the sound lasts when played at its own pitch, without repeats.
  public var duration: Duration { format.duration(ofFrames: frameCount) }

  let context: AudioContext
  let id: UInt32
  /// What tells 16-bit sounds, which do not go into one queue with others, from others.
  let bytesPerSample: Int

  /// A buffer that holds a copy of samples.
  ///
  /// 16-bit samples stay 16-bit. Without a loop range, of at least one frame, the whole sound loops.
  ///
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for a layout of discrete channels and for a rate below 1,000
  ///   or above 768,000 Hz, `invalidSamples` for a sample that is not finite, `invalidLoopRange` for one that is not within the sound,
  ///   `bufferTooLarge` above 2 GiB, `outOfMemory` where the library cannot store it.
  public init<Sample: PCMSample>(
    _ pcm: PCMBuffer<Sample>,
    loopRange: Range<Int>? = nil,
    in context: AudioContext
  ) throws(AudioError) {
    let sound = try SoundDescription<Sample>(format: pcm.format, frameCount: pcm.frameCount, loopRange: loopRange)
    if let samples = pcm.samples as? [Float], let index = samples.firstIndex(where: { !$0.isFinite }) {
      throw .invalidSample(index, samples[index])
    }
    id = try context.handle.createBuffer(sound, copying: pcm.samples)
    self.context = context
    bytesPerSample = MemoryLayout<Sample>.size
    format = sound.format
    frameCount = sound.frameCount
    self.loopRange = sound.loopRange
  }

  deinit {
    context.handle.destroyBuffer(id)
  }
}
