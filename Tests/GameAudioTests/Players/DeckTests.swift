import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The line of sounds and the `Tape` of a `Deck`, without a world.
@Suite struct DeckTests {
  private static func track(_ format: PCMFormat, _ frames: Int = 100, loop: Range<Int>? = nil) throws -> Track {
    var sound = Sound(
      try PCMBuffer(samples: Array(repeating: 0.5, count: frames * format.channelCount), format: format)
    )
    sound.loopRange = loop
    return try Track(sound)
  }

  private static let formats = [PCMFormat.mono(sampleRate: 48_000), .stereo(sampleRate: 48_000)]

  /// Appends a sound as the world does: also to the `Tape`, if the sound belongs there.
  private static func append(_ track: Track, _ repeats: Repeats, to deck: inout Deck) -> Int {
    let entry = deck.makeEntry(track, repeats: repeats)
    if deck.append(entry) {
      #expect(deck.feed.change(adding: (entry.id, track)) { $0.append(entry.piece) } == .made)
    }
    return entry.id
  }

  /// Takes the tracks that a `Deck` has discarded, and expects that they are the given tracks.
  private static func expectGarbage(_ expected: [Track], of deck: inout Deck, _ comment: String) {
    let garbage = (deck.takeGarbage() ?? []).map { ObjectIdentifier($0) }
    for track in expected { #expect(garbage.contains(ObjectIdentifier(track)), "\(comment)") }
    #expect(Set(garbage) == Set(expected.map { ObjectIdentifier($0) }), "\(comment)")
    #expect(deck.takeGarbage() == nil, "\(comment)")
  }

  @Test func `Random lines go over from tape to tape, and every sound that is over is discarded`() throws {
    var random = SplitMix64(seed: 311)
    for _ in 0..<300 {
      let tracks = try (0..<Int.random(in: 1...7, using: &random)).map { _ in
        try Self.track(
          Self.formats.randomElement(using: &random) ?? Self.formats[0],
          .random(in: 1...50, using: &random)
        )
      }
      var deck = Deck(tracks[0], slot: 3, onTwoLoudspeakers: true)
      var repeats: [Repeats] = [0]
      for track in tracks.dropFirst() {
        repeats.append(Repeats(integerLiteral: .random(in: 0...2, using: &random)))
        #expect(Self.append(track, repeats.last ?? 0, to: &deck) == repeats.count - 1)
      }
      #expect(deck.line.map(\.id) == Array(tracks.indices) && deck.line.map(\.repeats) == repeats)
      var first = 0
      while true {
        // The sounds of one format at the beginning of the line are on the `Tape`.
        let count = tracks[first...].prefix { $0.format == tracks[first].format }.count
        let ids = Array(first..<first + count)
        #expect(deck.feed.format == tracks[first].format && deck.feed.tape.pieces.map(\.id) == ids)
        #expect(deck.hasNextTape == (first + count < tracks.count))
        #expect(deck.current.id == first)
        // Each position belongs to the sound that it is in.
        var (start, lengths) = (0, [Int]())
        for (place, id) in ids.enumerated() {
          let frames = tracks[id].frameCount ?? 0
          let length = frames * (1 + repeats[id].count)
          #expect(deck.index(at: start) == place && deck.index(at: start + length - 1) == place)
          #expect(deck.frame(at: start) == 0 && deck.frame(at: start + length - 1) == frames - 1)
          start += length
          lengths.append(length)
        }
        #expect(deck.isEnd(start) && !deck.isEnd(start - 1))
        #expect(deck.index(at: start) == count - 1 && deck.frame(at: start) == tracks[ids[count - 1]].frameCount)
        if count > 1 {
          deck.pass(lengths[0] - 1, hasReader: false)
          Self.expectGarbage([], of: &deck, "before the end of the first sound")
          deck.pass(lengths[0], hasReader: false)
          #expect(deck.line.map(\.id) == Array(first + 1..<tracks.count))
          Self.expectGarbage([tracks[first]], of: &deck, "at the end of the first sound")
          first += 1
        }
        guard let next = deck.nextTape() else {
          #expect(!deck.hasNextTape)
          break
        }
        let rest = first + deck.line.prefix { entry in deck.feed.tape.pieces.contains { $0.id == entry.id } }.count
        #expect(next.feed.format == tracks[rest].format && next.feed.tape.pieces.first?.id == rest)
        deck.laps = 4
        let following = Deck.Following(feed: next.feed, loaded: next.loaded, entry: nil, begin: 0, voice: nil)
        deck.following = following
        let over = Array(tracks[first..<rest])
        deck.adopt(following)
        Self.expectGarbage(over, of: &deck, "at the end of a tape")
        #expect(deck.laps == 0 && deck.following == nil && deck.feed === next.feed && deck.loaded === next.loaded)
        first = rest
      }
    }
  }

  @Test func `A line that is replaced is discarded, with the sounds that have a moment`() throws {
    let tracks = try (0..<5).map { try Self.track(Self.formats[$0 % 2]) }
    var deck = Deck(tracks[0], slot: 0, onTwoLoudspeakers: true)
    _ = Self.append(tracks[1], 0, to: &deck)
    (deck.position, deck.laps) = (70, 2)
    deck.replaceLine(with: deck.makeEntry(tracks[2], repeats: 3))
    #expect(deck.line.map(\.id) == [2] && deck.feed.tape.length == 400 && deck.position == 0 && deck.laps == 0)
    Self.expectGarbage([tracks[0], tracks[1]], of: &deck, "another line")
    let entry = deck.makeEntry(tracks[3], repeats: 0)
    let next = Deck.tape(of: [entry], tracks[3].format)
    let following = Deck.Following(feed: next.feed, loaded: next.loaded, entry: entry, begin: 5, voice: nil)
    (deck.following, deck.laps) = (following, 1)
    deck.replaceLine(with: entry, playing: following)
    #expect(deck.current.id == entry.id && deck.feed === next.feed && deck.following == nil && deck.laps == 0)
    Self.expectGarbage([tracks[2]], of: &deck, "a line that another voice has begun")
    deck.appointments = [Deck.Appointment(entry: deck.makeEntry(tracks[4], repeats: 0), begin: 9)]
    deck.removeAppointments()
    #expect(deck.appointments.isEmpty)
    Self.expectGarbage([tracks[4]], of: &deck, "an appointment")
    deck.following = following
    deck.removeFollowing()
    #expect(deck.following == nil)
    Self.expectGarbage([tracks[3]], of: &deck, "a tape that was to follow")
  }

  @Test func `A rewind begins a tape at a frame of the sound, and one behind the loop plays to the end`() throws {
    let tracks = [try Self.track(Self.formats[0], loop: 20..<60), try Self.track(Self.formats[0], 30)]
    var deck = Deck(tracks[0], slot: 0, onTwoLoudspeakers: true)
    deck.changeCurrent { $0.repeats = 2 }
    _ = Self.append(tracks[1], 1, to: &deck)
    let frames: [(asked: Int, frame: Int, length: Int)] = [
      (-5, 0, 240), (0, 0, 240), (59, 59, 240), (60, 60, 160), (99, 99, 160), (100, 100, 160), (5_000, 100, 160),
    ]
    for (asked, frame, length) in frames {
      deck.laps = 1
      #expect(deck.rewind(toFrame: asked) == frame, "\(asked)")
      #expect(
        deck.feed.tape.length == length && deck.feed.tape.pieces.map(\.id) == [0, 1] && deck.laps == 0,
        "\(asked)"
      )
      #expect(deck.feed.format == tracks[0].format && deck.loaded.frameCount == deck.loaded.frameCount)
    }
    #expect(deck.takeGarbage() == nil)
  }

