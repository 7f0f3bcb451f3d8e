import Testing

@testable import FileDecode

/// The parts of a decoder, each on its own.
@Suite struct DecoderPartTests {
  private let content = (0..<200).map { UInt8($0) }

  private func bytes(_ view: SplicedBytes) throws -> [UInt8] {
    var memory = [UInt8](repeating: 0, count: view.byteCount + 5)
    let count = unsafe try memory.withUnsafeMutableBytes { unsafe try view.read(at: 0, into: $0) }
    #expect(count == view.byteCount)
    return Array(memory.prefix(count))
  }

  @Test func `The view of a file has a right size in front of its samples, and nothing behind them`() throws {
    let source = try ByteSource(content, path: "a")
    func view(_ container: Container, from offset: Int = 0, _ chunk: AudioChunk?) throws -> [UInt8] {
      try bytes(SplicedBytes(source, container, from: offset, chunk))
    }
    #expect(try view(.flac, nil) == content && view(.flac, from: 7, nil) == Array(content[7...]))
    #expect(try view(.flac, from: 200, nil) == [] && view(.flac, from: 300, nil) == [])
    for container in [Container.wav, .rf64, .w64] {
      for (size, end) in [(0, 50), (100, 150), (149, 199), (150, 200), (151, 200), (Int.max / 2, 200)] {
        #expect(try view(container, AudioChunk(offset: 50, byteCount: size)) == Array(content[..<end]), "\(size)")
        #expect(try view(container, from: 9, AudioChunk(offset: 50, byteCount: size)) == Array(content[9..<end]))
      }
      #expect(try view(container, AudioChunk(offset: 50, byteCount: nil)) == content)
      #expect(try view(container, AudioChunk(offset: 200, byteCount: 5)) == content)
      #expect(try view(container, AudioChunk(offset: 199, byteCount: 0)) == Array(content[..<199]))
    }
    for container in [Container.aiff, .au] {
      #expect(try view(container, AudioChunk(offset: 50, byteCount: 10)) == content)
    }
    let open: [UInt8] = [255, 255, 255, 255]
    let unfinished = AudioChunk(offset: 50, byteCount: nil, isUnfinished: true)
    #expect(try view(.wav, unfinished) == content[..<46] + open + content[50...])
    #expect(try view(.wav, from: 9, unfinished) == content[9..<46] + open + content[50...])
    #expect(try view(.wav, from: 48, unfinished) == open + content[52...])
  }

  @Test func `Packets in a row are one piece, and the last packet of MPEG audio comes three times`() throws {
    let source = try ByteSource(content, path: "a")
    let merged = SplicedBytes.merged([0..<5, 5..<9, 10..<12, 12..<12, 12..<20, 3..<4])
    let ranges = merged.map { piece in if case .file(let range) = piece { range } else { 0..<0 } }
    #expect(ranges == [0..<9, 10..<20, 3..<4] && SplicedBytes.merged([]).isEmpty)
    let file = [7] + silentMP3(packetCount: 2)
    let scan = try #require(MPEGScan(from: 1) { Array(file.dropFirst($0).prefix($1)) })
    let mpeg = SplicedBytes(try ByteSource(file, path: "a"), mpeg: scan, ranges: scan.ranges)
    #expect(try bytes(mpeg) == silentMP3(packetCount: 4))
    #expect(try bytes(SplicedBytes(source, [.file(3..<5), .bytes([1]), .file(9..<9)])) == [3, 4, 1])
  }

  @Test func `Leftover frames are handed out in their order`() throws {
    let format = PCMFormat.stereo(sampleRate: 8_000)
    var leftover = LeftoverFrames(try PCMBuffer(samples: (0..<20).map { Float($0) }, format: format))
    var target = try PCMBuffer<Float>(samples: [9, 9], format: format)
    func moved(_ count: Int) -> Int { leftover.move(count, to: &target) }
    let first = moved(3)
    #expect(first == 3 && !leftover.isEmpty && target.samples == [9, 9, 0, 1, 2, 3, 4, 5])
    let counts = [0, 6].map(moved)
    #expect(counts == [0, 6] && !leftover.isEmpty)
    let last = [5, 5].map(moved)
    #expect(last == [1, 0] && leftover.isEmpty && target.samples == [9, 9] + (0..<20).map { Float($0) })
    leftover = LeftoverFrames(target)
    let again = moved(2)
    let released = leftover.releaseBuffer()
    #expect(again == 2 && released.frameCount == 0 && released.format == format && leftover.isEmpty)
    #expect(LeftoverFrames(PCMBuffer(format: format)).isEmpty)
  }

