/// The headers of an Ogg file that holds one stream of Vorbis or Opus.
struct OggStreamHeaders: Sendable {
  /// The offset behind the pages with headers.
  let end: Int

  /// The number of the last page with headers.
  let lastNumber: Int

  /// The number of the stream.
  let serial: ArraySlice<UInt8>

  /// The count of the frames in the packets behind the headers.
  let timeline: OggTimeline

  /// The first header.
  let identification: [UInt8]

  /// The third header of Vorbis; `nil` for Opus, which has two headers.
  let setup: [UInt8]?

  /// The size of a header that is refused, except comments, so that memory stays small.
  ///
  /// Real headers have some kilobytes.
  private static let sizeLimit = 1 << 18

  /// Reads the headers of a stream that is decoded at a rate; `nil` if they are not alone on intact pages in a row.
  ///
  /// The headers do not hold the comments: with pictures these can have many megabytes.
  init?<Failure>(sampleRate: Int, reading bytes: ByteReading<Failure>) throws(Failure) {
    var packets: [[UInt8]] = []
    var packet: [UInt8] = []
    var comments = VorbisComments()
    var isOpen = false
    var count = 3
    var offset = 0
    var last: OggPage?
    var window = ReadingWindow()
    repeat {
      guard let page = try OggPage(at: offset, &window, bytes), page.isIntact, page.version == 0, !page.endsStream,
        page.startsStream == (last == nil), page.isContinuation == isOpen
      else { return nil }
      if let last, page.serial != last.serial || page.number != last.number + 1 { return nil }
      offset += page.byteCount
      last = page
      for segment in page.segments {
        if packets.count == 1 { comments.check(segment) } else { packet += segment }
        isOpen = segment.count == 255
        guard packet.count <= OggStreamHeaders.sizeLimit else { return nil }
        if !isOpen {
          packets.append(packet)
          packet = []
          if packets.count == 1, packets[0].starts(with: "OpusHead".utf8) { count = 2 }
        }
      }
    } while packets.count < count
    guard let last, packets.count == count, !isOpen else { return nil }
    identification = packets[0]
    setup = count == 3 ? packets[2] : nil
    if let setup {
      guard comments.isValid, let modes = VorbisModes(identification: identification, setup: setup) else { return nil }
      timeline = .vorbis(modes)
    } else {
      // A family of mappings other than 0 has several streams in a packet.
      guard identification.count == 19, identification[18] == 0, 48_000.isMultiple(of: sampleRate) else { return nil }
      let preSkip = Int(bytes: identification[10..<12], isBigEndian: false)
      timeline = .opus(preSkip: preSkip, divisor: 48_000 / sampleRate)
    }
    end = offset
    lastNumber = last.number
    serial = last.serial
  }
}

extension OggStreamHeaders {
  /// Pages with the headers of the stream, and with empty comments, in front of a page with a number.
  ///
  /// Decoders treat a gap between the numbers of pages as lost sound.
  func pages(before number: Int) -> [UInt8] {
    let rest = [emptyComments] + (setup.map { [$0] } ?? [])
    let count = OggPage.headerPages(rest, serial: serial, firstNumber: 0).count
    // The first header is alone on its page.
    let first = OggPage.headerPages(
      [identification],
      serial: serial,
      firstNumber: number - count - 1,
      startsStream: true
    )
    return (first + OggPage.headerPages(rest, serial: serial, firstNumber: number - count)).flatMap(\.self)
  }

  /// The second header without comments.
  private var emptyComments: [UInt8] {
    // The lengths of an empty vendor and of an empty list.
    let zeros = [UInt8](repeating: 0, count: 8)
    // A bit behind the comments of Vorbis marks them as whole.
    return setup == nil ? Array("OpusTags".utf8) + zeros : [3] + Array("vorbis".utf8) + zeros + [1]
  }

  /// The configuration of Vorbis that libavcodec takes: the number of headers less one, the sizes of the first two, and
  /// the headers; `nil` for Opus.
  var configuration: [UInt8]? {
    guard let setup else { return nil }
    let packets = [identification, emptyComments]
    let sizes = packets.flatMap { [UInt8](repeating: 255, count: $0.count / 255) + [UInt8($0.count % 255)] }
    return [2] + sizes + packets.joined() + setup
  }
}
