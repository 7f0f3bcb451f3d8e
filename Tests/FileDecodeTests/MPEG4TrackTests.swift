import TestSupport
import Testing

@testable import FileDecode

/// The tables of an MPEG-4 file, against a model of the standard and numbers worked out by hand.
@Suite struct MPEG4TrackTests {
  private func track(_ movie: HandMadeMovie, fileSize: Int = 1 << 40) -> MPEG4Track? {
    MPEG4Track(movie.bytes, fileSize: fileSize)
  }

  @Test(arguments: [false, true])
  func `The packets lie where the runs and the offsets of the chunks put them`(hasLongOffsets: Bool) throws {
    var generator = SplitMix64(seed: 41)
    for round in 0..<400 {
      var movie = HandMadeMovie()
      movie.hasLongOffsets = hasLongOffsets
      let chunkCount = Int.random(in: 1...7, using: &generator)
      var place: UInt64 = hasLongOffsets ? 1 << 33 : 0
      movie.offsets = (0..<chunkCount).map { _ in
        defer { place += UInt64.random(in: 0...400, using: &generator) }
        return place
      }
      var first: UInt64 = 1
      movie.runs = []
      while first <= UInt64(chunkCount), movie.runs.count < 4 {
        movie.runs.append((first, UInt64.random(in: 0...4, using: &generator)))
        first += UInt64.random(in: 1...3, using: &generator)
      }
      let isCommon = Bool.random(using: &generator)
      let listed = Int.random(in: 0...20, using: &generator)
      let list = (0..<listed).map { _ in UInt64.random(in: 1...50, using: &generator) }
      let claimed = max(listed + Int.random(in: -2...2, using: &generator), 0)
      movie.sizes = isCommon ? (30, UInt64(claimed), []) : (0, UInt64(claimed), list)
      // Tables may hold more than they count.
      if Bool.random(using: &generator) {
        movie.offsetCount = UInt64.random(in: 0...UInt64(chunkCount), using: &generator)
      }
      if Bool.random(using: &generator) {
        movie.runCount = UInt64.random(in: 1...UInt64(movie.runs.count), using: &generator)
      }

      var expected: [Range<Int>] = []
      for chunk in 0..<Int(movie.offsetCount ?? UInt64(chunkCount)) {
        let known = movie.runs.prefix(Int(movie.runCount ?? UInt64(movie.runs.count)))
        let perChunk = known.last { $0.first <= UInt64(chunk + 1) }?.packets ?? 0
        var start = Int(movie.offsets[chunk])
        for _ in 0..<perChunk where expected.count < claimed && (isCommon || expected.count < listed) {
          let size = isCommon ? 30 : Int(list[expected.count])
          expected.append(start..<start + size)
          start += size
        }
      }
      let found = try #require(track(movie), "\(round)")
      #expect(found.packets == expected, "\(round)")
      #expect(found.isCut == (expected.count < claimed), "\(round)")
    }
  }

  @Test func `Packets beyond the end of the file, or longer than it in all, are left out`() throws {
    var movie = HandMadeMovie()
    movie.sizes = (0, 2, [40, 60])
    (movie.runs, movie.offsets) = ([(1, 1)], [100, 0])
    // The file holds the first packet up to its last byte, and the second.
    #expect(track(movie, fileSize: 140)?.packets == [100..<140, 0..<60])
    #expect(track(movie, fileSize: 140)?.isCut == false)
    #expect(track(movie, fileSize: 139)?.packets == [])
    #expect(track(movie, fileSize: 139)?.isCut == true)
    // Two chunks at one offset take as many bytes as two packets.
    movie.offsets = [0, 0]
    #expect(track(movie, fileSize: 100)?.packets == [0..<40, 0..<60])
    #expect(track(movie, fileSize: 100)?.isCut == false)
    #expect(track(movie, fileSize: 99)?.packets == [0..<40])
    #expect(track(movie, fileSize: 99)?.isCut == true)
    movie.sizes = (30, 4, [])
    (movie.runs, movie.offsets) = ([(1, 4)], [0])
    #expect(track(movie, fileSize: 119)?.packets == [0..<30, 30..<60, 60..<90])
    #expect(track(movie, fileSize: 119)?.isCut == true)
    #expect(track(movie, fileSize: 120)?.isCut == false)
    (movie.hasLongOffsets, movie.offsets) = (true, [.max])
    #expect(track(movie, fileSize: 120)?.packets == [])
    #expect(track(movie, fileSize: 120)?.isCut == true)
  }