  @Test func `Two reports are of one stream if the rate, the channels and the format are the same`() {
    let header = SoundHandle.Header(frames: 5, sampleRate: 8_000, channelCount: 2, format: 7)
    for (rate, count, format, isSame) in [
      (8_000, 2, 7, true), (8_001, 2, 7, false), (8_000, 1, 7, false), (8_000, 2, 8, false), (9, 9, 9, false),
    ] {
      let other = SoundHandle.Header(frames: 9, sampleRate: rate, channelCount: count, format: Int32(format))
      #expect(header.isSameStream(as: other) == isSame)
    }
    #expect(!header.isSameStream(as: nil))
  }

  // MARK: Samples without compression

  /// A decoder of samples in stereo, 20 bytes behind the start of a file.
  private func decoder(_ samples: [Int16], frames: Int, isBig: Bool = false) throws -> PlainDecoder? {
    let number = { (value: Int16) in
      let bits = UInt64(UInt16(bitPattern: value))
      return isBig ? big(bits, 2) : little(bits, 2)
    }
    let bytes = Array((isBig ? "RIFX????WAVEdata" : "RIFF????WAVEdata").utf8) + [4, 0, 0, 0] + samples.flatMap(number)
    func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }
    let plain = try #require(PlainSamples(in: .wav, AudioChunk(in: .wav, reading: read), reading: read))
    let header = SoundHandle.Header(frames: frames, sampleRate: 8_000, channelCount: 2, format: 0)
    return PlainDecoder(plain, .int16, try ByteSource(bytes, path: "a"), header)
  }

  @Test func `A file holds whole frames of its samples, or another decoder reads it`() throws {
    for (frames, isPlain) in [
      (0, true), (4, true), (5, false), (-1, false), (Int.max, false), (Int.max / 4 + 1, false),
    ] {
      #expect((try decoder([Int16](repeating: 1, count: 9), frames: frames) != nil) == isPlain, "\(frames)")
    }
    let source = try ByteSource([1, 2, 3], path: "a")
    for (offset, isPlain) in [(3, true), (4, false)] as [(UInt64, Bool)] {
      let au = Array(".snd".utf8) + big(offset, 4) + big(0, 4)
      func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(au.dropFirst(offset).prefix(count)) }
      let samples = try #require(PlainSamples(in: .au, AudioChunk(in: .au, reading: read), reading: read))
      let header = SoundHandle.Header(frames: 0, sampleRate: 8_000, channelCount: 2, format: 0)
      #expect((PlainDecoder(samples, .int16, source, header) != nil) == isPlain)
    }
  }

  @Test(arguments: [false, true])
  func `Samples of 16 bits are read in either byte order, as far as there are frames and room`(isBig: Bool) throws {
    let samples: [Int16] = [1, -2, 0x0102, -0x0102, .min, .max, 7, 8, 9, 10]
    for frame in [-3, 0, 1, 3, 5, 6] {
      for (wanted, room) in [(0, 20), (1, 20), (2, 20), (3, 20), (99, 20), (99, 5), (99, 0), (3, 3)] {
        var plain = try #require(try decoder(samples, frames: 4, isBig: isBig))
        #expect(plain.holdsInt16 && !plain.hasDecodingError && plain.report?.frames == 4)
        let hasMoved = plain.seek(toFrame: frame)
        #expect(hasMoved)
        let start = min(max(frame, 0), 4)
        let count = min(wanted, 4 - start, room / 2)
        let expected = Array(samples[2 * start..<2 * (start + count)])
        var found: [Int16] = [5, 6]
        var arrived = 0
        found.append(addingCapacity: room) { arrived = plain.read(wanted, into: &$0) }
        #expect(arrived == count && found == [5, 6] + expected, "\(frame), \(wanted), \(room)")
        _ = plain.seek(toFrame: frame)
        var floats: [Float] = [5]
        floats.append(addingCapacity: room) { arrived = plain.read(wanted, into: &$0) }
        #expect(arrived == count && floats == [5] + expected.map { Float($0) / 32_768 }, "\(frame), \(wanted), \(room)")
        // The position is behind the read frames.
        var rest: [Float] = []
        rest.append(addingCapacity: 20) { arrived = plain.read(10, into: &$0) }
        #expect(rest == samples[2 * (start + count)..<8].map { Float($0) / 32_768 } && arrived == 4 - start - count)
      }
    }
  }

  // MARK: Formats

  private static let wav: Int32 = 0x01_0000
  private static let majors: [(Container, [Int32])] = [
    (.wav, [0x01_0000, 0x13_0000]), (.rf64, [0x22_0000]), (.w64, [0x0B_0000]), (.aiff, [0x02_0000]),
    (.caf, [0x18_0000]),
    (.flac, [0x17_0000]), (.ogg, [0x20_0000]), (.mpeg, [0x23_0000]), (.au, [0x03_0000]), (.mp4, []), (.adts, []),
  ]

  @Test func `A format of libsndfile has a codec in its kind of file, a depth and limits`() {
    // Numbers of sndfile.h, with the depth, and whether 16 bits keep all.
    let plain: [(Int32, AudioCodec, Int?, Bool)] = [
      (0x01, .int8, 8, true), (0x05, .int8, 8, true), (0x02, .int16, 16, true), (0x03, .int24, 24, false),
      (0x04, .int32, 32, false),
      (0x06, .float32, 32, false), (0x07, .float64, 64, false), (0x10, .muLaw, nil, true), (0x11, .aLaw, nil, true),
      (0x12, .imaADPCM, nil, true), (0x13, .msADPCM, nil, true),
    ]
    let lossless: [(Int32, AudioCodec, Int?, Bool)] = [
      (0x70, .alac, 16, true), (0x71, .alac, 20, false), (0x72, .alac, 24, false), (0x73, .alac, 32, false),
    ]
    let others: [Container: [(Int32, AudioCodec, Int?, Bool)]] = [
      .flac: [(0x01, .flac, 8, true), (0x02, .flac, 16, true), (0x03, .flac, 24, false)],
      .ogg: [(0x60, .vorbis, nil, false), (0x64, .opus, nil, false)],
      .mpeg: [(0x80, .mp1, nil, false), (0x81, .mp2, nil, false), (0x82, .mp3, nil, false)],
    ]
    for (container, numbers) in DecoderPartTests.majors {
      let known = others[container] ?? plain + (container == .caf ? lossless : [])
      for major in DecoderPartTests.majors.flatMap(\.1) {
        for minor in 0...0x90 as ClosedRange<Int32> {
          let found = SubFormat(libsndfile: major | minor, in: container)
          guard numbers.contains(major), let expected = known.first(where: { $0.0 == minor }) else {
            if found != nil { Issue.record("\(container), \(major), \(minor)") }
            continue
          }
          #expect(
            found?.codec == expected.1 && found?.bitDepth == expected.2 && found?.isExactAsInt16 == expected.3,
            "\(minor)"
          )
          let isLossy = [.vorbis, .opus, .mp1, .mp2, .mp3].contains(expected.1)
          #expect(found?.hasExactJumps == !isLossy)
          #expect(found?.mayBeNonFinite == (isLossy || [.float32, .float64].contains(expected.1)))
          let isPacked = isLossy || [.flac, .alac].contains(expected.1)
          #expect(found?.plausibility == (isPacked ? .packets : .fixed))
          // The byte order is in the upper bits.
          #expect(SubFormat(libsndfile: 0x2000_0000 | major | minor, in: container) == found)
        }
      }
    }
    #expect(SizePlausibility.fixed == SizePlausibility(possibleFramesPerByte: 2, likelyFramesPerByte: 2))
    #expect(SizePlausibility.packets == SizePlausibility(possibleFramesPerByte: 8_192, likelyFramesPerByte: 64))
  }

  @Test func `The numbers of libmpg123 are those of its header`() {
    #expect(MPEGLibrary.addFlags == 2 && MPEGLibrary.volumeAdjustment == 5 && MPEGLibrary.removeFlags == 13)
    #expect(MPEGLibrary.quiet == 0x20 && MPEGLibrary.gapless == 0x40 && MPEGLibrary.forceFloat == 0x400)
    #expect(MPEGLibrary.ignoreInfoFrame == 0x4000 && MPEGLibrary.float32 == 0x200)
    #expect(MPEGLibrary.needsMore == -10 && MPEGLibrary.newFormat == -11)
    #expect(FormatCheck.sampleRates == 1_000...768_000 && FormatCheck.channelCounts == 1...32)
  }

  @Test func `Memory is reserved for as many frames as the file may hold`() {
    for (claim, byteCount, frames) in [
      (1_000, 499, 998), (1_000, 500, 1_000), (1_000, 9_999, 1_000), (0, 5, 0), (5, 0, 0), (5, -5, 0),
    ] {
      #expect(SizePlausibility.fixed.initialReservation(claim: claim, byteCount: byteCount) == frames)
    }
    #expect(SizePlausibility.packets.initialReservation(claim: 1 << 40, byteCount: 100) == 6_400)
    #expect(SizePlausibility.packets.initialReservation(claim: 1 << 40, byteCount: .max) == 1 << 20)
    for (claim, decoded, frames) in [
      (nil, 1_023, 4_096), (nil, 1_024, 4_096), (nil, 1_025, 4_100), (5_000, 1_025, 4_100), (4_099, 1_025, 4_099),
      (1_025, 1_025, 4_100), (1_026, 1_025, 1_026), (9, 0, 9),
    ] as [(Int?, Int, Int)] {
      #expect(SizePlausibility.nextReservation(claim: claim, decoded: decoded) == frames, "\(decoded)")
    }
    #expect(
      SizePlausibility.fixed.plausible(0, byteCount: -1) == 0
        && SizePlausibility.fixed.plausible(1, byteCount: -1) == nil
    )
    #expect(
      SizePlausibility.packets.plausible(8_192, byteCount: 1) == 8_192
        && SizePlausibility.packets.plausible(8_193, byteCount: 1) == nil
    )
  }
}