  @Test func `The end of a loop removes the sounds that are not on the tape, and keeps its repetitions`() throws {
    let tracks = try [0, 0, 1].map { try Self.track(Self.formats[$0]) }
    for lap in 0...4 {
      var deck = Deck(tracks[0], slot: 0, onTwoLoudspeakers: true)
      deck.changeCurrent { $0.repeats = 3 }
      _ = deck.rewind(toFrame: 0)
      for track in tracks.dropFirst() { _ = Self.append(track, 0, to: &deck) }
      #expect(deck.feed.tape.length == 500)
      let isBehind = lap == 4
      #expect(deck.feed.change { $0.endWithLap(at: 100 * lap + 50) } != .late)
      deck.removeLater()
      // A seek makes the `Tape` anew from the line.
      #expect(deck.line.map(\.id) == (isBehind ? [0, 1] : [0]), "\(lap)")
      #expect(deck.current.repeats == .times(min(lap, 3)), "\(lap)")
      Self.expectGarbage(isBehind ? [tracks[2]] : [tracks[1], tracks[2]], of: &deck, "lap \(lap)")
      _ = deck.rewind(toFrame: 0)
      #expect(deck.feed.tape.length == 100 * (min(lap, 3) + 1) + (isBehind ? 100 : 0), "\(lap)")
    }
  }