  @Test func `The first track with sound is read`() throws {
    var movie = HandMadeMovie(packetCount: 3)
    movie.handlers = ["vide", "soun"]
    #expect(track(movie)?.packets.count == 3)
    movie.handlers = ["vide"]
    #expect(track(movie) == nil)
    movie.handlers = []
    #expect(track(movie) == nil)
  }

  @Test(arguments: [0, 1, 2, 3] as [UInt64])
  func `The setup of the codec follows an entry of each version, in a box of its own or in another`(version: UInt64)
    throws
  {
    // Low complexity at 24 kHz with two channels, while the entry names others.
    let setup = box("esds", big(0, 4) + descriptors([0x13, 0x10]))
    for boxes in [setup, box("free", big(0, 4)) + setup, box("wave", box("frma", Array("mp4a".utf8)) + setup)] {
      var movie = HandMadeMovie(packetCount: 2)
      (movie.entryVersion, movie.setup) = (version, boxes)
      let found = try #require(track(movie))
      #expect(found.codec == "mp4a")
      #expect(found.cookie == [0x13, 0x10])
      #expect(found.sampleRate == 24_000 && found.channelCount == 2 && found.framesPerPacket == 1_024)
      var lossless = HandMadeMovie(packetCount: 2)
      (lossless.codec, lossless.entryVersion) = ("alac", version)
      let cookie = losslessCookie(frames: 4_096, channelCount: 6, sampleRate: 192_000)
      lossless.setup = box("alac", big(0, 4) + cookie + [9, 9])
      if boxes.count > setup.count + 12 { lossless.setup = box("wave", lossless.setup) }
      let packed = try #require(track(lossless))
      #expect(packed.codec == "alac" && packed.cookie == cookie)
      #expect(packed.sampleRate == 192_000 && packed.channelCount == 6 && packed.framesPerPacket == 4_096)
    }
  }

  @Test func `Without a setup of the codec, the entry names the rate and the channels`() throws {
    var movie = HandMadeMovie(packetCount: 1)
    (movie.channelCount, movie.sampleRate, movie.packetDuration) = (5, 32_000, 1_000)
    let found = try #require(track(movie))
    #expect(found.channelCount == 5 && found.sampleRate == 32_000 && found.cookie == [])
    // 1,000 ticks of 44,100 in a second.
    #expect(found.framesPerPacket == 726)
    // A configuration without a rate and channels of its own.
    movie.setup = box("esds", big(0, 4) + descriptors([0x17, 0x80, 0, 0]))
    #expect(try #require(track(movie)).sampleRate == 32_000)
    #expect(try #require(track(movie)).channelCount == 5)
    movie.setup = box("esds", big(0, 4) + [6, 0])
    #expect(try #require(track(movie)).cookie == [])
    movie.codec = "alac"
    #expect(track(movie) == nil)
    movie.setup = box("alac", big(0, 4) + losslessCookie(frames: 4_096).dropLast())
    #expect(track(movie) == nil)
    movie.setup = box("alac", big(0, 4) + losslessCookie(frames: 4_096))
    #expect(track(movie) != nil)
  }

  @Test func `A packet has 1 to 65,536 frames`() {
    for (frames, isValid) in [(0, false), (1, true), (65_536, true), (65_537, false)] as [(UInt64, Bool)] {
      var movie = HandMadeMovie(packetCount: 1)
      (movie.codec, movie.setup) = ("alac", box("alac", big(0, 4) + losslessCookie(frames: frames)))
      #expect((track(movie)?.framesPerPacket == Int(frames)) == isValid, "\(frames)")
      #expect((track(movie) != nil) == isValid)
    }
  }

  @Test func `Ticks become frames, rounded to the nearest`() throws {
    let cases: [(scale: UInt64, length: UInt64, frames: Int)] = [
      (44_100, 2_205, 2_205), (1_000, 7, 309), (600, 1, 74), (88_200, 1, 1), (88_200, 3, 2), (132_300, 1, 0),
      (132_300, 2, 1), (0, 5, 0), (90_000, 0xFFFF_FFFF, 2_104_533_975), (1, 0, 0),
    ]
    for (scale, length, frames) in cases {
      for version: UInt8 in [0, 1] {
        var movie = HandMadeMovie(packetCount: 1)
        movie.setup = box("esds", big(0, 4) + descriptors([0x12, 0x08]))
        movie.time = (version, scale, length)
        #expect(try #require(track(movie)).duration == frames, "\(length) of \(scale)")
      }
    }
    var movie = HandMadeMovie(packetCount: 1)
    movie.setup = box("esds", big(0, 4) + descriptors([0x12, 0x08]))
    for length in [UInt64(Int64.max), UInt64(Int64.max) / 44_100 + 1, 1 << 63] {
      movie.time = (1, 1, length)
      #expect(try #require(track(movie)).duration == 0, "\(length)")
    }
    movie.time = (1, 1, UInt64(Int64.max) / 44_100)
    #expect(try #require(track(movie)).duration == Int.max / 44_100 * 44_100)
  }

