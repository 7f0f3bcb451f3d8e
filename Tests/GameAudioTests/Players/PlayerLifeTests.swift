import FileDecode
import Foundation
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import GameAudio

/// Waits that end, objects that are released without a lock, and the memory of long lines.
@Suite struct PlayerLifeTests {
  /// A world with sounds that wait until the gate opens.
  private struct Gated {
    let world: AudioWorld
    let file: SoundFile
    let gate = DispatchSemaphore(value: 0)

    init() throws {
      world = AudioWorld(in: try AudioContext(device: .silent))
      file = try SoundFile(try PlayerFixture.noise(4_800))
    }

    /// A sound that opens once for its description, and again when the gate does.
    var soundOfOneDescription: Sound {
      let isDescribed = Once()
      return Sound(streaming: "a sound that waits") { [gate, file] in
        if !isDescribed.isFirst {
          gate.wait()
          gate.signal()
        }
        return try AudioFile(opening: file.path)
      }
    }

    /// Waits until a player has played its playlist, and waits for a sound that is being opened.
    func awaitEndOfLine(of player: SoundPlayer) async throws {
      try await eventually("the playlist is over") { player.inspector.awaitsOpening }
    }

    /// A sound that opens when the gate does.
    var sound: Sound {
      Sound(streaming: "a sound that waits") { [gate, file] in
        gate.wait()
        gate.signal()
        return try AudioFile(opening: file.path)
      }
    }
  }

  /// A property that is true once.
  private final class Once: Sendable {
    private let isOver = Atomic(false)
    var isFirst: Bool { !isOver.exchange(true, ordering: .relaxed) }
  }

  @Test(.hangLimit, arguments: ["play", "stop", "release of what follows"])
  func `A preparation ends with the call that makes it needless`(call: String) async throws {
    let gated = try Gated()
    let player = try SoundPlayer(playing: gated.soundOfOneDescription, in: gated.world)
    if call == "stop" {
      // Paused before its start, the player has no voice.
      player.play(at: .seconds(3_600))
      player.pause()
    }
    let isOver = Collected<Bool>()
    let preparation = Task {
      await player.prepareToPlay()
      isOver.append(true)
    }
    try await eventually("the preparation waits") { player.inspector.waitingTaskCount > 0 }
    switch call {
    case "play": player.play()
    case "stop": player.stop()
    default: player.schedule(gated.file.sound(), .now)
    }
    gated.gate.signal()
    try await eventually("the preparation is over") { !isOver.all.isEmpty }
    await preparation.value
  }

  @Test(.hangLimit, arguments: [SoundPlayer.SchedulePosition.afterQueue, .now, .atLoopEnd, .at(.zero)])
  func `A sound that is opened after the end of the playlist plays in its slot`(slot: SoundPlayer.SchedulePosition)
    async throws
  {
    let gated = try Gated()
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.play()
    player.schedule(gated.sound, slot, repeats: 1)
    try await gated.awaitEndOfLine(of: player)
    #expect(player.isPlaying && events.all.isEmpty)
    // It plays, and waits.
    player.play()
    gated.gate.signal()
    try await eventually("the sound has played") {
      events.all.last == .finished(successfully: true) && !player.isPlaying
    }
    #expect(events.all == [.looped(1), .finished(successfully: true)])
    withExtendedLifetime(token) {}
  }

  @Test(.hangLimit) func `A sound that cannot be opened ends the wait of a player whose playlist is over`() async throws
  {
    let gated = try Gated()
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.play()
    player.schedule(
      Sound(streaming: "gone") { [gate = gated.gate] () throws -> AudioFile in
        gate.wait()
        throw RemovableSound.Gone()
      }
    )
    try await gated.awaitEndOfLine(of: player)
    #expect(player.isPlaying && events.all.isEmpty)
    gated.gate.signal()
    try await eventually("the wait is over") { !player.isPlaying && events.all.count == 2 }
    #expect(events.all == [.decodeError("Gone()"), .finished(successfully: false)])
    withExtendedLifetime(token) {}
  }

  @Test(.hangLimit) func `A sound for a later moment ends the wait of a player whose playlist is over`() async throws {
    let gated = try Gated()
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.play()
    player.schedule(gated.sound, .at(.seconds(3_600)))
    try await gated.awaitEndOfLine(of: player)
    gated.gate.signal()
    try await eventually("the wait is over") { !player.isPlaying && !events.all.isEmpty }
    #expect(events.all == [.finished(successfully: true)])
    withExtendedLifetime(token) {}
  }

