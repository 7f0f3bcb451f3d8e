/// A walk over the pages of an Ogg stream, which counts the frames of their packets.
///
/// It stops in front of the first page that a decoder could treat in another manner: a page with a wrong checksum,
/// behind a gap, of another stream, or with a granule position that differs from the count.
struct OggWalk: Sendable {
  /// A packet that ends on a page.
  struct Packet {
    let bytes: ArraySlice<UInt8>

    /// The number of the page's segments in front of the packet; `nil` for a packet that began on an earlier page.
    let firstSegment: Int?

    /// The positions before and behind the packet.
    let before: OggTimeline.Position
    let after: OggTimeline.Position
  }

  /// The count of a page's frames.
  struct Step {
    /// The position behind the last packet that ends on the page.
    let position: OggTimeline.Position

    /// The number of packets that end on the page.
    let packetCount: Int

    fileprivate let openPacket: [UInt8]

    /// Whether no packet continues on the next page.
    var isWhole: Bool { openPacket.isEmpty }
  }

  let headers: OggStreamHeaders

  /// The offset of the next page.
  private(set) var offset: Int

  /// The position behind the last packet that ends in front of the next page.
  private(set) var position = OggTimeline.Position()

  /// The difference of the granule positions to the counted frames; `nil` before the first of them.
  private(set) var origin: Int?

  private var number: Int
  /// The part of the packet that continues on the next page.
  private var openPacket: [UInt8] = []
  /// The number of segments of the next page that are in front of the first packet.
  private var skippedSegments = 0

  /// The size of a packet that ends the walk, so that its memory stays small.
  ///
  /// The packets of real streams have a few kilobytes.
  private static let packetLimit = 1 << 18

  /// A walk from the first page behind the headers on.
  init(_ headers: OggStreamHeaders) {
    self.headers = headers
    offset = headers.end
    number = headers.lastNumber
  }

  /// A walk from a packet on, with the positions of a decoder that starts there.
  init(_ headers: OggStreamHeaders, from start: OggSeekIndex.Start) {
    self.headers = headers
    (offset, number, skippedSegments) = (start.offset, start.number - 1, start.skippedSegments)
    position.frame = start.position.frame
    origin = start.origin
  }

  /// Whether the next page begins with a packet.
  var isBetweenPackets: Bool { openPacket.isEmpty }

  /// Counts the frames of a page, and calls a closure with each packet that ends on it.
  ///
  /// Returns `nil` if the page does not continue the stream, or if a decoder could refuse one of its packets.
  func step(over page: OggPage, _ body: (Packet) -> Void = { _ in }) -> Step? {
    guard page.isIntact, page.version == 0, page.serial == headers.serial, page.number == number + 1,
      !page.startsStream, skippedSegments > 0 || page.isContinuation == !openPacket.isEmpty
    else { return nil }
    var (position, open) = (position, openPacket)
    var isContinued = page.isContinuation
    var count = 0
    let isCounted = page.forEachPacket(behind: &open) { bytes, segment in
      defer { isContinued = false }
      guard segment >= skippedSegments else { return true }
      let before = position
      guard headers.timeline.advance(&position, by: bytes) else { return false }
      count += 1
      body(Packet(bytes: bytes, firstSegment: isContinued ? nil : segment, before: before, after: position))
      return true
    }
    guard isCounted, open.count <= OggWalk.packetLimit else { return nil }
    return Step(position: position, packetCount: count, openPacket: open)
  }

  /// Moves behind a page that is not the last one; returns `false` if its granule position differs from the count.
  mutating func move(behind page: OggPage, _ step: Step) -> Bool {
    if step.packetCount == 0 {
      guard page.granule == -1 else { return false }
    } else {
      guard headers.timeline.fits(granule: page.granule, at: step.position, origin: &origin) else { return false }
    }
    offset += page.byteCount
    number = page.number
    (position, openPacket, skippedSegments) = (step.position, step.openPacket, 0)
    return true
  }
}
