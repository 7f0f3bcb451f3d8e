#if AAC
  internal import CSpatial3DAAC

  /// AAC that libavcodec decodes, packet by packet and all of them.
  ///
  /// The only owner of its decoder, which is destroyed with it and never handed out. Sendable because libavcodec binds a
  /// decoder to no thread, and because what touches it is `mutating`: it takes the only owner's exclusive access.
  @safe struct AACDecoder: ~Copyable, @unchecked Sendable {
    /// Whether a packet was damaged in the last read.
    private(set) var hasDecodingError = false

    /// The error that made the system deliver too little, if it had one.
    private(set) var systemError: SystemError?

    private let pointer: OpaquePointer
    private let stream: AACStream
    private let source: ByteSource
    private var packet: Int
    private var bytes: [UInt8] = []
    private var samples: [Float] = []
    private var takenCount = 0

    /// A decoder from a packet on.
    init(_ stream: AACStream, _ source: ByteSource, fromPacket packet: Int, path: String) throws(AudioFileError) {
      // HE-AAC, object types 5 and 29, has twice the frames that its container says.
      if let first = stream.configuration.first, [5, 29].contains(first >> 3) { throw .unreadableAAC(path) }
      let rate = Int32(clamping: stream.format.sampleRate)
      // The configuration is copied.
      let created = unsafe aac_decoder_create(
        stream.configuration,
        stream.configuration.count,
        rate,
        Int32(stream.format.channelCount)
      )
      guard let created = unsafe created else { throw .unreadableAAC(path) }
      unsafe pointer = created
      self.stream = stream
      self.source = source
      self.packet = packet
    }

    deinit {
      unsafe aac_decoder_destroy(pointer)
    }

    /// Decodes frames into uninitialised memory and returns how many came.
    mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
      let channelCount = stream.format.channelCount
      let wanted = min(frameCount, output.freeCapacity / channelCount) * channelCount
      var count = 0
      while count < wanted {
        if takenCount == samples.count {
          guard packet < stream.packets.count, decode() else { break }
        }
        let step = min(wanted - count, samples.count - takenCount)
        for index in takenCount..<takenCount + step { output.append(samples[index]) }
        takenCount += step
        count += step
      }
      return count / channelCount
    }

    /// Decodes the next packet, silence where it is damaged; returns whether the system delivered it.
    private mutating func decode() -> Bool {
      let range = stream.packets[packet]
      do {
        bytes = try source.bytes(at: range.lowerBound, count: range.count)
      } catch {
        systemError = error
        return false
      }
      guard bytes.count == range.count else {
        hasDecodingError = true
        return false
      }
      packet += 1
      bytes.append(contentsOf: repeatElement(0, count: Int(AAC_DECODER_PADDING)))
      let found = unsafe Int(aac_decoder_decode(pointer, bytes, range.count))
      // Every packet has its place in time, also one that says something else.
      hasDecodingError = found != stream.framesPerPacket
      samples = [Float](repeating: 0, count: stream.framesPerPacket * stream.format.channelCount)
      takenCount = 0
      if found == stream.framesPerPacket {
        // There is room for as many frames as the decoder has.
        unsafe aac_decoder_copy(pointer, &samples, Int32(stream.format.channelCount))
      }
      return true
    }
  }

  extension AudioFileError {
    fileprivate static func unreadableAAC(_ path: String) -> AudioFileError {
      AudioFileError(
        .unsupportedEncoding,
        path: path,
        message: "\(path) holds AAC of a kind that is not decoded. Convert it to Ogg Vorbis or FLAC."
      )
    }
  }
#endif
