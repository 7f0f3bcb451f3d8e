#if LibAVCodec
  internal import CSpatial3DLibAVCodec

  /// Vorbis of a regular Ogg stream, decoded by libavcodec in less than half of libsndfile's time.
  ///
  /// It stops in front of a page that is not regular, or of a packet that libavcodec refuses. From there on libsndfile
  /// has to decode.
  ///
  /// The only owner of its decoder: it destroys the decoder at its own end and never hands it out. Sendable because
  /// libavcodec binds a decoder to no thread, and because every use of the decoder is `mutating`, with the only owner's
  /// exclusive access.
  @safe struct VorbisDecoder: FrameSource, ~Copyable, @unchecked Sendable {
    /// The report of libsndfile.
    let header: SoundHandle.Header
    var report: SoundHandle.Header? { header }
    var hasDecodingError: Bool { false }
    private(set) var needsOtherDecoder = false
    var lastStart: OggSeekIndex.Start? { packets.lastStart }

    /// The error of the system that made a read short, if there was one.
    private(set) var systemError: SystemError?

    private let pointer: OpaquePointer
    private let view: SplicedBytes
    private var packets: OggPackets
    /// The packets of the current page, and the number of these that are decoded.
    private var page: [OggPackets.Packet] = []
    private var decodedCount = 0
    /// The frames of the last packet that are not delivered yet.
    private var frames = 0..<0
    private var bytes: [UInt8] = []
    /// The index of each channel in the order of WAVE, which libavcodec returns; the list has the codec's order.
    ///
    /// Frames have the codec's order, as libsndfile's have, so that a change of the decoder keeps the order.
    private let sources: [Int32]

    /// A decoder of the stream in a view; `nil` if libsndfile should decode it.
    init?(_ packets: OggPackets, _ view: SplicedBytes, _ header: SoundHandle.Header) {
      let channelCount = header.channelCount
      // The order of more channels is not defined.
      guard (1...8).contains(channelCount), let configuration = packets.headers.configuration else { return nil }
      let order = ChannelOrder.waveFromVorbis(channelCount: channelCount)?.inverse.sources ?? Array(0..<channelCount)
      // The decoder copies the configuration.
      let created = unsafe s3d_packet_decoder_create(
        S3D_CODEC_VORBIS,
        configuration,
        configuration.count,
        Int32(clamping: header.sampleRate),
        Int32(channelCount)
      )
      guard let created = unsafe created else { return nil }
      unsafe pointer = created
      self.header = header
      self.view = view
      self.packets = packets
      sources = order.map { Int32($0) }
    }

    deinit {
      unsafe s3d_packet_decoder_destroy(pointer)
    }

    /// Decodes frames into uninitialised memory and returns their number.
    mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
      let channelCount = header.channelCount
      let wanted = min(frameCount, output.freeCapacity / channelCount)
      var count = 0
      while count < wanted {
        if frames.isEmpty {
          guard decode() else { break }
          continue
        }
        let step = min(wanted - count, frames.count)
        unsafe output.withUnsafeMutableBufferPointer { memory, initialized in
          guard let start = memory.baseAddress else { return }
          // There is room for `step` frames behind the samples that are initialised, and the last packet has them.
          unsafe s3d_packet_decoder_copy(
            pointer,
            Int32(frames.lowerBound),
            Int32(step),
            start + initialized,
            Int32(channelCount),
            sources
          )
          initialized += step * channelCount
        }
        frames = frames.lowerBound + step..<frames.upperBound
        count += step
      }
      return count
    }

    /// Reads the next page; returns `false` at the end, and if the stream is irregular.
    mutating func readPage() throws(SystemError) -> Bool {
      guard let next = try packets.nextPage(reading: view.bytes) else {
        needsOtherDecoder = !packets.isAtEnd
        return false
      }
      (page, decodedCount) = (next, 0)
      return true
    }

    /// Decodes the next packet; returns `false` at the end, after a failure of the system, and if the stream is
    /// irregular.
    private mutating func decode() -> Bool {
      guard !needsOtherDecoder else { return false }
      systemError = nil
      while decodedCount == page.count {
        do throws(SystemError) {
          guard try readPage() else { return false }
        } catch {
          systemError = error
          return false
        }
      }
      let packet = page[decodedCount]
      bytes.removeAll(keepingCapacity: true)
      bytes += packet.bytes
      bytes.append(contentsOf: repeatElement(0, count: Int(S3D_PACKET_PADDING)))
      // The zeros behind the packet are the padding that the decoder requires.
      let count = unsafe Int(s3d_packet_decoder_decode(pointer, bytes, packet.bytes.count))
      // Newer versions return the frames of the first block of Vorbis, which is not complete.
      guard count == packet.decodedCount || packet.decodedCount == 0 && count > 0 else {
        needsOtherDecoder = true
        return false
      }
      decodedCount += 1
      frames = 0..<packet.frameCount
      return true
    }
  }
#endif
