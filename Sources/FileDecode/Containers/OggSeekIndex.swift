/// The pages of an Ogg stream on which decoding can start, with the position of each by the count of packets' frames.
///
/// A file can lack pages, or hold granule positions that contradict the packets. A decoder counts what it decodes, so
/// only the count of all frames before a page is the decoder's position on that page. The index therefore walks all
/// pages up to the target once (``OggWalk``), and ends in front of the end of the stream at the latest.
///
/// The index of Opus walks all pages of the file, and has no start if one of them is irregular. A decoder of Opus
/// invents sound for a packet without content, from a noise level that it has measured since its first packet. A
/// decoder that starts at a later packet measures another level. It then returns other frames behind an empty packet.
struct OggSeekIndex: Sendable {
  /// A page on which a packet begins and ends.
  private struct Page: Hashable {
    let offset: Int
    /// The position behind the packet that continues from the page before.
    let position: OggTimeline.Position
  }

  /// A packet on which decoding can start.
  struct Start: Hashable, Sendable {
    /// The offset of the packet's page.
    let offset: Int

    /// The number of the page's segments in front of the packet.
    let skippedSegments: Int

    /// The first frame that decoding then returns, counted by the decoder of the whole file.
    let frame: Int

    /// The number of the packet's page.
    let number: Int

    /// The position at which the frames begin.
    let position: OggTimeline.Position

    /// The difference of the granule positions of pages to the counted frames.
    let origin: Int
  }

  private var pages: [Page] = []
  /// The index has one of this many pages, so that its memory stays small.
  private var spacing = 1
  /// The number of pages, of those on which a packet begins and ends, since a page was added last.
  private var skippedCount = 0
  private var isComplete = false
  /// Whether an irregular page keeps decoding from starting anywhere.
  private var isUnusable = false
  private var walk: OggWalk
  private var window = ReadingWindow()

  /// The number of pages from which on the index skips pages.
  private let pageLimit: Int

  /// The index of a stream, without pages yet.
  ///
  /// The pages of most encoders last a second, so the default limit of pages only concerns files of many hours.
  init(_ headers: OggStreamHeaders, pageLimit: Int = 1 << 16) {
    walk = OggWalk(headers)
    self.pageLimit = pageLimit
  }
}

extension OggSeekIndex {
  var headers: OggStreamHeaders { walk.headers }

  private var timeline: OggTimeline { headers.timeline }

  /// The last packet of the indexed pages from which decoding returns a frame, and all frames behind it, as decoding
  /// from the first packet does; `nil` if only the first packet of the stream is left.
  ///
  /// A later packet on a page that a full index skips can do the same.
  mutating func start<Failure>(toFrame frame: Int, reading bytes: ByteReading<Failure>) throws(Failure) -> Start? {
    defer { window = ReadingWindow() }
    while !isComplete, timeline.needsAllPages || timeline.decodedFrame(at: walk.position) <= frame {
      let page = try OggPage(at: walk.offset, &window, bytes)
      if let page, append(page) { continue }
      isComplete = true
      if timeline.needsAllPages { isUnusable = try !isEnd(page, reading: bytes) }
    }
    guard !isUnusable else { return nil }
    let reads = { [timeline] (position: OggTimeline.Position) in timeline.decodedFrame(at: position) <= frame }
    guard let target = try last(where: reads, reading: bytes) else { return nil }
    let progress = target.position.progress - timeline.preRoll
    let start = try timeline.preRoll == 0 ? target : last(where: { $0.progress <= progress }, reading: bytes)
    return start.flatMap { $0.frame >= 0 ? $0 : nil }
  }

  /// Whether the stream is regular to its end, and the file ends there: without a page, or with the last page.
  private func isEnd<Failure>(_ page: OggPage?, reading bytes: ByteReading<Failure>) throws(Failure) -> Bool {
    guard let page else { return try bytes(walk.offset, 1).isEmpty }
    guard page.endsStream, try bytes(walk.offset + page.byteCount, 1).isEmpty else { return false }
    return walk.step(over: page) != nil
  }

  /// Adds the next page; returns `false` if decoding cannot start on this page or on a page behind it.
  private mutating func append(_ page: OggPage) -> Bool {
    guard !page.endsStream else { return false }
    let offset = walk.offset
    var first = walk.isBetweenPackets ? walk.position : nil
    guard let step = walk.step(over: page, { if first == nil { first = $0.after } }),
      walk.move(behind: page, step)
    else { return false }
    // Decoding starts with a packet that begins and ends on the page.
    if let first, step.packetCount > (page.isContinuation ? 1 : 0) { append(Page(offset: offset, position: first)) }
    return true
  }

  /// Adds a page unless the index skips it; drops every other page of a full index.
  private mutating func append(_ page: Page) {
    skippedCount += 1
    guard skippedCount >= spacing || pages.isEmpty else { return }
    skippedCount = 0
    pages.append(page)
    guard pages.count >= pageLimit else { return }
    pages = stride(from: 0, to: pages.count, by: 2).map { pages[$0] }
    spacing *= 2
  }

  /// The last packet at which decoding may start, by a condition for the position of the start.
  ///
  /// The condition holds up to some position, and for no position behind it.
  private mutating func last<Failure>(
    where isBefore: (OggTimeline.Position) -> Bool,
    reading bytes: ByteReading<Failure>
  ) throws(Failure) -> Start? {
    var low = 0
    var high = pages.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(pages[middle].position) { low = middle + 1 } else { high = middle }
    }
    // The first packet of a page can start behind the page's position.
    for index in pages[..<low].indices.reversed() {
      if let start = try lastPacket(on: pages[index], where: isBefore, reading: bytes) { return start }
    }
    return nil
  }

  private mutating func lastPacket<Failure>(
    on entry: Page,
    where isBefore: (OggTimeline.Position) -> Bool,
    reading bytes: ByteReading<Failure>
  ) throws(Failure) -> Start? {
    guard let page = try OggPage(at: entry.offset, &window, bytes) else { return nil }
    var start: Start?
    let timeline = timeline
    let origin = walk.origin
    var position = entry.position
    var skipsOne = page.isContinuation
    var rest: [UInt8] = []
    _ = page.forEachPacket(behind: &rest) { packet, firstSegment in
      if skipsOne {
        skipsOne = false
        return true
      }
      let previous = position
      guard timeline.advance(&position, by: packet) else { return false }
      let begin = timeline.start(at: previous, before: position)
      guard isBefore(begin) else { return false }
      start = Start(
        offset: entry.offset,
        skippedSegments: firstSegment,
        frame: timeline.decodedFrame(at: begin),
        number: page.number,
        position: begin,
        origin: origin ?? 0
      )
      return true
    }
    return start
  }
}
