import Testing

@testable import FileDecode

/// Vorbis files as the first encoders wrote them: packets with sound on the page of the headers, no mark of the end.
@Suite struct VorbisPageTests {
  /// The packets of a Vorbis file, each with the position behind it once the file has been decoded.
  private struct Packets {
    let all: [[UInt8]]
    let serial: [UInt8]

    init(of file: [UInt8]) {
      var packets: [[UInt8]] = []
      var packet: [UInt8] = []
      var place = 0
      while let page = OggPage(file[place...].prefix(OggPage.maximumSize)) {
        let count = Int(file[place + 26])
        var content = file[(place + 27 + count)..<(place + page.byteCount)]
        for segment in file[(place + 27)..<(place + 27 + count)] {
          packet += content.prefix(Int(segment))
          content = content.dropFirst(Int(segment))
          guard segment < 255 else { continue }
          packets.append(packet)
          packet = []
        }
        place += page.byteCount
      }
      all = packets
      serial = Array(file[14..<18])
    }

    /// A file with packets in pages; a page is a range of packets and the position behind them.
    ///
    /// The packet behind the headers' page may begin on it, with 255 bytes.
    func file(
      _ pages: [(packets: Range<Int>, position: Int)],
      beginsOnHeaderPage: Bool = false,
      marksEnd: Bool = false
    ) -> [UInt8] {
      pages.enumerated().flatMap { number, part in
        var segments = all[part.packets].flatMap { packet in
          [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
        }
        var content = all[part.packets].flatMap { $0 }
        var flags: UInt8 = number == 0 ? 2 : marksEnd && number == pages.count - 1 ? 4 : 0
        if beginsOnHeaderPage, number == 1 {
          segments.append(255)
          content += all[part.packets.upperBound].prefix(255)
        } else if beginsOnHeaderPage, number == 2 {
          segments.removeFirst()
          content.removeFirst(255)
          flags |= 1
        }
        let head = Array("OggS".utf8) + [0, flags] + little(UInt64(part.position), 8) + serial
        var page = head + little(UInt64(number), 4) + [0, 0, 0, 0, UInt8(segments.count)] + segments + content
        OggPage.sign(&page)
        return page
      }
    }

    /// The pages of the headers and of the sound, 8 packets each, after a number of packets on the page of the headers.
    func pages(_ count: Int? = nil, onHeaderPage extra: Int = 0, positions: [Int]) -> [(
      packets: Range<Int>, position: Int
    )] {
      let end = 3 + (count ?? all.count - 3)
      let sound = stride(from: 3 + extra, to: end, by: 8).map { start in
        let last = min(start + 8, end)
        return (packets: start..<last, position: positions[last - 3])
      }
      return [(0..<1, 0), (1..<3 + extra, positions[extra])] + sound
    }
  }

  /// The packets of a second of noise, and the position behind each number of packets.
  private func packets(
    _ format: PCMFormat = .mono(sampleRate: 44_100)
  ) throws -> (packets: Packets, positions: [Int]) {
    let folder = try TemporaryFolder()
    let path = try save(noise(44_100, format), to: folder.file("a.ogg"))
    let packets = try Packets(of: bytes(of: path))
    // A position beyond the sound changes nothing, as long as no mark of the end is there.
    let far = [Int](repeating: 1 << 40, count: packets.all.count)
    var positions = [0]
    for count in 1...packets.all.count - 3 {
      let file = packets.file(packets.pages(count, positions: far))
      positions.append(try AudioFile(bytes: file).readAll().frameCount)
    }
    return (packets, positions)
  }

  @Test func `Packets with sound on the page of the headers are dropped, as libvorbis does`() throws {
    let (packets, positions) = try packets()
    let whole = try AudioFile(bytes: packets.file(packets.pages(positions: positions))).readAll()
    #expect(whole.frameCount == positions.last)
    for extra in [1, 2, 5, 9] {
      let file = packets.file(packets.pages(onHeaderPage: extra, positions: positions))
      let decoded = try AudioFile(bytes: file).readAll()
      // The first packet that is left only overlaps with the second.
      let expected = whole.samples[positions[extra + 1]...]
      #expect(decoded.samples == Array(expected), "\(extra)")
    }
  }

  @Test(arguments: [false, true])
  func `A packet that begins on the page of the headers is dropped, as libvorbisfile does`(marksEnd: Bool) throws {
    // The packets of stereo sound have more than 255 bytes.
    let (packets, positions) = try packets(.stereo(sampleRate: 44_100))
    let whole = try AudioFile(bytes: packets.file(packets.pages(positions: positions))).readAll()
    let long = try #require(packets.all.indices.dropFirst(5).first { packets.all[$0].count > 255 })
    for extra in [long - 3, long - 2] where packets.all[3 + extra].count > 255 {
      let pages = packets.pages(onHeaderPage: extra, positions: positions)
      let file = packets.file(pages, beginsOnHeaderPage: true, marksEnd: marksEnd)
      let opened = try AudioFile(bytes: file)
      let decoded = try opened.readAll().samples
      // The packet behind the dropped one only overlaps with the next.
      let expected = Array(whole.samples[(2 * positions[extra + 2])...])
      let frameCount = expected.count / 2
      #expect(decoded == expected, "\(extra)")
      #expect(opened.frameCount == (marksEnd ? frameCount : nil))
      for frame in [0, 1, frameCount / 3, frameCount - 1] {
        try opened.seek(toFrame: frame)
        var block = PCMBuffer<Float>(format: opened.format)
        let count = try opened.read(into: &block)
        #expect(block.samples == Array(expected[(2 * frame)...].prefix(2 * count)), "\(frame)")
      }
    }
  }

  @Test func `The last position cuts the sound only with the mark of the end`() throws {
    let (packets, positions) = try packets()
    let whole = try #require(positions.last)
    var pages = packets.pages(positions: positions)
    for cut in [1, 100, 700] {
      pages[pages.count - 1].position = whole - cut
      let marked = try AudioFile(bytes: packets.file(pages, marksEnd: true))
      #expect(marked.frameCount == whole - cut)
      #expect(try marked.readAll().frameCount == whole - cut)
      #expect(marked.isTruncated == false)
      let open = try AudioFile(bytes: packets.file(pages))
      #expect(open.frameCount == nil)
      let samples = try open.readAll().samples
      #expect(samples.count == whole)
      // With the trait LibAVCodec, libavcodec decodes the file that is whole.
      let difference = try largestDifference(samples.prefix(whole - cut), marked.readAll().samples)
      #expect(difference <= sampleTolerance(of: .vorbis))
      #expect(open.isTruncated == true)
      // A seek is exact without a known end too.
      try open.seek(toFrame: whole - 50)
      var block = PCMBuffer<Float>(format: open.format)
      #expect(try open.read(into: &block) == 50)
      #expect(block.samples == Array(samples.suffix(50)))
    }
  }
}
