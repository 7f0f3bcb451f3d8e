import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The waits of a player and the changes of its playlist that need no voice.
@Suite struct PlaylistWaitTests {
  private static func playlist(loop: Range<Int>? = nil) throws -> Playlist {
    let samples = Array(repeating: Float(0.5), count: 48_000)
    var sound = Sound(try PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
    sound.loopRange = loop
    return Playlist(try OpenedSound(sound), slot: 0, onTwoLoudspeakers: true)
  }

  @Test(arguments: [Playlist.Wait.none, .playing, .paused], 1...2)
  func `A sound that is opened, or is not, has one effect`(wait: Playlist.Wait, opening: Int) throws {
    for (hasMoment, hasFailed) in [(false, false), (true, false), (false, true), (true, true)] {
      for hadFailed in [false, true] {
        var playlist = try Self.playlist()
        (playlist.wait, playlist.openingCount, playlist.hasFailed) = (wait, opening, hadFailed)
        let effect = playlist.finishOpening(hasMoment: hasMoment, hasFailed: hasFailed)
        #expect(playlist.openingCount == opening - 1 && playlist.hasFailed == (hadFailed || hasFailed))
        if wait == .none {
          #expect(effect == .joins && playlist.wait == .none)
        } else if !hasMoment, !hasFailed {
          #expect(effect == .replaces(plays: wait == .playing) && playlist.wait == .none)
        } else if opening > 1 {
          // The player waits for the other sound.
          #expect(effect == .joins && playlist.wait == wait)
        } else {
          #expect(effect == .endsWait(playlist.hasFailed ? .failed : .played) && playlist.wait == .none)
        }
      }
    }
  }

  @Test func `A player whose playlist is over waits for a sound that is being opened`() throws {
    for (isOver, opening) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
      var playlist = try Self.playlist()
      (playlist.openingCount, playlist.wait, playlist.silentSince, playlist.laps) = (opening, .paused, 3, 2)
      playlist.end(at: 700, isOver: isOver)
      #expect(playlist.position == (isOver ? 0 : 700) && playlist.laps == (isOver ? 0 : 2))
      #expect(playlist.wait == (isOver && opening > 0 ? .playing : .none) && playlist.silentSince == nil)
      #expect(playlist.isWaiting == playlist.awaitsOpening)
      playlist.setWaitPaused(true)
      #expect(!playlist.isWaiting && playlist.awaitsOpening == (isOver && opening > 0))
      playlist.setWaitPaused(false)
      #expect(playlist.isWaiting == (isOver && opening > 0))
    }
  }

  @Test func `A call overrides an interruption, and nothing else`() throws {
    for interruption in [Playlist.Interruption.none, .paused, .overridden] {
      var playlist = try Self.playlist()
      playlist.interruption = interruption
      playlist.beginOpening()
      #expect(playlist.openingCount == 1)
      #expect(playlist.interruption == (interruption == .none ? .none : .overridden))
    }
  }

  @Test func `Sounds that are due come in their order, and one that is prepared is not prepared again`() throws {
    var playlist = try Self.playlist()
    let sounds = [30, 10, 20, 10].map { begin in
      Playlist.ScheduledSound(entry: playlist.makeEntry(playlist.current.sound, repeats: 0), begin: begin)
    }
    for sound in sounds { playlist.insert(sound) }
    #expect(playlist.scheduledSounds.map(\.entry.id) == [2, 4, 3, 1])
    #expect(playlist.takeDueSound(at: 9) == nil)
    let next = try #require(playlist.timeline(for: sounds[1].entry))
    playlist.upcoming = Playlist.Upcoming(
      timeline: next.timeline,
      loaded: next.loaded,
      entry: sounds[1].entry,
      begin: 10,
      voice: nil
    )
    for (id, isPrepared) in [(2, true), (4, false), (3, false)] {
      let due = playlist.takeDueSound(at: 20)
      #expect(due?.sound.entry.id == id && due?.isPrepared == isPrepared)
    }
    #expect(playlist.takeDueSound(at: 20) == nil && playlist.scheduledSounds.map(\.begin) == [30])
  }

  @Test func `A loop range without a frame is ignored, and another one keeps the frame of the sound`() throws {
    var playlist = try Self.playlist(loop: 0..<1_000)
    let old = playlist.timeline
    guard case .unchanged = playlist.setLoopRange(nil, at: 50) else {
      Issue.record("The property is `nil`.")
      return
    }
    guard case .ignored(let count) = playlist.setLoopRange(48_000..<48_010, at: 50) else {
      Issue.record("The range is behind the sound.")
      return
    }
    #expect(count == 48_000 && playlist.timeline === old && playlist.current.loopRange == nil)
    _ = playlist.setRepeats(.forever, at: 0, needing: 0)
    guard case .moved(let position, let after) = playlist.setLoopRange(0..<2_000, at: 1_500) else {
      Issue.record("The range has frames.")
      return
    }
    // The position is in the second lap of the old loop.
    #expect(position == 500 && after === old && playlist.timeline !== old && playlist.position == 500)
    #expect(playlist.current.loopRange == 0..<2_000)
  }

  @Test func `A rewind goes back to the beginning of the sound at most`() throws {
    let playlist = try Self.playlist()
    #expect(playlist.frame(.milliseconds(100), before: 9_600) == 4_800)
    #expect(playlist.frame(.seconds(9), before: 9_600) == 0)
    #expect(playlist.frame(.zero, before: 9_600) == nil && playlist.frame(.seconds(-1), before: 9_600) == nil)
  }
}
