import Glibc
import Testing

@testable import FileDecode

/// A written file has the loops, markers and texts of the writer, and its sound is the same.
@Suite struct MetadataWritingTests {
  private static let loops = [
    AudioLoop(range: 1_000..<20_001), AudioLoop(range: 5..<6, direction: .alternating, playCount: 3),
    AudioLoop(range: 0..<24_000, direction: .backward),
  ]
  private static let markers = [
    AudioMarker(frame: 0), AudioMarker(frame: 700, name: "Verse"), AudioMarker(frame: 24_000, name: "Ende, schön"),
  ]
  private static let tags = [
    "TITLE": "Grówl", "ARTIST": "Jörg", "ALBUM": "Beasts", "TRACKNUMBER": "3", "DATE": "2026", "GENRE": "Noise",
    "COMMENT": "One\nTwo", "COPYRIGHT": "Public domain", "ENCODER": "growl 1.0", "MOOD": "dark = deep",
  ]

  @Test(arguments: OutputContainer.allCases, OutputContainer.allCases)
  func `Metadata goes from each kind of file to each other, and the rest is reported`(
    first: OutputContainer,
    second: OutputContainer
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("first." + first.extensions[0])
    let omitted = try write(path) { writer in
      writer.loops = MetadataWritingTests.loops
      writer.markers = MetadataWritingTests.markers
      for (name, text) in MetadataWritingTests.tags { writer.tags[name] = text }
    }
    let file = try AudioFile(opening: path)
    expect(file, MetadataWritingTests.loops, MetadataWritingTests.markers, MetadataWritingTests.tags, without: omitted)

    let copyPath = folder.file("second." + second.extensions[0])
    let (loops, markers, tags) = (file.loops, file.markers, file.tags)
    let lost = try write(copyPath) { writer in
      writer.loops = loops
      writer.markers = markers
      writer.tags = tags
    }
    let copy = try AudioFile(opening: copyPath)
    expect(copy, loops, markers, tags.entries, without: lost)
    if first == second { #expect(lost.isEmpty) }
  }

  /// Checks the metadata of a file against the values for the writer and what it reported.
  private func expect(
    _ file: borrowing AudioFile,
    _ loops: [AudioLoop],
    _ markers: [AudioMarker],
    _ tags: [String: String],
    without omissions: [MetadataOmission],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let endless = loops.filter { !omissions.contains(.loop($0)) }.map { loop in
      omissions.contains(.playCount(loop)) ? AudioLoop(range: loop.range, direction: loop.direction) : loop
    }
    #expect(file.loops == endless, sourceLocation: sourceLocation)
    let named = markers.filter { !omissions.contains(.marker($0)) }.map { marker in
      omissions.contains(.markerName(marker)) ? AudioMarker(frame: marker.frame) : marker
    }
    #expect(file.markers == named, sourceLocation: sourceLocation)
    let kept = tags.filter { !omissions.contains(.tag($0.key)) }
    #expect(
      file.tags.entries.filter { kept[$0.key] != nil || $0.key != "ENCODER" } == kept,
      sourceLocation: sourceLocation
    )
  }

  /// Writes half a second with metadata, and returns what the file does not hold.
  private func write(
    _ path: String,
    rate: Int = 48_000,
    _ prepare: (inout AudioFileWriter) -> Void
  ) throws -> [MetadataOmission] {
    var writer = try AudioFileWriter(creating: path, format: .mono(sampleRate: rate))
    try writer.write(tones(24_000, .mono(sampleRate: rate)))
    prepare(&writer)
    let omissions = writer.omissions
    try writer.close()
    return omissions
  }

