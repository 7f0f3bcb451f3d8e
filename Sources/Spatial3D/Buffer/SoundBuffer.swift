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
  /// What the sound is called in messages, such as the path of its file; `nil` where it has no name.
  public let name: String?

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

  /// How many bytes the samples take: two for each of 16 bits, four for each `Float`.
  public let byteCount: Int

  /// Whether the library plays the memory that the buffer was made in, or a copy of its own.
  ///
  /// Either way there is one copy once the buffer is made.
  public var storage: Storage { borrowedAddress == 0 ? .copied : .borrowed }

  /// Who owns the samples that are played; new ways may be added.
  public struct Storage: Hashable, Sendable, CustomStringConvertible {
    /// The way's name, such as `copied`.
    public let description: String

    /// The library, which copied them.
    public static let copied = Storage(description: "copied")

    /// The buffer, which keeps them for the library to play in place.
    public static let borrowed = Storage(description: "borrowed")
  }

  /// What tells 16-bit sounds, which do not go into one queue with others, from others.
  let bytesPerSample: Int
  private let handle: BufferHandle
  var context: AudioContext { handle.context }
  var id: UInt32 { handle.id }
  /// 0 where the library has a copy.
  var borrowedAddress: UInt { handle.borrowed }
  /// Of a sound of several channels.
  let flatSound: FlatSound?

  /// A buffer that holds a copy of samples.
  ///
  /// 16-bit samples stay 16-bit. Without a loop range, of at least one frame, the whole sound loops. Messages call the sound
  /// by its name.
  ///
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for a layout of discrete channels and for a rate below 1,000
  ///   or above 768,000 Hz, `invalidSamples` for a sample that is not finite or beyond ±1,000,000 (full scale is ±1),
  ///   `invalidLoopRange` for one that is not within the sound, `bufferTooLarge` above 2 GiB, `outOfMemory` where the library
  ///   cannot store it.
  ///
  /// The OpenAL counterpart is `alBufferData`.
  public convenience init<Sample: PCMSample>(
    _ pcm: PCMBuffer<Sample>,
    named name: String? = nil,
    loopRange: Range<Int>? = nil,
    in context: AudioContext
  ) throws(AudioError) {
    let sound = try SoundDescription<Sample>(format: pcm.format, frameCount: pcm.frameCount, loopRange: loopRange)
    if let (index, value) = SampleCheck.firstUnusable(in: pcm.samples) {
      throw .invalidSample(index, value, of: name, pcm.format)
    }
    self.init(sound, named: name, try BufferHandle(sound, copying: pcm.samples, in: context))
  }

  /// A buffer that a closure fills, in the memory that the library plays where it can.
  ///
  /// The closure gets room for `frameCount` whole frames and appends interleaved samples to it. The sound ends with the last
  /// whole frame that it wrote. A library without `AL_EXT_STATIC_BUFFER` takes a copy of them: see ``storage``.
  ///
  /// - Throws: ``AudioError`` as ``init(_:named:loopRange:in:)`` does.
  ///
  /// The OpenAL counterpart is `alBufferDataStatic`.
  public convenience init<Sample: PCMSample>(
    format: PCMFormat,
    frameCount: Int,
    as sampleType: Sample.Type,
    named name: String? = nil,
    loopRange: Range<Int>? = nil,
    in context: AudioContext,
    writing body: (inout OutputSpan<Sample>) -> Void
  ) throws(AudioError) {
    let room = try SoundDescription<Sample>(format: format, frameCount: max(frameCount, 0), loopRange: nil)
    guard var memory = SampleMemory<Sample>(capacity: room.frameCount * format.channelCount) else {
      throw .noMemory(room.frameCount, format)
    }
    memory.append(writing: body)
    try memory.checkSamples(of: name, format)
    try self.init(memory, format: format, named: name, loopRange: loopRange, in: context)
  }

  /// A buffer of all that a reader has left, such as an `AudioFile` that was just opened.
  ///
  /// Reads from where the reader stands. Takes the memory of one copy of the samples and at most a megabyte or two more; on
  /// a library with neither `AL_EXT_STATIC_BUFFER` nor `AL_SOFTX_map_buffer`, of two. An asset of 16 bits, such as a 16-bit WAV
  /// or FLAC file, stays 16-bit; any other becomes `Float`, unless a type is given. Reads on the calling thread: do it off the
  /// one that draws. Without a loop range the reader's own is taken, where it lies within what was read.
  ///
  /// - Throws: ``AudioError`` with the code `readFailed` where the reader throws, and with its words; `invalidSamples` for a
  ///   sample that is not finite or beyond ±1,000,000, as in a damaged file of `Float`; else as
  ///   ``init(_:named:loopRange:in:)`` does.
  public convenience init<Reader: PCMReader & ~Copyable>(
    reading reader: consuming Reader,
    as sampleType: (any PCMSample.Type)? = nil,
    loopRange: Range<Int>? = nil,
    in context: AudioContext
  ) throws(AudioError) {
    // What cannot be played is not read.
    let (format, name) = (reader.format, reader.name)
    let ownLoopRange = loopRange == nil ? reader.loopRange : nil
    try BufferHandle.checkPlayable(format)
    if sampleType.map({ $0 == Int16.self }) ?? reader.isExactAsInt16 {
      let memory = try SampleMemory<Int16>.reading(&reader, of: format)
      let range = loopRange ?? memory.fitting(ownLoopRange, of: format)
      try self.init(memory, format: format, named: name, loopRange: range, in: context)
    } else {
      let memory = try SampleMemory<Float>.reading(&reader, of: format)
      let range = loopRange ?? memory.fitting(ownLoopRange, of: format)
      try self.init(memory, format: format, named: name, loopRange: range, in: context)
    }
  }

  private convenience init<Sample: PCMSample>(
    _ memory: consuming SampleMemory<Sample>,
    format: PCMFormat,
    named name: String?,
    loopRange: Range<Int>?,
    in context: AudioContext
  ) throws(AudioError) {
    let frameCount = memory.count / format.channelCount
    let sound = try SoundDescription<Sample>(format: format, frameCount: frameCount, loopRange: loopRange)
    self.init(sound, named: name, try BufferHandle(sound, owning: memory, in: context))
  }

  /// The sound of another after frames of silence, which do not loop.
  init(after silence: Int, of sound: SoundBuffer) throws(AudioError) {
    let handle = try BufferHandle(after: silence, of: sound)
    name = sound.name
    flatSound = sound.flatSound
    format = sound.format
    frameCount = silence + sound.frameCount
    loopRange = silence + sound.loopRange.lowerBound..<silence + sound.loopRange.upperBound
    bytesPerSample = sound.bytesPerSample
    byteCount = frameCount * format.channelCount * bytesPerSample
    self.handle = handle
  }

  private init<Sample>(_ sound: SoundDescription<Sample>, named name: String?, _ handle: consuming BufferHandle) {
    self.name = name
    flatSound = FlatSound(name: name, format: sound.format, frameCount: sound.frameCount)
    format = sound.format
    frameCount = sound.frameCount
    loopRange = sound.loopRange
    byteCount = sound.byteCount
    bytesPerSample = MemoryLayout<Sample>.size
    self.handle = handle
  }
}
