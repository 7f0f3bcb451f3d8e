import Spatial3D
import Testing

@testable import GameAudio

/// The values that the documentation states: defaults, limits and constants.
@Suite struct StandardValueTests {
  @Test func `Sounds, limits, fades, duckers and snapshots have their defaults`() throws {
    let sound = Sound("step.wav")
    #expect(sound.choice == .random(avoidingLast: 1) && sound.pitchVariation == 0...0 && sound.levelVariation == 0...0)
    #expect(sound.attenuation == DistanceAttenuation() && sound.rolloffCurve == nil && sound.silentBeyond == nil)
    #expect(sound.loopRange == nil && sound.limit == nil && sound.loudnessOfMany == .added && !sound.runsWhileLoading)
    #expect(PlaybackLimit(3) == PlaybackLimit(3, whenReached: .stealQuietest, spacing: .zero))
    #expect(PlaybackLimit(3).count == 3 && PlaybackLimit(-3).count == -3 && PlaybackLimit(3).spacing == .zero)
    #expect(Fade(.seconds(2)).curve == .decibels && Fade.declick == Fade(.milliseconds(10), .decibels))
    #expect(Fade.none.duration == .zero)
    let ducking = Ducking(by: -6)
    #expect(ducking.trigger == .playing && ducking.depth == -6 && ducking.attack == .milliseconds(100))
    #expect(ducking.hold == .milliseconds(300) && ducking.release == .milliseconds(700))
    #expect(MixSnapshot()["music"] == MixSnapshot.Line(gain: .unity, low: 0, high: 0, pitch: 1))
    #expect(MixSnapshot.Line() == MixSnapshot.Line(gain: .unity, low: 0, high: 0, pitch: 1))
    let portal = Portal(between: "hall", and: nil, at: [1, 2, 3])
    #expect(portal.radius == 1 && portal.openness == 1 && portal.name == "hall–outdoors")
    #expect(Portal(between: nil, and: "hall", at: .zero).name == "outdoors–hall")
    let zone = ReverbZone(.sphere(center: .zero, radius: 1), Reverb(.smallRoom))
    #expect(zone.fade == 3 && zone.priority == 0 && zone.name.isEmpty)
    #expect(OcclusionResult.clear == OcclusionResult(occlusion: 0, obstruction: 0))
    #expect(OcclusionResult.wall(-7) == OcclusionResult(occlusion: -7, obstruction: 0))
    #expect(OcclusionResult.obstacle(-7) == OcclusionResult(occlusion: 0, obstruction: -7))
    let results: [OcclusionResult] = [.clear, .wall(-7), .obstacle(-7)]
    #expect(results.map(\.occlusion) == [0, -7, 0] && results.map(\.obstruction) == [0, 0, -7])
  }

  @Test func `A priority lies between 0 and 100, and 50 is the normal one`() {
    for (value, used) in [(-1, 0), (0, 0), (1, 1), (50, 50), (99, 99), (100, 100), (101, 100)] {
      #expect(Int(Priority(value).rawValue) == used)
    }
    #expect(Priority.normal == Priority(50) && Priority.mustBeHeard == Priority(100) && Priority.normal.factor == 1)
    #expect(Priority(5) < Priority(6) && !(Priority(5) < Priority(5)) && !(Priority(6) < Priority(5)))
    #expect(SoundKey("a") < "b" && !(SoundKey("a") < "a") && !(SoundKey("b") < "a") && SoundKey("a").description == "a")
    #expect((-1 as Repeats) == .forever && (0 as Repeats) == .times(0) && (3 as Repeats) == .times(3))
  }

  @Test func `A voice begins at -80 dB, returns at -77 dB, and is kept by 1.5 dB`() {
    #expect(abs(Decibels(factor: Audibility.threshold).rawValue + 80) < 1e-4)
    #expect(abs(Decibels(factor: Audibility.thresholdOfReturn).rawValue + 77) < 1e-3)
    #expect(abs(Decibels(factor: Audibility.hysteresis).rawValue - 1.5) < 1e-3)
    #expect(Audibility.largest == 1e6 && ListenerChoice.hysteresis == Audibility.hysteresis)
    var loud = Audibility()
    #expect(loud.audible == 1)
    loud.gain = 9e5
    #expect(loud.audible == 9e5)
    loud.gain = 2e6
    #expect(loud.audible == 1e6)
    #expect(VoiceChoice.mostDisplacements == 8 && ListenerChoice.capacity == 4)
  }

  @Test func `Files and readers have 16 threads each, and a delay is reported after five seconds`() {
    #expect(LoadQueue.Lane.allCases.map(\.mostThreads) == [16, 16, 16] && LoadQueue.patience == 5_000_000_000)
    #expect(RecentReports.limit == 1_024 && MixTime.tick == 512 && SharedTimeline.ShortLoop.mostFrames == 4_096)
    #expect(Frames.last == 1 << 52 && ZonePool.capacity == 3)
  }

  @Test func `The ranges of gains end at 24 and at 12 decibels`() {
    #expect(Emitter.gainRange == .silence ... .decibels(24) && Bus.gainRange == .silence ... .decibels(12))
    #expect(Bus.pitchRange == 0.25...4 && OcclusionResult.range == -100...0)
  }

  @Test func `Events of one kind join in their order, and ends stay alone`() {
    let ends = EmitterEvent.Reason.allCases.map { EmitterEvent.ended($0) }
    let others: [EmitterEvent] = [.looped(2), .becameReal, .becameVirtual]
    #expect(ends.allSatisfy { !$0.isJoinable && !$0.isCount } && others.allSatisfy(\.isJoinable))
    #expect(others.map(\.isCount) == [true, false, false])
    #expect(EmitterEvent.looped(2).joined(with: .looped(5)) == .looped(7))
    for (index, first) in (ends + others).enumerated() {
      for (place, second) in (ends + others).enumerated() where first != .looped(2) || second != .looped(2) {
        let isSame = index == place && (first == .becameReal || first == .becameVirtual)
        #expect(first.joined(with: second) == (isSame ? second : nil))
      }
    }
    let players: [PlayerEvent] = [
      .finished(successfully: true), .interruptionBegan, .interruptionEnded(shouldResume: true), .decodeError(""),
      .looped(3),
    ]
    #expect(players.map(\.isJoinable) == [false, false, false, false, true])
    #expect(players.map(\.isCount) == [false, false, false, false, true])
    #expect(players[4].joined(with: .looped(4)) == .looped(7) && players[4].joined(with: players[0]) == nil)
    #expect(players[0].joined(with: players[0]) == nil && players[0].joined(with: players[4]) == nil)
    let tick = BeatClock.Tick(bar: 1, beat: 2, position: 3, moment: .seconds(4))
    #expect(!tick.isJoinable && !tick.isCount && tick.joined(with: tick) == nil)
  }

  @Test func `Of equal players in a limit the first one of the list is stolen`() {
    let players = (0..<3).map { _ in PlaybackLimit.Player(order: 4, loudness: 0.5, distance: 9) }
    let newcomer = PlaybackLimit.Player(order: 5, loudness: 1, distance: 1)
    for overflow in [PlaybackLimit.Overflow.stealOldest, .stealQuietest, .stealFarthest] {
      let limit = PlaybackLimit(3, whenReached: overflow)
      let decision = limit.decide(
        newcomer,
        playing: 3,
        among: { players },
        framesSinceLast: nil,
        sampleRate: 48_000
      )
      #expect(decision == .steal(0), "\(overflow)")
    }
  }
}
