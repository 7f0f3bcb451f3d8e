import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The decisions of a playlist about the voices of its player, without a world.
@Suite struct PlaylistVoiceTests {
  private static func playlist(frames: Int = 1_000) throws -> Playlist {
    let samples = Array(repeating: Float(0.5), count: frames)
    let sound = Sound(try PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
    return Playlist(try OpenedSound(sound), slot: 0, onTwoLoudspeakers: true)
  }

  private static func key(_ voice: Int) -> VoiceKey { VoiceKey(voice: VoiceIndex(voice), use: 7) }

  private static func reader(of playlist: Playlist, voice: Int) -> Playlist.ReplacementReader {
    let (timeline, loaded) = playlist.copiedTimeline()
    return Playlist.ReplacementReader(timeline: timeline, loaded: loaded, voice: key(voice))
  }

  private static func released(by playlist: inout Playlist) -> Set<ObjectIdentifier> {
    Set((playlist.takeReleased() ?? []).map { ObjectIdentifier($0) })
  }

  @Test(arguments: 0..<8 as Range<UInt8>, ["none", "timeline", "reader"])
  func `A player gives up the kinds of voices that it is asked for, and no others`(kinds: UInt8, kind: String) throws {
    let kinds = Playlist.AdditionalVoices(rawValue: kinds)
    for (begin, voice) in [(4, 1), (5, 1), (6, 1), (4, nil)] as [(Int, Int?)] {
      var playlist = try Self.playlist()
      let entry = playlist.makeEntry(playlist.current.sound, repeats: 0)
      let next = try #require(playlist.timeline(for: entry))
      playlist.upcoming = Playlist.Upcoming(
        timeline: next.timeline,
        loaded: next.loaded,
        entry: entry,
        begin: begin,
        voice: voice.map { Self.key($0) }
      )
      let reader = Self.reader(of: playlist, voice: 2)
      if kind == "timeline" { playlist.beginReplacement(by: Self.key(2), after: playlist.timeline, offset: 0) }
      if kind == "reader" { playlist.replacement = .reader(reader) }
      let lost = playlist.removeVoices(kinds, at: 5)
      let losesReplacement =
        kind == "timeline" && kinds.contains(.timeline) || kind == "reader" && kinds.contains(.reader)
      var expected: [Playlist.LostVoice] = []
      if kinds.contains(.upcoming), let voice {
        expected.append(Playlist.LostVoice(key: Self.key(voice), isAudible: begin < 5))
      }
      if losesReplacement { expected.append(Playlist.LostVoice(key: Self.key(2), isAudible: false)) }
      #expect(lost == expected)
      #expect((playlist.upcoming == nil) == kinds.contains(.upcoming))
      #expect((playlist.replacement == nil) == (kind == "none" || losesReplacement))
      var objects: Set<ObjectIdentifier> = []
      if kinds.contains(.upcoming) { objects.insert(ObjectIdentifier(entry.sound)) }
      if losesReplacement, kind == "reader" {
        objects.formUnion([ObjectIdentifier(reader.loaded), ObjectIdentifier(reader.timeline)])
      }
      #expect(Self.released(by: &playlist) == objects)
    }
  }

  @Test func `A voice that takes over ends the levels of the previous timeline`() throws {
    for isReader in [false, true] {
      var playlist = try Self.playlist()
      let (first, second) = (playlist.timeline, try Self.playlist().timeline)
      playlist.beginReplacement(by: Self.key(1), after: first, offset: 30)
      playlist.beginReplacement(by: Self.key(2), after: second, offset: 12)
      // The present voice plays the first timeline until a voice takes over.
      #expect(playlist.metered(at: 5).timeline === first && playlist.metered(at: 5).position == 47)
      let reader = Self.reader(of: playlist, voice: 3)
      if isReader { playlist.replacement = .reader(reader) }
      let own = playlist.timeline
      #expect(playlist.finishReplacement()?.voice == Self.key(isReader ? 3 : 2))
      #expect(playlist.replacement == nil && playlist.previous == nil)
      #expect(playlist.timeline === (isReader ? reader.timeline : own))
      #expect(playlist.loaded === reader.loaded || !isReader)
      #expect(Self.released(by: &playlist) == Set([own, first].map { ObjectIdentifier($0) }))
      #expect(playlist.finishReplacement() == nil)
    }
  }

  @Test func `A voice that cannot be opened is forgotten, and no other voice`() throws {
    var playlist = try Self.playlist()
    let next = try #require(playlist.timeline(for: playlist.current))
    playlist.upcoming = Playlist.Upcoming(
      timeline: next.timeline,
      loaded: next.loaded,
      entry: nil,
      begin: 9,
      voice: Self.key(1)
    )
    playlist.beginReplacement(by: Self.key(2), after: playlist.timeline, offset: 0)
    playlist.removeFailedVoice(Self.key(3))
    #expect(playlist.upcoming?.voice == Self.key(1) && playlist.replacement?.voice == Self.key(2))
    playlist.removeFailedVoice(Self.key(1))
    #expect(playlist.upcoming?.begin == 9 && playlist.upcoming?.voice == nil && playlist.isNextPrepared)
    playlist.removeFailedVoice(Self.key(2))
    // The present voice still plays the previous timeline.
    #expect(playlist.replacement == nil && playlist.previous != nil)
    // It no longer does after the end of the player, and behind the end of the timeline.
    var ended = playlist
    ended.end(at: 10, isOver: false)
    #expect(ended.previous == nil && ended.position == 10)
    let entry = playlist.makeEntry(playlist.current.sound, repeats: 0)
    let other = try #require(playlist.timeline(for: entry))
    playlist.begin(.init(timeline: other.timeline, loaded: other.loaded, entry: entry, begin: 0, voice: nil))
    #expect(playlist.previous == nil)
  }

  @Test func `Each replacement has its step`() throws {
    var playlist = try Self.playlist()
    for (isTaken, isMixed) in [(false, false), (false, true), (true, false), (true, true)] {
      playlist.replacement = nil
      #expect(playlist.replacementStep(isTaken: isTaken, isMixed: isMixed) == .wait)
      playlist.replacement = .timeline(Self.key(1))
      let isWaiting = isTaken && !isMixed
      #expect(playlist.replacementStep(isTaken: isTaken, isMixed: isMixed) == (isWaiting ? .wait : .takeOver))
      playlist.replacement = .reader(Self.reader(of: playlist, voice: 2))
      let compared = isWaiting ? Playlist.ReplacementStep.wait : .compare(Self.key(2))
      #expect(playlist.replacementStep(isTaken: isTaken, isMixed: isMixed) == (isTaken ? compared : .refuse))
    }
  }

  @Test func `Another reader may follow if the time suffices and no voice is on the way`() throws {
    var random = SplitMix64(seed: 40)
    for _ in 0..<500 {
      var playlist = try Self.playlist(frames: .random(in: 1...300, using: &random))
      let length = try #require(playlist.timeline.copy.length)
      let (now, position) = (Int.random(in: 0...9, using: &random), Int.random(in: 0...length, using: &random))
      let frames = Int.random(in: 0...300, using: &random)
      playlist.earliestReader = [nil, 0, 5].randomElement(using: &random) ?? nil
      let isReplaced = Int.random(in: 0..<4, using: &random) == 0
      if isReplaced { playlist.replacement = .timeline(Self.key(1)) }
      let isInTime = playlist.earliestReader.map { $0 <= now } ?? false
      #expect(
        playlist.mayReplaceReader(at: now, position: position, needing: frames)
          == (isInTime && !isReplaced && length - position >= frames)
      )
    }
  }