  @Test(.hangLimit) func `A stop ends the wait for a sound that was opened while the player was paused`() async throws {
    let gated = try Gated()
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world)
    player.play()
    player.schedule(gated.sound)
    try await gated.awaitEndOfLine(of: player)
    let end = Task { await player.waitUntilEnded() }
    try await eventually("the task waits") { player.inspector.hasWaitingTask }
    player.pause()
    gated.gate.signal()
    try await eventually("the sound is open") { !player.inspector.awaitsOpening }
    player.stop()
    #expect(await end.value == .stopped)
    gated.gate.signal()
  }

  @Test(.hangLimit) func `A limit refuses a sound that is opened behind its moment, which ends the wait`() async throws
  {
    let gated = try Gated()
    let bus = gated.world.mixer.makeBus("music")
    bus.limit = PlaybackLimit(1, whenReached: .refuse)
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world, on: bus)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.play()
    player.schedule(gated.sound, .at(.zero))
    try await gated.awaitEndOfLine(of: player)
    let end = Task { await player.waitUntilEnded() }
    try await eventually("the task waits") { player.inspector.hasWaitingTask }
    let other = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world, on: bus)
    other.play(at: .seconds(3_600))
    gated.gate.signal()
    #expect(await end.value == .refused)
    try await eventually("the end is posted") { !events.all.isEmpty }
    #expect(events.all == [.finished(successfully: false)])
    other.stop()
    gated.gate.signal()
    withExtendedLifetime(token) {}
  }

  @Test(.hangLimit, arguments: [false, true])
  func `A task waits for a sound that is being opened after the end of the playlist, until a stop`(isStopped: Bool)
    async throws
  {
    let gated = try Gated()
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world)
    player.play()
    player.schedule(gated.sound)
    try await gated.awaitEndOfLine(of: player)
    let end = Task { await player.waitUntilEnded() }
    try await eventually("the task waits") {
      player.inspector.hasWaitingTask
    }
    if isStopped { player.stop() } else { gated.gate.signal() }
    #expect(await end.value == (isStopped ? .stopped : .played))
    gated.gate.signal()
  }

  @Test(.hangLimit) func `A start that a limit refuses does not end the wait for a sound that is being opened`()
    async throws
  {
    let gated = try Gated()
    let bus = gated.world.mixer.makeBus("music")
    bus.limit = PlaybackLimit(1, whenReached: .refuse)
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world, on: bus)
    player.play()
    player.schedule(gated.sound)
    try await gated.awaitEndOfLine(of: player)
    let end = Task { await player.waitUntilEnded() }
    try await eventually("the task waits") { player.inspector.hasWaitingTask }
    let other = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world, on: bus)
    other.play(at: .seconds(3_600))
    player.play(at: .seconds(3_600))
    #expect(player.inspector.awaitsOpening && !gated.world.inspector.hasDeferredEvents)
    other.stop()
    gated.gate.signal()
    #expect(await end.value == .played)
    gated.gate.signal()
  }

  @Test(.hangLimit) func `A short sound whose reader comes late is played whole`() async throws {
    let gated = try Gated()
    gated.gate.signal()
    let player = try SoundPlayer(playing: gated.sound, in: gated.world)
    gated.gate.wait()
    player.repeats = 2
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.play()
    let start = gated.world.context.clock
    // The sound lasts for 100 ms.
    try await eventually("the sound would be over") { gated.world.context.clock > start + .milliseconds(500) }
    #expect(events.all.isEmpty && player.isPlaying)
    gated.gate.signal()
    try await eventually("the sound has played") { events.all.last == .finished(successfully: true) }
    let laps = events.all.reduce(0) { sum, event in
      if case .looped(let count) = event { return sum + count }
      return sum
    }
    #expect(laps == 2)
    withExtendedLifetime(token) {}
  }

  @Test(.hangLimit, arguments: ["pause", "interruption"])
  func `A pause during the wait for a sound lets it begin with the next play`(call: String) async throws {
    let gated = try Gated()
    let player = try SoundPlayer(playing: Sound(gated.file.path), in: gated.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    player.play()
    player.schedule(gated.sound)
    try await gated.awaitEndOfLine(of: player)
    if call == "pause" { player.pause() } else { gated.world.beginInterruption() }
    #expect(!player.isPlaying)
    gated.gate.signal()
    try await eventually("the sound is open") { player.inspector.openingCount == 0 }
    #expect(!player.isPlaying)
    if call == "pause" {
      player.play()
    } else {
      gated.world.endInterruption(shouldResume: true, resumingAfter: .seconds(1))
    }
    #expect(player.isPlaying)
    try await eventually("the sound has played") { events.all.last == .finished(successfully: true) }
    #expect(events.all.filter { $0 == .finished(successfully: true) }.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test(
    arguments: [SoundPlayer.SchedulePosition.at(.seconds(100)), .afterQueue],
    ["stop", "interrupt", "loop end", "end"]
  )
  func `Sounds are released without the world's lock`(slot: SoundPlayer.SchedulePosition, call: String) throws {
    var fixture = try PlayerFixture()
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(1_000)), in: fixture.world)
    player.play()
    weak var other: SoundPlayer?
    do {
      // The release of a player takes the lock.
      let captured = try SoundPlayer(playing: Sound(try PlayerFixture.noise(100)), in: fixture.world)
      other = captured
      let file = try SoundFile(try PlayerFixture.noise(2_000, PlayerFixture.mono))
      player.schedule(
        Sound(streaming: "a sound that holds a player") {
          withExtendedLifetime(captured) {}
          return try AudioFile(opening: file.path)
        },
        slot
      )
    }
    #expect(other != nil)
    switch call {
    case "stop": player.stop()
    case "interrupt": player.schedule(Sound(try PlayerFixture.noise(100)), .now)
    case "loop end": player.schedule(Sound(try PlayerFixture.noise(100)), .atLoopEnd)
    default: break
    }
    fixture.offline.render(frameCount: 6_000)
    if case .at = slot, call == "stop" { #expect(other == nil) }
    player.schedule(Sound(try PlayerFixture.noise(100)), .now)
    player.stop()
    fixture.offline.render(frameCount: 2_000)
    #expect(other == nil)
  }

  @Test func `A player releases the sounds of its playlist that are over`() throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(2_000))
    final class Guest: Sendable {}
    struct Reference { weak var guest: Guest? }
    let player = try SoundPlayer(playing: Sound(file.path), in: fixture.world)
    var guests: [Reference] = []
    for _ in 0..<6 {
      let guest = Guest()
      guests.append(Reference(guest: guest))
      let sound = Sound(streaming: "a sound that holds a guest") {
        withExtendedLifetime(guest) {}
        return try AudioFile(opening: file.path)
      }
      player.schedule(sound)
    }
    player.play()
    fixture.offline.render(frameCount: 9_216)
    #expect(guests.map { $0.guest == nil } == [true, true, true, false, false, false])
    // Another voice begins in the middle of the playlist.
    player.volume = 0
    fixture.offline.render(frameCount: 2_048)
    #expect(fixture.world.voiceStatistics().real == 0)
    player.volume = 1
    let returned = !fixture.offline.render(frameCount: 2_048).frames(1_024..<2_048).isSilent()
    #expect(returned && guests.map { $0.guest == nil } == [true, true, true, true, true, false])
    player.playbackTime = .zero
    let rewound = !fixture.offline.render(frameCount: 4_096).frames(1_024..<1_536).isSilent()
    #expect(rewound && !player.isPlaying)
  }

  @Test func `A player releases the sounds that the end of a loop removes`() throws {
    var fixture = try PlayerFixture()
    let file = try SoundFile(try PlayerFixture.noise(2_000))
    final class Guest: Sendable {}
    weak var removed: Guest?
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(24_000)), in: fixture.world)
    player.play()
    do {
      let guest = Guest()
      removed = guest
      player.schedule(
        Sound(streaming: "a sound that holds a guest") {
          withExtendedLifetime(guest) {}
          return try AudioFile(opening: file.path)
        }
      )
    }
    fixture.offline.render(frameCount: 2_048)
    #expect(removed != nil)
    player.schedule(Sound(try PlayerFixture.noise(2_000)), .atLoopEnd)
    #expect(removed == nil && player.isPlaying)
  }

  @Test func `A player forgets the pieces of its timeline that are long over`() throws {
    var fixture = try PlayerFixture()
    let grain = try PlayerFixture.noise(4_800)
    let player = try SoundPlayer(playing: Sound(grain), in: fixture.world)
    player.play()
    var samples: [Float] = []
    for _ in 0..<60 {
      player.schedule(Sound(grain))
      samples += fixture.offline.render(frameCount: 4_800).samples
    }
    #expect(player.inspector.pieceCount < 16)
    let expected = (0..<60).flatMap { _ in grain.samples }
    #expect(largestDifference(samples, expected) < 2e-4)
    #expect(player.duration == .milliseconds(100))
  }

  @Test func `A change of a timeline finds frames that are being read`() throws {
    let opened = try OpenedSound(Sound(try PlayerFixture.noise(1_000)))
    let entry = Playlist.Entry(id: 0, sound: opened, repeats: 0, loopRange: 200..<600)
    let timeline = SharedTimeline(PlaybackTimeline([entry.piece]), TimelineSounds([entry]), opened.format)
    let session = timeline.beginReading()
    let request = try #require(timeline.request(at: 0, upTo: 800, in: session))
    #expect(request.count == 800)
    // The frames from 600 on would belong to another lap.
    #expect(timeline.change { $0.setRepeats(1, at: 0) } == .late)
    timeline.record(try PlayerFixture.noise(500), at: 0, in: session)
    #expect(timeline.change { $0.setRepeats(1, at: 0) } == .made)
  }

  @Test func `A player that a limit of its bus keeps virtual has a voice when another one ends`() throws {
    var fixture = try PlayerFixture()
    let bus = fixture.world.mixer.makeBus("music")
    bus.limit = PlaybackLimit(1, whenReached: .virtualize)
    let sounds = try [4_096, 48_000].map { Sound(try PlayerFixture.noise($0)) }
    let players = try sounds.map { try SoundPlayer(playing: $0, in: fixture.world, on: bus) }
    for player in players { player.play() }
    fixture.offline.render(frameCount: 2_048)
    #expect(players.allSatisfy(\.isPlaying) && fixture.world.voiceStatistics().real == 1)
    #expect(players[1].inspector.source == nil)
    fixture.offline.render(frameCount: 4_096)
    #expect(!players[0].isPlaying && players[1].isPlaying && fixture.world.voiceStatistics().real == 1)
    #expect(players[1].inspector.source?.state == .playing)
  }
}
