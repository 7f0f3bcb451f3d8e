internal import CSpatial3DSndFile

/// A sound file that libsndfile writes: the only owner of its `SNDFILE`.
///
/// Sendable because libsndfile binds a handle to no thread, and because every use of the handle is `mutating`, with the
/// only owner's exclusive access.
@safe struct Encoder: ~Copyable, @unchecked Sendable {
  private let container: OutputContainer
  private let setup: EncoderSetup
  private let channelCount: Int
  private let sampleRate: Int
  private let channelOrder: ChannelOrder?

  private let pointer: OpaquePointer
  // libsndfile calls the file until sf_close has returned, so the encoder owns it.
  private let file: TemporaryFile
  private var isClosed = false
  private var isEmpty = true

  // One block of samples in libsndfile's type, kept for its memory.
  private var shorts: [Int16] = []
  private var integers: [Int32] = []
  private var floats: [Float] = []

  init(
    _ container: OutputContainer,
    _ format: PCMFormat,
    _ setup: EncoderSetup,
    _ setting: EncodingQuality.Setting?,
    _ description: SF_INFO,
    into file: TemporaryFile
  ) throws(OpeningRefusal) {
    var description = description
    let opened = unsafe try openSound(SFM_WRITE, &description, file)
    if let setting, unsafe !Encoder.apply(setting, to: opened) {
      unsafe sf_close(opened)
      throw OpeningRefusal(number: 0, text: "The encoder does not take the quality.")
    }
    unsafe pointer = opened
    self.file = file
    self.container = container
    self.setup = setup
    channelCount = format.channelCount
    sampleRate = format.sampleRate
    channelOrder = ChannelOrder.wave(from: setup.codec, channelCount: format.channelCount)?.inverse
    if container == .wav, channelCount > 2, var map = OutputContainer.channelMap(of: format.layout) {
      let byteCount = Int32(map.count * MemoryLayout<Int32>.stride)
      _ = unsafe sf_command(pointer, Int32(SFC_SET_CHANNEL_MAP_INFO), &map, byteCount)
    }
  }

  /// Sets the quality of an encoder; returns whether the encoder takes it.
  private static func apply(_ setting: EncodingQuality.Setting, to pointer: OpaquePointer) -> Bool {
    if setting.isConstant {
      var mode = Int32(SF_BITRATE_MODE_CONSTANT)
      // The command reports a failure while the level is unknown, and has set the mode all the same.
      _ = unsafe sf_command(pointer, Int32(SFC_SET_BITRATE_MODE), &mode, Int32(MemoryLayout<Int32>.size))
    }
    var level = setting.level
    let size = Int32(MemoryLayout<Double>.size)
    return unsafe sf_command(pointer, Int32(SFC_SET_COMPRESSION_LEVEL), &level, size) == SF_TRUE
  }

  deinit {
    if !isClosed { unsafe sf_close(pointer) }
  }

  /// Encodes a block of whole frames.
  @specialized(where Sample == Float)
  @specialized(where Sample == Int16)
  mutating func write<Sample: PCMSample>(_ samples: Span<Sample>) throws(WritingFailure) {
    let frameCount = sf_count_t(samples.count / channelCount)
    guard frameCount > 0 else { return }
    isEmpty = false
    let taken: sf_count_t
    switch setup.samples {
    case .integer(bits: 16):
      shorts.removeAll(keepingCapacity: true)
      shorts.append(addingCapacity: samples.count) { output in
        SampleConversion.append(samples, to: &output)
        var copy = output.mutableSpan
        channelOrder?.apply(to: &copy)
      }
      taken = unsafe sf_writef_short(pointer, shorts, frameCount)
    case .integer(let bits):
      integers.removeAll(keepingCapacity: true)
      integers.append(addingCapacity: samples.count) { SampleConversion.append(samples, bits: bits, to: &$0) }
      taken = unsafe sf_writef_int(pointer, integers, frameCount)
    case .float:
      floats.removeAll(keepingCapacity: true)
      floats.append(addingCapacity: samples.count) { output in
        SampleConversion.append(samples, to: &output)
        var copy = output.mutableSpan
        SampleConversion.silenceNonFinite(&copy)
        channelOrder?.apply(to: &copy)
      }
      taken = unsafe sf_writef_float(pointer, floats, frameCount)
    }
    // The encoder may accept samples into its block although the system refused to write.
    if let error = file.failure { throw .system(error) }
    guard taken == frameCount else { throw unsafe .encoder(String(cString: sf_strerror(pointer))) }
  }

  /// The number of silent frames behind the sound, so that the encoder of Opus is past the sound at the end.
  ///
  /// At most lengths its output for the last milliseconds is distorted.
  private static let opusTail = 1_920

  /// Writes the remaining samples and the metadata, and gives the file its name.
  consuming func close(_ metadata: Annotations) throws(WritingFailure) {
    if setup.codec == .opus {
      let silence = [Float](repeating: 0, count: Encoder.opusTail * channelCount)
      try write(silence.span)
    }
    let hasNoSound = isEmpty
    // The FLAC encoder writes its header with the first frames; an empty file needs an explicit command.
    if hasNoSound, container == .flac { _ = unsafe sf_command(pointer, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
    // An MP3 has no header but its packets: an empty file holds a packet of silence that its tag trims away.
    if hasNoSound, container == .mp3 {
      let silence = [Float](repeating: 0, count: channelCount)
      try write(silence.span)
    }
    isClosed = true
    let status = unsafe sf_close(pointer)
    if let error = file.failure { throw .system(error) }
    guard status == 0 else { throw unsafe .encoder(String(cString: sf_error_number(status))) }
    if setup.codec == .opus { file.dropEnd(granuleCount: Encoder.opusTail * 48_000 / sampleRate) }
    if hasNoSound, container == .mp3 { file.markAsPadding() }
    if let error = file.failure { throw .system(error) }
    if metadata != Annotations() { try file.add(metadata, in: container, sampleRate: sampleRate) }
    try file.keep()
  }
}