  @Test func `A pan that has no effect is reported once for each sound of more than two channels`() throws {
    let quad = PCMFormat(sampleRate: 48_000, layout: .quad)
    var deck = Deck(try Self.track(quad), slot: 0, onTwoLoudspeakers: true)
    #expect(deck.reportPan() == nil)
    deck.setPan(-0.5, onTwoLoudspeakers: true)
    #expect(deck.reportPan() != nil && deck.reportPan() == nil)
    deck.replaceLine(with: deck.makeEntry(try Self.track(Self.formats[1]), repeats: 0))
    #expect(deck.reportPan() == nil)
    deck.replaceLine(with: deck.makeEntry(try Self.track(quad), repeats: 0))
    #expect(deck.reportPan() != nil && deck.reportPan() == nil)
  }

  @Test func `The levels are those of the tape that is audible`() throws {
    var deck = Deck(try Self.track(Self.formats[0]), slot: 0, onTwoLoudspeakers: true)
    #expect(deck.metered(at: 7).feed === deck.feed && deck.metered(at: 7).position == 7)
    let old = deck.feed
    deck.former = Deck.Former(feed: old, offset: 30)
    _ = deck.rewind(toFrame: 3)
    #expect(deck.metered(at: 7).feed === old && deck.metered(at: 7).position == 37 && deck.feed !== old)
  }

  @Test func `Another rate moves each moment of a deck`() throws {
    let track = try Self.track(Self.formats[0])
    var deck = Deck(track, slot: 0, onTwoLoudspeakers: true)
    deck.convertFrames { $0 + 1 }
    #expect(deck.following == nil && deck.silentSince == nil)
    let entry = deck.makeEntry(track, repeats: 0)
    deck.appointments = [10, 20, 30].map { Deck.Appointment(entry: entry, begin: $0) }
    deck.following = Deck.Following(feed: deck.feed, loaded: deck.loaded, entry: nil, begin: 5, voice: nil)
    deck.silentSince = 7
    deck.convertFrames { 2 * $0 }
    #expect(deck.appointments.map(\.begin) == [20, 40, 60])
    #expect(deck.following?.begin == 10 && deck.silentSince == 14)
  }

  @Test func `The repetitions of a sound are known, whether it knows its length or not`() {
    #expect(Tape.Piece(id: 0, frameCount: 10, repeats: 3).allRepetitions == 3)
    #expect(Tape.Piece(id: 0, frameCount: .max, repeats: 3).allRepetitions == 3)
    #expect(Tape.Piece(id: 0, frameCount: 0, repeats: 3).allRepetitions == 3)
    #expect(Tape.Piece(id: 0, frameCount: 10).allRepetitions == 0)
  }

  @Test func `A sound that repeats forever stays so where the sounds behind it are removed`() throws {
    var deck = Deck(try Self.track(Self.formats[0]), slot: 0, onTwoLoudspeakers: true)
    for repeats in [.forever, .times(3), .times(.max)] as [Repeats] {
      deck.changeCurrent { $0.repeats = repeats }
      _ = deck.rewind(toFrame: 0)
      deck.removeLater()
      #expect(deck.current.repeats == repeats)
    }
  }

  @Test func `A sound that was passed is on the tape no more, and its reader is released`() throws {
    let tracks = try (0..<3).map { _ in try Self.track(Self.formats[0]) }
    var deck = Deck(tracks[0], slot: 0, onTwoLoudspeakers: true)
    for track in tracks.dropFirst() { _ = Self.append(track, 0, to: &deck) }
    #expect(deck.feed.removeTracks(of: [7]).isEmpty)
    deck.pass(150, hasReader: false)
    #expect(deck.line.map(\.id) == [1, 2])
    #expect(deck.feed.removeTracks(of: [0]).isEmpty && deck.feed.removeTracks(of: [1, 2]).count == 2)
  }
}
