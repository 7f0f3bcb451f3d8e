/// A sound in memory, ready to be played by any number of sources.
///
/// Sources that play a buffer share it and keep it alive. Contexts on one device share buffers as well.
///
/// Only a mono sound is placed in space. A stereo or surround sound plays unplaced. A B-Format sound is all around the
/// listener, wherever its source is: turning the head turns it in the opposite direction, unless the source is
/// ``SoundSource/isListenerRelative``. Without HRTF, OpenAL Soft 1.19 drops the negative share of a channel in a
/// speaker: a B-Format sound is then louder on the proper side, and up to 6 dB off.
///
/// The OpenAL counterpart is a buffer, filled with `alBufferData`.
public final class SoundBuffer: Sendable {
  /// The name of the sound in messages, such as the path of its file; `nil` where it has no name.
  public let name: String?

  /// The rate and the channels of the sound.
  public let format: PCMFormat

  /// How many frames the sound has.
  public let frameCount: Int

  /// The frames that repeat while a source is ``SoundSource/isLooping``; all of them by default.
  ///
  /// Frames before them play once, as an introduction. Frames after them play once the source no longer loops.
  ///
  /// The OpenAL counterpart is `AL_LOOP_POINTS_SOFT`.
  public let loopRange: Range<Int>

  /// The duration of the sound at its own pitch, without repeats.
  public var duration: Duration { format.duration(ofFrames: frameCount) }

  /// The size of the samples in bytes: two for each 16-bit sample, four for each `Float`.
  public let byteCount: Int

  /// Whether the library plays the buffer's own memory, or a copy of it.
  ///
  /// In both cases there is one copy once the buffer is created.
  public var storage: Storage { borrowedAddress == 0 ? .copied : .borrowed }

  /// The owner of the samples; new values may be added.
  public struct Storage: Hashable, Sendable, CustomStringConvertible {
    /// The value's name, such as `copied`.
    public let description: String

    /// The library owns the samples, which it has copied.
    public static let copied = Storage(description: "copied")

    /// The buffer owns the samples, and the library plays them without a copy.
    public static let borrowed = Storage(description: "borrowed")
  }

  /// The size of a sample: 16-bit sounds do not go into one queue with others.
  let bytesPerSample: Int
  let handle: BufferHandle
  let context: AudioContext
  var id: UInt32 { handle.id }
  /// The address of borrowed samples; 0 where the library has a copy.
  var borrowedAddress: UInt { handle.borrowed }
  /// The diagnostic's data for a sound of several channels.
  let multichannelWarning: MultichannelWarning?

