import Testing

@testable import FileDecode

/// The limits of each kind of file for its metadata: what is just within, and what is just beyond.
@Suite struct MetadataLimitTests {
  private func divided(_ container: OutputContainer, frameCount: Int = 1_000, _ prepare: (inout Annotations) -> Void)
    -> (
      kept: Annotations, omissions: [MetadataOmission]
    )
  {
    var all = Annotations()
    prepare(&all)
    return all.divided(MetadataLimits(container), frameCount: frameCount)
  }

  @Test func `Each kind of file holds its directions and numbers of loops and markers`() {
    let directions: [OutputContainer: Set<AudioLoop.Direction>] = [
      .wav: [.forward, .backward, .alternating], .aiff: [.forward, .alternating],
      .caf: [.forward, .backward, .alternating],
      .flac: [.forward], .ogg: [.forward], .opus: [.forward], .mp3: [.forward],
    ]
    let counts: [OutputContainer: (loops: Int, markers: Int)] = [
      .wav: (10_000, 10_000), .aiff: (2, 9_996), .caf: (10_000, 10_000), .flac: (1, 0), .ogg: (1, 0), .opus: (1, 0),
      .mp3: (1, 0),
    ]
    for container in OutputContainer.allCases {
      let limits = MetadataLimits(container)
      #expect(limits.directions == directions[container])
      #expect(limits.loopCount == counts[container]?.loops && limits.markerCount == counts[container]?.markers)
      let (kept, omissions) = divided(container) { all in
        all.loops = [AudioLoop](repeating: AudioLoop(range: 1..<2), count: 10_001)
        all.markers = [AudioMarker](repeating: AudioMarker(frame: 3), count: 10_001)
      }
      #expect(kept.loops.count == limits.loopCount && kept.markers.count == limits.markerCount)
      #expect(omissions.count == 20_002 - kept.loops.count - kept.markers.count)
      for direction in [AudioLoop.Direction.forward, .backward, .alternating] {
        let loop = AudioLoop(range: 1..<2, direction: direction)
        let isHeld = directions[container]?.contains(direction) == true
        let found = divided(container) { $0.loops = [loop] }
        #expect(found.kept.loops == (isHeld ? [loop] : []) && found.omissions == (isHeld ? [] : [.loop(loop)]))
      }
    }
    #expect(MetadataLimits.partLimit == 786_432)
  }

