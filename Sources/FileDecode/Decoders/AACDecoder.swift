#if LibAVCodec
  internal import CSpatial3DLibAVCodec

  /// AAC that libavcodec decodes, packet by packet and without trimming.
  ///
  /// The only owner of its decoder: it destroys the decoder at its own end and never hands it out. Sendable because
  /// libavcodec binds a decoder to no thread, and because every use of the decoder is `mutating`, with the only owner's
  /// exclusive access.
  @safe struct AACDecoder: FrameSource, ~Copyable, @unchecked Sendable {
    /// Whether the file became shorter while it was read.
    private(set) var hasDecodingError = false

    /// Whether packets were damaged; they become silence.
    private(set) var hasDamagedPackets = false

    /// The error of the system that made a read short, if there was one.
    private(set) var systemError: SystemError?

    var report: SoundHandle.Header? { nil }

    private let pointer: OpaquePointer
    private let stream: AACStream
    private let source: ByteSource
    private var packet: Int
    private var bytes: [UInt8] = []
    private var samples: [Float] = []
    private var takenCount = 0
    /// The number of frames in the last packet.
    private var foundCount = 0

    /// A decoder from a packet on, or from the packet that holds its bytes.
    init(_ stream: AACStream, _ source: ByteSource, fromPacket packet: Int, path: String) throws(AudioFileError) {
      // HE-AAC, object types 5 and 29.
      if let first = stream.configuration.first, [5, 29].contains(first >> 3) { throw .unreadableAAC(path) }
      let rate = Int32(clamping: stream.format.sampleRate)
      // The decoder copies the configuration.
      let created = unsafe s3d_packet_decoder_create(
        S3D_CODEC_AAC,
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

    /// Whether the next packet turns out to be HE-AAC, which a configuration need not declare.
    ///
    /// If the system does not deliver the packet now, a later read requests it again.
    mutating func turnsOutHighEfficiency() -> Bool {
      decode() && foundCount == 2 * stream.framesPerPacket
    }

    deinit {
      unsafe s3d_packet_decoder_destroy(pointer)
    }

    /// Decodes frames into uninitialised memory and returns their number.
    mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
      let channelCount = stream.format.channelCount
      let wanted = min(frameCount, output.freeCapacity / channelCount) * channelCount
      var count = 0
      while count < wanted {
        if takenCount == samples.count {
          guard decode() else { break }
        }
        let step = min(wanted - count, samples.count - takenCount)
        for index in takenCount..<takenCount + step { output.append(samples[index]) }
        takenCount += step
        count += step
      }
      return count / channelCount
    }

    /// Decodes the next packet, as silence if it is damaged; returns whether the system delivered it.
    private mutating func decode() -> Bool {
      guard packet < stream.packets.count else { return false }
      let range = stream.packets[packet]
      systemError = nil
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
      bytes.append(contentsOf: repeatElement(0, count: Int(S3D_PACKET_PADDING)))
      foundCount = unsafe Int(s3d_packet_decoder_decode(pointer, bytes, range.count))
      // Every packet lasts equally long; a packet of another length counts as damaged.
      if foundCount != stream.framesPerPacket { hasDamagedPackets = true }
      samples = [Float](repeating: 0, count: stream.framesPerPacket * stream.format.channelCount)
      takenCount = 0
      if foundCount == stream.framesPerPacket {
        // The array has room for all frames of the decoder.
        unsafe s3d_packet_decoder_copy(
          pointer,
          0,
          Int32(foundCount),
          &samples,
          Int32(stream.format.channelCount),
          nil
        )
      }
      return true
    }
  }

  extension AudioFileError {
    static func unreadableAAC(_ path: String) -> AudioFileError {
      AudioFileError(
        .unsupportedEncoding,
        path: path,
        message: "\(path) holds AAC of a kind that is not decoded. Convert it to Ogg Vorbis or FLAC."
      )
    }
  }
#endif