  /// A buffer that holds a copy of samples.
  ///
  /// 16-bit samples stay 16-bit. Without a loop range, which has at least one frame, the whole sound loops. Messages
  /// refer to the sound by its name.
  ///
  /// - Throws: ``AudioError`` with the code `formatUnsupported` for a layout of discrete channels and for a rate below
  ///   1,000 or above 768,000 Hz, `invalidSamples` for a sample that is not finite or beyond ±1,000,000 (full scale is
  ///   ±1), `invalidLoopRange` for a range outside the sound, `bufferTooLarge` above 2 GiB, `outOfMemory` where the
  ///   library cannot store it.
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
    self.init(sound, named: name, try BufferHandle(sound, copying: pcm.samples, in: context.handle), in: context)
  }

  /// A buffer that a closure fills, in the memory that the library plays where it can.
  ///
  /// The closure gets room for `frameCount` whole frames and appends interleaved samples to it. The sound ends with the
  /// last whole frame that the closure wrote. A library without `AL_EXT_STATIC_BUFFER` takes a copy of the samples: see
  /// ``storage``.
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

  /// A buffer of all remaining frames of a reader, such as a newly opened `AudioFile`.
  ///
  /// The initializer reads from the reader's position, on the calling thread: call it off the thread that draws. It
  /// takes the memory of one copy of the samples and at most a megabyte or two more; on a library with neither
  /// `AL_EXT_STATIC_BUFFER` nor `AL_SOFTX_map_buffer`, of two copies. An asset of 16 bits, such as a 16-bit WAV or FLAC
  /// file, stays 16-bit; any other becomes `Float`, unless a type is given. Without a loop range the buffer takes the
  /// reader's own, if that lies within the read frames.
  ///
  /// - Throws: ``AudioError`` with the code `readFailed` and the reader's message if the reader throws;
  ///   `invalidSamples` for a value that is not finite or beyond ±1,000,000, such as one from a damaged file of
  ///   `Float`; else like ``init(_:named:loopRange:in:)``.
  public convenience init<Reader: PCMReader & ~Copyable>(
    reading reader: consuming Reader,
    as sampleType: (any PCMSample.Type)? = nil,
    loopRange: Range<Int>? = nil,
    in context: AudioContext
  ) throws(AudioError) {
    // An unplayable format is refused before anything is read.
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
    self.init(sound, named: name, try BufferHandle(sound, owning: memory, in: context.handle), in: context)
  }

  /// A copy of the sound of another context, such as the context of a stem.
  ///
  /// Throws where the library cannot read its buffers.
  package convenience init(copying sound: SoundBuffer, in context: AudioContext) throws(AudioError) {
    try self.init(after: 0, of: sound, in: context)
  }

  /// The sound of another after frames of silence, which do not loop.
  init(after silence: Int, of sound: SoundBuffer, in context: AudioContext) throws(AudioError) {
    let frameCount = silence + sound.frameCount
    let loopRange = silence + sound.loopRange.lowerBound..<silence + sound.loopRange.upperBound
    func handle<Sample: PCMSample>(_ sample: Sample.Type) throws(AudioError) -> BufferHandle {
      let description = try SoundDescription<Sample>(format: sound.format, frameCount: frameCount, loopRange: loopRange)
      return try BufferHandle(description, after: silence, of: sound.handle, in: context.handle)
    }
    self.handle = sound.bytesPerSample == MemoryLayout<Int16>.size ? try handle(Int16.self) : try handle(Float.self)
    (self.frameCount, self.loopRange) = (frameCount, loopRange)
    self.context = context
    name = sound.name
    multichannelWarning = sound.multichannelWarning
    format = sound.format
    bytesPerSample = sound.bytesPerSample
    byteCount = frameCount * format.channelCount * bytesPerSample
  }

  private init<Sample>(
    _ sound: SoundDescription<Sample>,
    named name: String?,
    _ handle: BufferHandle,
    in context: AudioContext
  ) {
    self.context = context
    self.name = name
    multichannelWarning = MultichannelWarning(name: name, format: sound.format, frameCount: sound.frameCount)
    format = sound.format
    frameCount = sound.frameCount
    loopRange = sound.loopRange
    byteCount = sound.byteCount
    bytesPerSample = MemoryLayout<Sample>.size
    self.handle = handle
  }
}

extension SoundBuffer: HeldBuffer {
  var sound: QueuedSound { QueuedSound([self], isQueue: false) }
}

extension QueuedSound {
  /// The lengths of the buffers of a source.
  init(_ buffers: [SoundBuffer], isQueue: Bool) {
    self.isQueue = isQueue
    guard let first = buffers.first else { return }
    sampleRate = first.format.sampleRate
    isMono = first.format.layout == .mono
    lengths = buffers.map(\.frameCount)
    // A queue repeats as a whole; the loop ranges of its buffers have no effect.
    loopRange = isQueue ? 0..<frameCount : first.loopRange
  }

  /// The lengths of a source's buffers, or the format of its stream.
  init(of source: SoundSource) {
    self.init(source.buffers, isQueue: source.hasQueue)
    guard let format = source.stream?.format else { return }
    (sampleRate, isMono) = (format.sampleRate, format.layout == .mono)
  }
}