  @Test func `Loops and markers lie within the sound, both ends included`() {
    for (range, isHeld) in [
      (0..<1_000, true), (0..<1_001, false), (-1..<5, false), (5..<5, false), (999..<1_000, true),
      (1_000..<1_001, false),
    ] {
      let loop = AudioLoop(range: range)
      let found = divided(.wav) { $0.loops = [loop] }
      #expect(
        found.kept.loops == (isHeld ? [loop] : []) && found.omissions == (isHeld ? [] : [.loop(loop)]),
        "\(range)"
      )
    }
    for (frame, isHeld) in [(0, true), (-1, false), (1_000, true), (1_001, false)] {
      let marker = AudioMarker(frame: frame)
      let found = divided(.wav) { $0.markers = [marker] }
      #expect(found.kept.markers == (isHeld ? [marker] : []) && found.omissions == (isHeld ? [] : [.marker(marker)]))
    }
    #expect(divided(.wav, frameCount: 0) { $0.markers = [AudioMarker(frame: 0)] }.omissions == [])
  }

  @Test func `WAV has a field of 32 bits for the number of plays`() {
    for (count, isHeld) in [(1, true), (0xFFFF_FFFF, true), (0, false), (-1, false), (0x1_0000_0000, false)] {
      let loop = AudioLoop(range: 1..<2, playCount: count)
      for container in OutputContainer.allCases {
        let found = divided(container) { $0.loops = [loop] }
        let stays = isHeld && container == .wav
        #expect(found.kept.loops == [stays ? loop : AudioLoop(range: 1..<2)])
        #expect(found.omissions == (stays ? [] : [.playCount(loop)]), "\(count)")
      }
    }
  }

  @Test func `A marker's name has up to 64 KiB, and 255 bytes in AIFF`() {
    for (container, limit) in [(OutputContainer.wav, 65_536), (.caf, 65_536), (.aiff, 255)] {
      for (size, isHeld) in [(1, true), (limit, true), (limit + 1, false)] {
        let marker = AudioMarker(frame: 3, name: String(repeating: "n", count: size))
        let found = divided(container) { $0.markers = [marker] }
        #expect(found.kept.markers == [isHeld ? marker : AudioMarker(frame: 3)], "\(size)")
        #expect(found.omissions == (isHeld ? [] : [.markerName(marker)]))
      }
      for name in ["", "a ", "a\0b", " "] {
        let marker = AudioMarker(frame: 3, name: name)
        let found = divided(container) { $0.markers = [marker] }
        #expect(found.kept.markers == [AudioMarker(frame: 3)] && found.omissions == [.markerName(marker)], "\(name)")
      }
    }
    // All names together, with 32 bytes for each.
    for (last, isHeld) in [(32, true), (33, false)] {
      let names = [Int](repeating: 65_504, count: 11) + [65_504 - 64, last]
      let markers = names.map { AudioMarker(frame: 3, name: String(repeating: "n", count: $0)) }
      let found = divided(.wav) { $0.markers = markers }
      #expect(found.kept.markers.count == 13 && (found.kept.markers.last?.name != nil) == isHeld, "\(last)")
      #expect(found.omissions == (isHeld ? [] : [.markerName(markers[12])]))
    }
  }

  @Test func `A text has a place, a length and room beside the others`() {
    for (container, limit) in [
      (OutputContainer.wav, 60_000), (.caf, 60_000), (.aiff, 8_000), (.flac, 60_000), (.ogg, 60_000), (.opus, 60_000),
      (.mp3, 60_000),
    ] {
      for (size, isHeld) in [(1, true), (limit - 5, true), (limit - 4, false)] {
        let found = divided(container) { $0.tags.title = String(repeating: "x", count: size) }
        #expect(
          (found.kept.tags.title != nil) == isHeld && found.omissions == (isHeld ? [] : [.tag("TITLE")]),
          "\(size)"
        )
      }
      for name in ["LOOPSTART", "LOOPLENGTH", "LOOPEND"] {
        #expect(divided(container) { $0.tags[name] = "1" }.omissions == [.tag(name)])
      }
      // A name of the program's own, one with a sign of equality, and others at the ends of the characters.
      for (name, isVorbis) in [
        ("MOOD", true), ("A=B", false), ("A}", true), ("A~", false), (" A", true), ("A\u{1F}", false), ("Ä", false),
      ] {
        let isHeld =
          switch container {
          case .wav, .aiff: false
          case .caf, .mp3: true
          case .flac, .ogg, .opus: isVorbis
          }
        let found = divided(container) { $0.tags[name] = "1" }
        #expect(found.kept.tags.entries == (isHeld ? [name: "1"] : [:]), "\(container), \(name)")
      }
    }
    let waveNames = ["TITLE", "ARTIST", "ALBUM", "TRACKNUMBER", "DATE", "GENRE", "COMMENT", "COPYRIGHT", "ENCODER"]
    let found = divided(.wav) { all in for name in waveNames { all.tags[name] = "1" } }
    #expect(found.omissions == [] && found.kept.tags.entries.count == 9)
    let other = divided(.aiff) { all in for name in waveNames { all.tags[name] = "1" } }
    #expect(other.kept.tags.entries.keys.sorted() == ["ARTIST", "COMMENT", "COPYRIGHT", "TITLE"])
    #expect(other.omissions == ["ALBUM", "DATE", "ENCODER", "GENRE", "TRACKNUMBER"].map { .tag($0) })
  }

  @Test func `All texts together have a limit, and their number`() {
    // Each takes 32 bytes more: 13 times 60,032, and what is left.
    let rest = 786_432 - 13 * 60_032
    for (size, isHeld) in [(rest, true), (rest + 1, false)] {
      let found = divided(.caf) { all in
        for index in 10..<23 { all.tags["T\(index)"] = String(repeating: "x", count: 60_000 - 3) }
        all.tags["Z"] = String(repeating: "x", count: size - 1)
      }
      #expect(
        found.kept.tags.entries.count == (isHeld ? 14 : 13) && found.omissions == (isHeld ? [] : [.tag("Z")]),
        "\(size)"
      )
    }
    // Two of the texts that are read may belong to a loop.
    for (count, omitted) in [(998, 0), (999, 1), (1_000, 2)] {
      let found = divided(.mp3) { all in for index in 0..<count { all.tags["T\(index)"] = "x" } }
      #expect(found.kept.tags.entries.count == 998 && found.omissions.count == omitted, "\(count)")
    }
  }
}