  @Test func `Another reader has a fault if it fails, or reads other frames`() throws {
    let playlist = try Self.playlist()
    let reader = Self.reader(of: playlist, voice: 1)
    #expect(playlist.fault(of: reader, at: 10) == nil)
    // The sound is over.
    #expect(playlist.fault(of: reader, at: 1_000) == .differs)
    let request = SharedTimeline.Request(
      id: 0,
      sound: playlist.current.sound,
      frame: 400,
      lap: 0,
      count: 1,
      loop: nil
    )
    playlist.timeline.end(request, at: 400, because: nil, in: playlist.timeline.beginReading())
    #expect(playlist.fault(of: reader, at: 10) == nil && playlist.fault(of: reader, at: 500) == .differs)
    let session = playlist.timeline.beginReading()
    let other = reader.timeline.beginReading()
    playlist.timeline.report("cut", at: 50, in: session)
    reader.timeline.report("cut", at: 50, in: other)
    #expect(playlist.fault(of: reader, at: 10) == nil, "The present reader has failed there too.")
    reader.timeline.report("damaged", at: 60, in: other)
    #expect(playlist.fault(of: reader, at: 10) == .failed(["damaged"]))
  }

  @Test func `A fault delays the next reader until the sound or its pan changes`() throws {
    var playlist = try Self.playlist()
    for fault in [Playlist.ReaderFault.late, .differs, .failed([])] {
      playlist.delayReader(after: fault, at: 100, sampleRate: 44_100)
      #expect(playlist.earliestReader == (fault == .failed([]) ? nil : 44_200))
      playlist.setPan(playlist.pan == 0 ? 1 : 0, onTwoLoudspeakers: true)
      #expect(playlist.earliestReader == 0)
    }
    playlist.delayReader(after: .failed([]), at: 100, sampleRate: 44_100)
    playlist.setPan(-1, onTwoLoudspeakers: true)
    #expect(playlist.earliestReader == nil)
    _ = playlist.seek(toFrame: 3)
    #expect(playlist.earliestReader == 0)
  }

  @Test func `A voice is late beyond a number of frames of the mix at the speed of the player`() {
    for (step, allowed) in [(1.0, 10), (0.25, 96), (4, 96)] {
      let clock = LogicalClock(.init(frameCount: 100_000), at: 0, place: 500, step: step)
      let (exact, most) = (clock.position(at: 64), step * Double(allowed) + 1)
      for (offset, isLate) in [(0, false), (most - 0.5, false), (most + 0.5, true)] {
        #expect(Playlist.isLate(exact + offset, behind: clock, at: 64, allowing: allowed) == isLate)
        #expect(Playlist.isLate(exact - offset, behind: clock, at: 64, allowing: allowed) == isLate)
      }
      #expect(Playlist.isLate(nil, behind: clock, at: 64, allowing: allowed))
    }
  }
}
