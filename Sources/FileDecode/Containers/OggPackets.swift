/// The packets of a regular stream of Vorbis, page by page, for libavcodec.
///
/// In a regular stream all pages are as ``OggWalk`` expects, and the last page ends the file and has the mark of the
/// end. libavcodec and libsndfile then return the same frames.
struct OggPackets: Sendable {
  /// A packet with sound.
  struct Packet: Equatable, Sendable {
    let bytes: ArraySlice<UInt8>

    /// The number of frames that the packet decodes to.
    let decodedCount: Int

    /// The number of these frames that are not cut off at the end of the stream.
    var frameCount: Int
  }

  private(set) var isAtEnd = false

  /// The last packet that began on a page which was returned; another decoder can start there.
  private(set) var lastStart: OggSeekIndex.Start?

  private var walk: OggWalk
  /// The number of frames in the stream, by the report of another decoder.
  private let frameCount: Int
  private var window = ReadingWindow()

  /// The packets behind the headers of a stream with a number of frames, or from a start on.
  ///
  /// It is `nil` for a stream other than Vorbis, and for a stream with a largest bit rate. An encoder may cut packets
  /// to stay below the bit rate: libvorbis ends such a packet where its bits end, and libavcodec reads zeros from there
  /// on.
  init?(_ headers: OggStreamHeaders, frameCount: Int, from start: OggSeekIndex.Start? = nil) {
    guard headers.setup != nil, headers.identification.count >= 30,
      Int32(truncatingIfNeeded: Int(bytes: headers.identification[16..<20], isBigEndian: false)) <= 0
    else { return nil }
    self.frameCount = frameCount
    walk = start.map { OggWalk(headers, from: $0) } ?? OggWalk(headers)
  }

  var headers: OggStreamHeaders { walk.headers }

  /// Returns the packets that end on the next page; `nil` at the end, and if the stream is irregular from the page on.
  mutating func nextPage<Failure>(reading bytes: ByteReading<Failure>) throws(Failure) -> [Packet]? {
    let offset = walk.offset
    guard !isAtEnd, let page = try OggPage(at: offset, &window, bytes) else { return nil }
    if page.endsStream { guard try bytes(offset + page.byteCount, 1).isEmpty else { return nil } }
    var packets: [Packet] = []
    var start: (segment: Int, position: OggTimeline.Position)?
    let step = walk.step(over: page) { packet in
      let count = packet.after.frame - packet.before.frame
      packets.append(Packet(bytes: packet.bytes, decodedCount: count, frameCount: count))
      if let segment = packet.firstSegment { start = (segment, packet.after) }
    }
    guard let step else { return nil }
    if page.endsStream {
      guard step.isWhole, cut(&packets, at: step.position, granule: page.granule) else { return nil }
      isAtEnd = true
    } else {
      guard walk.move(behind: page, step) else { return nil }
    }
    // Behind the last page nothing is left, and its last packet alone decodes to no frame.
    if let start, !isAtEnd {
      lastStart = OggSeekIndex.Start(
        offset: offset,
        skippedSegments: start.segment,
        frame: headers.timeline.decodedFrame(at: start.position),
        number: page.number,
        position: start.position,
        origin: walk.origin ?? 0
      )
    }
    return packets
  }

  /// Cuts the packets of the last page to the position of the page; returns `false` if the position is irregular.
  private func cut(_ packets: inout [Packet], at position: OggTimeline.Position, granule: Int) -> Bool {
    let end = (walk.origin ?? 0).addingReportingOverflow(position.frame)
    let excess = end.partialValue.subtractingReportingOverflow(granule)
    // libvorbis cuts the last packet alone.
    guard !end.overflow, !excess.overflow, granule >= 0, let last = packets.last,
      (0...last.decodedCount).contains(excess.partialValue)
    else { return false }
    packets[packets.count - 1].frameCount -= excess.partialValue
    return position.frame - excess.partialValue == frameCount
  }
}
