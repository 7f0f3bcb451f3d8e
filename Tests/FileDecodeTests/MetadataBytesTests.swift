import TestSupport
import Testing

@testable import FileDecode

/// The bytes of loops, markers and texts, read back by the parsers.
@Suite struct MetadataBytesTests {
  @Test(arguments: OutputContainer.allCases)
  func `Whatever a kind of file holds is read back`(container: OutputContainer) throws {
    let base = try MetadataBytesTests.base(container)
    var generator = SplitMix64(seed: 18)
    for round in 0..<300 {
      let all = Annotations.random(using: &generator)
      let (kept, omissions) = all.divided(MetadataLimits(container), frameCount: 1_000)
      let file = try MetadataBytesTests.add(kept, to: base, container)
      var read = try MetadataBytesTests.read(file)
      if kept.tags.software == nil, container.hasVendor { read.tags.software = nil }
      #expect(read == kept, "\(round)")
      #expect(omissions.count >= all.markers.count - kept.markers.count + all.loops.count - kept.loops.count)
    }
  }

  @Test(arguments: OutputContainer.allCases)
  func `The limits of a kind of file are read back, and the rest is reported`(container: OutputContainer) throws {
    var all = Annotations()
    for index in 0..<11_000 {
      all.loops.append(AudioLoop(range: index..<index + 1))
      all.markers.append(AudioMarker(frame: index, name: String(repeating: "n", count: 50 + index % 2)))
      all.tags["T\(index)"] = String(repeating: "x", count: 700)
    }
    all.tags.title = String(repeating: "t", count: 50_000)
    all.tags.artist = String(repeating: "a", count: 70_000)
    let (kept, omissions) = all.divided(MetadataLimits(container), frameCount: 20_000)
    var read = try MetadataBytesTests.read(
      MetadataBytesTests.add(kept, to: MetadataBytesTests.base(container), container)
    )
    if container.hasVendor { read.tags.software = nil }
    #expect(read == kept)
    let texts = omissions.count { if case .tag = $0 { true } else { false } }
    #expect(texts == 11_002 - kept.tags.entries.count)
    let loops = omissions.count { if case .loop = $0 { true } else { false } }
    #expect(loops == 11_000 - kept.loops.count)
    #expect(kept.tags.artist == nil)
  }

  @Test func `A position outside of the sound is reported`() {
    let far = AudioLoop(range: 10..<0xFFFF_FFFF)
    let near = AudioLoop(range: 10..<0xFFFF_FFFE)
    let marker = AudioMarker(frame: 0x1_0000_0000)
    var all = Annotations()
    (all.loops, all.markers) = ([far, near, AudioLoop(range: -1..<5), AudioLoop(range: 5..<5)], [marker])
    let inCAF = all.divided(MetadataLimits(.caf), frameCount: 1 << 40)
    #expect(inCAF.kept.loops == [far, near])
    #expect(inCAF.kept.markers == [marker])
    let short = all.divided(MetadataLimits(.caf), frameCount: 1_000)
    #expect(short.kept == Annotations())
    #expect(short.omissions.count == 5)
  }

  @Test func `An omission is described for the end of a sentence`() {
    let loop = AudioLoop(range: 10..<20, direction: .backward, playCount: 3)
    let marker = AudioMarker(frame: 7, name: "Verse")
    #expect("\(MetadataOmission.loop(loop))" == "the loop of frames 10 to 20, backward")
    #expect("\(MetadataOmission.playCount(loop))" == "the number of plays of the loop of frames 10 to 20")
    #expect("\(MetadataOmission.marker(marker))" == "the marker at frame 7")
    #expect("\(MetadataOmission.markerName(marker))" == "the name of the marker at frame 7")
    #expect("\(MetadataOmission.tag("ALBUM"))" == "the text ALBUM")
  }

  @Test func `A text loses what no file holds when it is set`() {
    var tags = AudioTags()
    tags.title = "Growl  "
    tags["my\0name"] = "text\0more"
    tags["description"] = "A beast"
    tags[""] = "nothing"
    tags.artist = ""
    #expect(tags.entries == ["TITLE": "Growl", "MY": "text", "COMMENT": "A beast"])
    tags.title = nil
    #expect(tags.title == nil)
  }

  /// A file of 1,000 frames without metadata.
  private static func base(_ container: OutputContainer) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let sound = try noise(1_000, .mono(sampleRate: 48_000))
    return try bytes(of: save(sound, to: folder.file("a." + container.extensions[0])))
  }

  private static func add(_ metadata: Annotations, to base: [UInt8], _ container: OutputContainer) throws -> [UInt8] {
    switch container {
    case .wav: return base + metadata.waveBytes(sampleRate: 48_000)
    case .aiff: return base + metadata.aiffBytes
    case .caf: return base + metadata.cafBytes
    case .mp3: return metadata.id3Bytes + base
    case .flac:
      let comment = metadata.commentBytes(vendor: Array("me".utf8))
      return base[..<42] + [0x84] + big(UInt64(comment.count), 3) + comment
    case .ogg, .opus:
      let headers = try #require(OggHeaders { place, count in Array(base.dropFirst(place).prefix(count)) })
      return base[..<headers.range.lowerBound] + headers.pages(metadata).flatMap(\.self)
    }
  }

  private static func read(_ file: [UInt8]) throws -> Annotations {
    func bytes(_ place: Int, _ count: Int) -> [UInt8] { Array(file.dropFirst(place).prefix(count)) }
    let signature = try #require(FileSignature(reading: bytes))
    return Annotations(signature, fileSize: file.count, reading: bytes)
  }
}

extension OutputContainer {
  /// Whether the name of the encoder's maker is in the file, which is read as the text `ENCODER`.
  var hasVendor: Bool { [.flac, .ogg, .opus].contains(self) }
}

extension Annotations {
  /// Loops, markers and texts of all kinds, some of them outside of a sound of 1,000 frames.
  static func random(using generator: inout SplitMix64) -> Annotations {
    var all = Annotations()
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let start = Int.random(in: 0...1_000, using: &generator)
      let direction = [AudioLoop.Direction.forward, .backward, .alternating].randomElement(using: &generator)
      let end = start + Int.random(in: 0...500, using: &generator)
      let count = Bool.random(using: &generator) ? Int.random(in: 0...5, using: &generator) : nil
      all.loops.append(AudioLoop(range: start..<end, direction: direction ?? .forward, playCount: count))
    }
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let name = Bool.random(using: &generator) ? text(300, using: &generator) : nil
      all.markers.append(AudioMarker(frame: Int.random(in: -1...1_001, using: &generator), name: name))
    }
    let names = [
      "TITLE", "ARTIST", "ALBUM", "TRACKNUMBER", "DATE", "GENRE", "COMMENT", "COPYRIGHT", "ENCODER", "LOOPSTART", "A=B",
      "MOOD", "Ä",
    ]
    for name in names where Bool.random(using: &generator) { all.tags[name] = text(1_000, using: &generator) }
    return all
  }

  /// A text with characters of one to four bytes.
  private static func text(_ limit: Int, using generator: inout SplitMix64) -> String {
    let characters = Array("aZ 09=äß…猫🐈\n")
    return String(
      (0..<Int.random(in: 0...limit, using: &generator)).map { _ in characters.randomElement(using: &generator) ?? "a" }
    )
  }
}
