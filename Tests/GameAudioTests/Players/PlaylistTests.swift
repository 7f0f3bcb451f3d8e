import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The sounds and the timeline of a playlist, without a world.
@Suite struct PlaylistTests {
  private static func opened(_ format: PCMFormat, _ frames: Int = 100, loop: Range<Int>? = nil) throws -> OpenedSound {
    var sound = Sound(
      try PCMBuffer(samples: Array(repeating: 0.5, count: frames * format.channelCount), format: format)
    )
    sound.loopRange = loop
    return try OpenedSound(sound)
  }

  private static let formats = [PCMFormat.mono(sampleRate: 48_000), .stereo(sampleRate: 48_000)]

  /// Appends a sound as the world does: also to the timeline, if the sound belongs there.
  private static func append(_ opened: OpenedSound, _ repeats: Repeats, to playlist: inout Playlist) -> Int {
    let entry = playlist.makeEntry(opened, repeats: repeats)
    if playlist.append(entry) {
      #expect(playlist.timeline.change(adding: (entry.id, opened)) { $0.append(entry.piece) } == .made)
    }
    return entry.id
  }

  /// Takes the sounds that a playlist has discarded, and expects that they are the given sounds.
  private static func expectReleased(_ expected: [OpenedSound], of playlist: inout Playlist, _ comment: String) {
    let released = (playlist.takeReleased() ?? []).map { ObjectIdentifier($0) }
    for opened in expected { #expect(released.contains(ObjectIdentifier(opened)), "\(comment)") }
    #expect(Set(released) == Set(expected.map { ObjectIdentifier($0) }), "\(comment)")
    #expect(playlist.takeReleased() == nil, "\(comment)")
  }

  @Test func `Random playlists go over from timeline to timeline, and every sound that is over is discarded`() throws {
    var random = SplitMix64(seed: 311)
    for _ in 0..<300 {
      let sounds = try (0..<Int.random(in: 1...7, using: &random)).map { _ in
        try Self.opened(
          Self.formats.randomElement(using: &random) ?? Self.formats[0],
          .random(in: 1...50, using: &random)
        )
      }
      var playlist = Playlist(sounds[0], slot: 3, onTwoLoudspeakers: true)
      var repeats: [Repeats] = [0]
      for opened in sounds.dropFirst() {
        repeats.append(Repeats(integerLiteral: .random(in: 0...2, using: &random)))
        #expect(Self.append(opened, repeats.last ?? 0, to: &playlist) == repeats.count - 1)
      }
      #expect(playlist.entries.map(\.id) == Array(sounds.indices) && playlist.entries.map(\.repeats) == repeats)
      var first = 0
      while true {
        // The sounds of one format at the beginning of the playlist are on the timeline.
        let count = sounds[first...].prefix { $0.format == sounds[first].format }.count
        let ids = Array(first..<first + count)
        #expect(playlist.timeline.format == sounds[first].format && playlist.timeline.copy.pieces.map(\.id) == ids)
        #expect(playlist.hasNextTimeline == (first + count < sounds.count))
        #expect(playlist.current.id == first)
        // Each position belongs to the sound that it is in.
        var (start, lengths) = (0, [Int]())
        for (place, id) in ids.enumerated() {
          let frames = sounds[id].frameCount ?? 0
          let length = frames * (1 + repeats[id].count)
          #expect(playlist.index(at: start) == place && playlist.index(at: start + length - 1) == place)
          #expect(playlist.frame(at: start) == 0 && playlist.frame(at: start + length - 1) == frames - 1)
          start += length
          lengths.append(length)
        }
        #expect(playlist.isEnd(start) && !playlist.isEnd(start - 1))
        #expect(
          playlist.index(at: start) == count - 1 && playlist.frame(at: start) == sounds[ids[count - 1]].frameCount
        )
        if count > 1 {
          playlist.pass(lengths[0] - 1, hasReader: false)
          Self.expectReleased([], of: &playlist, "before the end of the first sound")
          playlist.pass(lengths[0], hasReader: false)
          #expect(playlist.entries.map(\.id) == Array(first + 1..<sounds.count))
          Self.expectReleased([sounds[first]], of: &playlist, "at the end of the first sound")
          first += 1
        }
        guard let next = playlist.nextTimeline() else {
          #expect(!playlist.hasNextTimeline)
          break
        }
        let rest =
          first
          + playlist.entries.prefix { entry in playlist.timeline.copy.pieces.contains { $0.id == entry.id } }.count
        #expect(next.timeline.format == sounds[rest].format && next.timeline.copy.pieces.first?.id == rest)
        playlist.laps = 4
        let upcoming = Playlist.Upcoming(timeline: next.timeline, loaded: next.loaded, entry: nil, begin: 0, voice: nil)
        playlist.upcoming = upcoming
        let over = Array(sounds[first..<rest])
        playlist.switchToNextTimeline(upcoming)
        Self.expectReleased(over, of: &playlist, "at the end of a timeline")
        #expect(
          playlist.laps == 0 && playlist.upcoming == nil && playlist.timeline === next.timeline
            && playlist.loaded === next.loaded
        )
        first = rest
      }
    }
  }

  @Test func `A playlist that is replaced is discarded, with the sounds that have a moment`() throws {
    let sounds = try (0..<5).map { try Self.opened(Self.formats[$0 % 2]) }
    var playlist = Playlist(sounds[0], slot: 0, onTwoLoudspeakers: true)
    _ = Self.append(sounds[1], 0, to: &playlist)
    (playlist.position, playlist.laps) = (70, 2)
    playlist.replaceEntries(with: playlist.makeEntry(sounds[2], repeats: 3))
    #expect(
      playlist.entries.map(\.id) == [2] && playlist.timeline.copy.length == 400 && playlist.position == 0
        && playlist.laps == 0
    )
    Self.expectReleased([sounds[0], sounds[1]], of: &playlist, "another playlist")
    let entry = playlist.makeEntry(sounds[3], repeats: 0)
    let next = Playlist.timeline(of: [entry], sounds[3].format)
    let upcoming = Playlist.Upcoming(timeline: next.timeline, loaded: next.loaded, entry: entry, begin: 5, voice: nil)
    (playlist.upcoming, playlist.laps) = (upcoming, 1)
    playlist.replaceEntries(with: entry, playing: upcoming)
    #expect(
      playlist.current.id == entry.id && playlist.timeline === next.timeline && playlist.upcoming == nil
        && playlist.laps == 0
    )
    Self.expectReleased([sounds[2]], of: &playlist, "a playlist that another voice has begun")
    playlist.scheduledSounds = [Playlist.ScheduledSound(entry: playlist.makeEntry(sounds[4], repeats: 0), begin: 9)]
    playlist.removeScheduledSounds()
    #expect(playlist.scheduledSounds.isEmpty)
    Self.expectReleased([sounds[4]], of: &playlist, "an scheduledSound")
    playlist.upcoming = upcoming
    #expect(playlist.removeVoices(.upcoming, at: 0).isEmpty && playlist.upcoming == nil)
    Self.expectReleased([sounds[3]], of: &playlist, "a timeline that was to follow")
  }

  @Test func `A rewind begins a timeline at a frame of the sound, and one behind the loop plays to the end`() throws {
    let sounds = [try Self.opened(Self.formats[0], loop: 20..<60), try Self.opened(Self.formats[0], 30)]
    var playlist = Playlist(sounds[0], slot: 0, onTwoLoudspeakers: true)
    playlist.changeCurrent { $0.repeats = 2 }
    _ = Self.append(sounds[1], 1, to: &playlist)
    let frames: [(asked: Int, frame: Int, length: Int)] = [
      (-5, 0, 240), (0, 0, 240), (59, 59, 240), (60, 60, 160), (99, 99, 160), (100, 100, 160), (5_000, 100, 160),
    ]
    for (asked, frame, length) in frames {
      playlist.laps = 1
      #expect(playlist.rewind(toFrame: asked) == frame, "\(asked)")
      #expect(
        playlist.timeline.copy.length == length && playlist.timeline.copy.pieces.map(\.id) == [0, 1]
          && playlist.laps == 0,
        "\(asked)"
      )
      #expect(playlist.timeline.format == sounds[0].format && playlist.loaded.frameCount == playlist.loaded.frameCount)
    }
    #expect(playlist.takeReleased() == nil)
  }

  @Test func `The end of a loop removes the sounds that are not on the timeline, and keeps its repetitions`() throws {
    let sounds = try [0, 0, 1].map { try Self.opened(Self.formats[$0]) }
    for lap in 0...4 {
      var playlist = Playlist(sounds[0], slot: 0, onTwoLoudspeakers: true)
      playlist.changeCurrent { $0.repeats = 3 }
      _ = playlist.rewind(toFrame: 0)
      for opened in sounds.dropFirst() { _ = Self.append(opened, 0, to: &playlist) }
      #expect(playlist.timeline.copy.length == 500)
      let isBehind = lap == 4
      #expect(playlist.timeline.change { $0.endWithLap(at: 100 * lap + 50) } != .late)
      playlist.removeLater()
      // A seek makes the timeline anew from the playlist.
      #expect(playlist.entries.map(\.id) == (isBehind ? [0, 1] : [0]), "\(lap)")
      #expect(playlist.current.repeats == .times(min(lap, 3)), "\(lap)")
      Self.expectReleased(isBehind ? [sounds[2]] : [sounds[1], sounds[2]], of: &playlist, "lap \(lap)")
      _ = playlist.rewind(toFrame: 0)
      #expect(playlist.timeline.copy.length == 100 * (min(lap, 3) + 1) + (isBehind ? 100 : 0), "\(lap)")
    }
  }

  @Test func `A pan that has no effect is reported once for each sound of more than two channels`() throws {
    let quad = PCMFormat(sampleRate: 48_000, layout: .quad)
    var playlist = Playlist(try Self.opened(quad), slot: 0, onTwoLoudspeakers: true)
    #expect(playlist.reportPan() == nil)
    playlist.setPan(-0.5, onTwoLoudspeakers: true)
    #expect(playlist.reportPan() != nil && playlist.reportPan() == nil)
    playlist.replaceEntries(with: playlist.makeEntry(try Self.opened(Self.formats[1]), repeats: 0))
    #expect(playlist.reportPan() == nil)
    playlist.replaceEntries(with: playlist.makeEntry(try Self.opened(quad), repeats: 0))
    #expect(playlist.reportPan() != nil && playlist.reportPan() == nil)
  }

  @Test func `The levels are those of the timeline that is audible`() throws {
    var playlist = Playlist(try Self.opened(Self.formats[0]), slot: 0, onTwoLoudspeakers: true)
    #expect(playlist.metered(at: 7).timeline === playlist.timeline && playlist.metered(at: 7).position == 7)
    let old = playlist.timeline
    playlist.previous = Playlist.Previous(timeline: old, offset: 30)
    _ = playlist.rewind(toFrame: 3)
    #expect(
      playlist.metered(at: 7).timeline === old && playlist.metered(at: 7).position == 37 && playlist.timeline !== old
    )
  }

  @Test func `Another rate moves each moment of a playlist`() throws {
    let opened = try Self.opened(Self.formats[0])
    var playlist = Playlist(opened, slot: 0, onTwoLoudspeakers: true)
    playlist.convertFrames(FrameConversion(oldPresent: 0, present: 1, ratio: 1))
    #expect(playlist.upcoming == nil && playlist.silentSince == nil)
    let entry = playlist.makeEntry(opened, repeats: 0)
    playlist.scheduledSounds = [10, 20, 30].map { Playlist.ScheduledSound(entry: entry, begin: $0) }
    playlist.upcoming = Playlist.Upcoming(
      timeline: playlist.timeline,
      loaded: playlist.loaded,
      entry: nil,
      begin: 5,
      voice: nil
    )
    playlist.silentSince = 7
    playlist.convertFrames(FrameConversion(oldPresent: 0, present: 0, ratio: 2))
    #expect(playlist.scheduledSounds.map(\.begin) == [20, 40, 60])
    #expect(playlist.upcoming?.begin == 10 && playlist.silentSince == 14)
  }

  @Test func `The repetitions of a sound are known, whether it knows its length or not`() {
    #expect(PlaybackTimeline.Piece(id: 0, frameCount: 10, repeats: 3).allRepetitions == 3)
    #expect(PlaybackTimeline.Piece(id: 0, frameCount: .max, repeats: 3).allRepetitions == 3)
    #expect(PlaybackTimeline.Piece(id: 0, frameCount: 0, repeats: 3).allRepetitions == 3)
    #expect(PlaybackTimeline.Piece(id: 0, frameCount: 10).allRepetitions == 0)
  }

  @Test func `A sound that repeats forever stays so where the sounds behind it are removed`() throws {
    var playlist = Playlist(try Self.opened(Self.formats[0]), slot: 0, onTwoLoudspeakers: true)
    for repeats in [.forever, .times(3), .times(.max)] as [Repeats] {
      playlist.changeCurrent { $0.repeats = repeats }
      _ = playlist.rewind(toFrame: 0)
      playlist.removeLater()
      #expect(playlist.current.repeats == repeats)
    }
  }

  @Test func `A sound that was passed is on the timeline no more, and its reader is released`() throws {
    let sounds = try (0..<3).map { _ in try Self.opened(Self.formats[0]) }
    var playlist = Playlist(sounds[0], slot: 0, onTwoLoudspeakers: true)
    for opened in sounds.dropFirst() { _ = Self.append(opened, 0, to: &playlist) }
    #expect(playlist.timeline.removeSounds(of: [7]).isEmpty)
    playlist.pass(150, hasReader: false)
    #expect(playlist.entries.map(\.id) == [1, 2])
    #expect(playlist.timeline.removeSounds(of: [0]).isEmpty && playlist.timeline.removeSounds(of: [1, 2]).count == 2)
  }
}