  @Test(arguments: [0, 1] as [UInt8])
  func `The first edit with a start counts, of one to eight`(version: UInt8) throws {
    let negative: UInt64 = version == 1 ? .max : 0xFFFF_FFFF
    var movie = HandMadeMovie(packetCount: 100)
    movie.setup = box("esds", big(0, 4) + descriptors([0x12, 0x08]))
    movie.movieTime = (version, 1_000)
    for silentCount in 0...8 {
      movie.edits = (version, [(5, negative)].repeated(silentCount) + [(50, 2_112), (60, 7)])
      let edit = try #require(track(movie)).edit
      // The table names up to eight edits, and the wanted one stands behind the silence.
      let expected = MPEG4Track.Edit(start: 2_112, duration: 2_205, tolerance: 45)
      #expect(edit == (silentCount <= 6 ? expected : nil), "\(silentCount)")
      movie.edits?.list.removeLast()
      #expect(try #require(track(movie)).edit == (silentCount <= 7 ? expected : nil), "\(silentCount)")
    }
    movie.edits = (version, [])
    #expect(try #require(track(movie)).edit == nil)
    movie.edits = (version, [(50, 0)])
    #expect(try #require(track(movie)).edit?.start == 0)
    movie.editCount = 0
    #expect(try #require(track(movie)).edit == nil)
    movie.editCount = 3
    movie.edits = (version, [(5, negative)])
    #expect(try #require(track(movie)).edit == nil)
    movie.editCount = nil
    movie.edits = (version, [(50, 0x7FFF_FFFF)])
    #expect(try #require(track(movie)).edit?.start == 0x7FFF_FFFF)
    movie.edits = (version, [(50, 0x8000_0000)])
    #expect(try #require(track(movie)).edit?.start == (version == 1 ? 0x8000_0000 : nil))
    movie.edits = (version, [(50, 10)])
    movie.movieTime = nil
    #expect(try #require(track(movie)).edit == MPEG4Track.Edit(start: 10, duration: 0, tolerance: 0))
    movie.movieTime = (version, 600)
    #expect(try #require(track(movie)).edit == MPEG4Track.Edit(start: 10, duration: 3_675, tolerance: 74))
  }

  @Test func `The comment of iTunes has four numbers or more, in base 16`() throws {
    func comment(_ items: [UInt8]) throws -> MPEG4Track.Comment? {
      var movie = HandMadeMovie(packetCount: 1)
      movie.items = items
      return try #require(track(movie)).comment
    }
    let found = MPEG4Track.Comment(priming: 0x840, remainder: 0x323, valid: 0x89D)
    #expect(try comment(HandMadeMovie.item("iTunSMPB", " 00000000 00000840 00000323 000000000000089D 0 0")) == found)
    #expect(try comment(HandMadeMovie.item("iTunSMPB", "0 840 323 89d")) == found)
    #expect(try comment(HandMadeMovie.item("iTunSMPB", "0 840 323")) == nil)
    #expect(try comment(HandMadeMovie.item("iTunNORM", "0 840 323 89d")) == nil)
    #expect(try comment(HandMadeMovie.item("iTunSMPB", "0 840 323 89d", in: "cprt")) == nil)
    let other = HandMadeMovie.item("iTunNORM", "1 2 3 4")
    #expect(try comment(other + HandMadeMovie.item("iTunSMPB", "0 840 323 89d") + other) == found)
    #expect(
      try comment(HandMadeMovie.item("iTunSMPB", "0 x y z"))
        == MPEG4Track.Comment(priming: -1, remainder: -1, valid: -1)
    )
    #expect(try comment([]) == nil)
  }
}

extension Array {
  fileprivate func repeated(_ count: Int) -> [Element] { (0..<count).flatMap { _ in self } }
}
