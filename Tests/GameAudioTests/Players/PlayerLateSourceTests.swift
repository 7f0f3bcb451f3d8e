import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Players whose source is behind the clock after an underrun.
@Suite struct PlayerLateSourceTests {
  @Test func `A lap is reported once if the clock goes back to a source that is late`() throws {
    var fixture = try PlayerFixture()
    let pcm = try PlayerFixture.noise(12_000)
    let removable = RemovableSound(pcm)
    let player = try fixture.directPlayer(removable.sound)
    player.repeats = 19
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    fixture.offline.render(frameCount: 19_500)
    removable.remove()
    try player.delay(by: 4_800)
    fixture.offline.render(frameCount: 20 * 12_000)
    let laps = events.all.reduce(0) { if case .looped(let count) = $1 { $0 + count } else { $0 } }
    #expect(laps == 19 && events.all.last == .finished(successfully: true) && !player.isPlaying)
    token.cancel()
  }

  @Test(arguments: [4_800, 12_000, 24_000])
  func `A queue plays to its end if its source is late at the boundary of two sounds`(delay: Int) throws {
    var fixture = try PlayerFixture()
    let first = try PlayerFixture.noise(96_000)
    let second = try PlayerFixture.noise(96_000, seed: 3)
    let removable = [RemovableSound(first), RemovableSound(second)]
    let player = try fixture.directPlayer(removable[0].sound)
    player.schedule(removable[1].sound)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    fixture.offline.render(frameCount: 70_000 - 5_120)
    try player.delay(by: delay)
    var mix = fixture.offline.render(frameCount: 40_000)
    // The reader has opened both by now. Another reader would begin at the clock.
    for sound in removable { sound.remove() }
    let rest = fixture.offline.render(frameCount: 2 * 96_000 + delay - 110_000 + 4_096)
    mix.append(frames: rest.frameCount) { room in for sample in rest.samples { room.append(sample) } }
    // The source is at the beginning of the second sound then.
    let boundary = 96_000 - 70_000 + delay
    let expected = PlayerFixture.samples(second, 0..<60_000)
    #expect(largestDifference(PlayerFixture.samples(mix, boundary..<boundary + 60_000), expected) < 2e-5)
    #expect(events.all == [.finished(successfully: true)] && !player.isPlaying)
    token.cancel()
  }

  @Test func `A late player whose sound cannot be opened again gets the position that it plays`() throws {
    var fixture = try PlayerFixture()
    let pcm = try PlayerFixture.noise(240_000)
    let removable = RemovableSound(pcm)
    let player = try fixture.directPlayer(removable.sound)
    removable.remove()
    let source = try player.source()
    try player.delay(by: 4_800)
    fixture.offline.render(frameCount: 60_000)
    #expect(player.isPlaying && player.playbackTime == source.playbackTime)
    #expect(source.playbackFrame == 65_120 - 4_800)
  }

  @Test func `A pause ends the delay of a stream after an underrun`() throws {
    var fixture = try PlayerFixture()
    let player = try fixture.directPlayer(Sound(try PlayerFixture.noise(96_000)))
    player.inspector.noteUnderrun()
    #expect(player.inspector.lateSince != nil)
    player.pause()
    fixture.offline.render(frameCount: 2_048)
    let voice = try #require(player.inspector.voice)
    player.inspector.correctPausedClock(5_000)
    #expect(player.inspector.voice == voice && player.inspector.lateSince == nil)
    #expect(player.playbackTime == fixture.offline.format.duration(ofFrames: 5_000))
  }

  @Test func `The place of a late source is that of its last lap behind the clock`() {
    var random = SplitMix64(seed: 23)
    for _ in 0..<3_000 {
      let count = Int.random(in: 100...2_000, using: &random)
      let first = Int.random(in: 0..<count / 2, using: &random)
      let times = Int.random(in: -1...6, using: &random)
      let course = LogicalClock.Course(
        frameCount: count,
        loopRange: first..<count - Int.random(in: 0...9, using: &random),
        repeats: Repeats(integerLiteral: times)
      )
      var clock = LogicalClock(course, at: 0, step: 1)
      let frame = Int.random(in: 0...6_000, using: &random)
      let computed = clock.position(at: frame)
      // The position of a source that is late by more than a lap is ambiguous.
      let delay = min(Double.random(in: 0...Double(course.loopRange.count) - 2, using: &random), computed)
      let real = computed - delay
      clock.adoptDelay(place: course.place(of: real), at: frame)
      #expect(abs(clock.position(at: frame) - real) < 1e-6, "\(course) \(computed) \(real)")
      #expect(abs(clock.position(at: frame + 5) - min(real + 5, course.length ?? .infinity)) < 1e-6)
    }
  }
}