  @Test func `Each kind of file reports what it does not hold`() throws {
    let folder = try TemporaryFolder()
    func omissions(_ name: String) throws -> [String] {
      try write(folder.file(name)) { writer in
        writer.loops = MetadataWritingTests.loops
        writer.markers = MetadataWritingTests.markers
        for (name, text) in MetadataWritingTests.tags { writer.tags[name] = text }
      }.map(\.description)
    }
    #expect(try omissions("a.wav") == ["the text MOOD"])
    #expect(
      try omissions("a.aiff") == [
        "the number of plays of the loop of frames 5 to 6", "the loop of frames 0 to 24000, backward", "the text ALBUM",
        "the text DATE", "the text ENCODER", "the text GENRE", "the text MOOD", "the text TRACKNUMBER",
      ]
    )
    #expect(try omissions("a.caf") == ["the number of plays of the loop of frames 5 to 6"])
    for name in ["a.flac", "a.ogg", "a.opus", "a.mp3"] {
      #expect(
        try omissions(name) == [
          "the loop of frames 5 to 6, back and forth", "the loop of frames 0 to 24000, backward",
          "the marker at frame 0", "the marker at frame 700", "the marker at frame 24000",
        ]
      )
    }
  }

  @Test(arguments: OutputContainer.allCases, [0, 10, 1_000, 300_000])
  func `The samples are those of a file without metadata`(container: OutputContainer, size: Int) throws {
    let folder = try TemporaryFolder()
    let plain = folder.file("plain." + container.extensions[0])
    let tagged = folder.file("tagged." + container.extensions[0])
    _ = try write(plain) { _ in }
    _ = try write(tagged) { writer in
      // Several texts, as one of them may be too long for a kind of file.
      for index in 0..<size / 100 { writer.tags["A\(index)"] = String(repeating: "x", count: 100) }
      writer.tags.title = String(repeating: "x", count: min(size, 50_000))
      writer.loops = [AudioLoop(range: 10..<1_000)]
    }
    let first = try AudioFile(opening: plain)
    let second = try AudioFile(opening: tagged)
    #expect(try first.readAll() == second.readAll())
    #expect(second.isTruncated == false)
    #expect(first.packetTable == second.packetTable)
    #expect(second.loopRange == 10..<1_000)
    try second.seek(toFrame: 12_345)
    var block = PCMBuffer<Float>(format: second.format)
    #expect(try second.read(into: &block, maxFrames: 100) == 100)
    try first.seek(toFrame: 12_345)
    var other = PCMBuffer<Float>(format: first.format)
    _ = try first.read(into: &other, maxFrames: 100)
    #expect(block == other)
  }

  @Test(arguments: ["a.ogg", "a.opus"])
  func `The pages of a tagged Ogg file are numbered one by one, with right checksums`(name: String) throws {
    let folder = try TemporaryFolder()
    _ = try write(folder.file(name)) { writer in
      for index in 0..<10 { writer.tags["A\(index)"] = String(repeating: "x", count: 20_000) }
    }
    let file = try bytes(of: folder.file(name))
    var repaired = file
    repairOggChecksums(&repaired)
    #expect(file == repaired)
    var place = 0
    var number = 0
    while let page = OggPage(file[place...].prefix(OggPage.maximumSize)) {
      #expect(Array(file[place + 18..<place + 22]) == little(UInt64(number), 4))
      place += page.byteCount
      number += 1
    }
    #expect(place == file.count)
    #expect(number > 5)
  }

  @Test(
    arguments: [
      ("a.caf", .int24), ("a.caf", .alac), ("a.caf", .int16), ("a.wav", .int24), ("a.aiff", .int24), ("a.flac", .int24),
    ] as [(String, AudioCodec)]
  )
  func `Metadata follows an odd number of bytes of samples`(name: String, codec: AudioCodec) throws {
    let folder = try TemporaryFolder()
    for frameCount in [1, 2, 3, 101, 4_096, 4_097] + (1...40).map({ 1_000 + 7 * $0 }) {
      let format = PCMFormat.mono(sampleRate: 48_000)
      let path = folder.file(name)
      var writer = try AudioFileWriter(creating: path, format: format, codec: codec)
      let samples = try tones(frameCount, format)
      try writer.write(samples)
      (writer.loops, writer.tags.title) = ([AudioLoop(range: 0..<frameCount)], "Growl")
      #expect(writer.omissions.isEmpty)
      try writer.close()
      let file = try AudioFile(opening: path)
      #expect(file.loops == [AudioLoop(range: 0..<frameCount)] && file.tags.title == "Growl", "\(frameCount)")
      #expect(try file.readAll().frameCount == frameCount)
    }
  }

  @Test(arguments: [8_000, 12_000, 16_000, 24_000, 48_000])
  func `The loop of an Opus file counts frames of 48 kHz`(rate: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("a.opus")
    let range = rate / 5..<rate / 2
    _ = try write(path, rate: rate) { $0.loops = [AudioLoop(range: range)] }
    #expect(try AudioFile(opening: path).loops == [AudioLoop(range: range)])
    let text = try String(decoding: bytes(of: path), as: UTF8.self)
    #expect(text.contains("LOOPSTART=9600") && text.contains("LOOPLENGTH=14400"))
  }

  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000])
  func `An MP3 file without samples reads back without frames, with its texts`(rate: Int) throws {
    let folder = try TemporaryFolder()
    for layout in [ChannelLayout.mono, .stereo] {
      let format = PCMFormat(sampleRate: rate, layout: layout)
      let rates = try #require(EncodingQuality.bitRates(of: .mp3, in: format))
      for quality in [nil, .bitRate(rates.lowerBound), .bitRate(rates.upperBound), EncodingQuality.variable(0.9)] {
        let path = folder.file("a.mp3")
        var writer = try AudioFileWriter(creating: path, format: format, quality: quality)
        writer.tags.title = "Growl"
        #expect(writer.omissions.isEmpty)
        try writer.close()
        let file = try AudioFile(opening: path)
        #expect(file.frameCount == 0 && file.format == format && file.tags.title == "Growl")
        #expect(try file.readAll().frameCount == 0)
        #expect(file.isTruncated == false)
      }
    }
  }

  @Test func `The checksum of an MP3's tag is LAME's`() throws {
    let folder = try TemporaryFolder()
    let path = try save(noise(10_000, .mono(sampleRate: 44_100)), to: folder.file("a.mp3"))
    let whole = try bytes(of: path)
    let place = try #require(MPEGTag(whole)?.gapOffset) + 13
    #expect(MPEGTag.checksum(whole[..<place]) == UInt16(whole[place]) << 8 | UInt16(whole[place + 1]))
  }

  @Test(arguments: OutputContainer.allCases)
  func `A disk that fails while metadata is written is an error`(container: OutputContainer) throws {
    let folder = try TemporaryFolder()
    let whole = folder.file("whole." + container.extensions[0])
    _ = try write(whole) { _ in }
    let file = try TemporaryFile(for: folder.file("a." + container.extensions[0]))
    _ = unsafe try bytes(of: whole).withUnsafeBytes { unsafe file.write($0) }
    let prefix = folder.file(".audio-")
    let target = try #require(try descriptor { $0.hasPrefix(prefix) })
    replace(target, withFileAt: whole, flags: O_RDONLY)
    var metadata = Annotations()
    (metadata.tags.title, metadata.loops) = ("Growl", [AudioLoop(range: 10..<20)])
    #expect(throws: WritingFailure.system(SystemError(number: EBADF))) {
      try file.add(metadata, in: container, sampleRate: 48_000)
    }
  }
}
