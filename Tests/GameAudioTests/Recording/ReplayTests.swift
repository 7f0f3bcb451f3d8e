import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Recordings of worlds, and their replays.
@Suite struct ReplayTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  /// The first sample that differs; `nil` for none.
  private static func difference(_ left: [Float], _ right: [Float]) -> Int? {
    if let index = zip(left, right).enumerated().first(where: { $0.element.0 != $0.element.1 })?.offset { return index }
    return left.count == right.count ? nil : min(left.count, right.count)
  }

  @Test(arguments: 0..<8) func `Random scenes replay to the bit`(batch: UInt64) throws {
    var (soundingCount, completeCount) = (0, 0)
    var spaces = (zones: 0, portals: 0, rays: 0, listeners: 0)
    for seed in batch * 26..<batch * 26 + 26 {
      var scene = try RandomScene(seed: seed)
      try scene.prepare()
      let hasStrip = scene.world.inspector.hasHadInserts
      let recording = scene.world.record(snapshotsEach: .milliseconds(20))
      let mix = try scene.play(frames: 14)
      recording.stop()
      if recording.isComplete { completeCount += 1 }
      var offline = try OfflineRenderer(format: RandomScene.format)
      let world = AudioWorld(in: offline.context, voiceLimit: scene.world.snapshot().voiceLimit)
      recording.replay(in: world)
      let copy = offline.render(frameCount: mix.count / 2).samples
      let place = Self.difference(mix, Array(copy))
      if recording.isComplete {
        #expect(place == nil, "seed \(seed): frame \((place ?? 0) / 2) of \(mix.count / 2)")
      } else if !hasStrip {
        // The effects have begun with the replay.
        let difference = largestDifference(mix, Array(copy))
        #expect(difference < 0.001, "seed \(seed): \(difference)")
      }
      if mix.contains(where: { $0 != 0 }) { soundingCount += 1 }
      let heard = recording.snapshots.flatMap { snapshot in snapshot.emitters.filter { $0.voice != nil } }
      if recording.snapshots.contains(where: { $0.zones.contains { $0.level != nil } }) { spaces.zones += 1 }
      if heard.contains(where: { $0.path?.portal != nil }) { spaces.portals += 1 }
      if heard.contains(where: { $0.rays != nil }) { spaces.rays += 1 }
      if heard.contains(where: { $0.listener != nil }) { spaces.listeners += 1 }
      guard place == nil else { continue }
      let rest = world.snapshot().difference(from: scene.world.snapshot())
      #expect(rest.isEmpty, "seed \(seed): \(rest)")
    }
    // A few scenes end before a sound is near enough.
    #expect(soundingCount > 15 && completeCount > 8, "\(soundingCount), \(completeCount)")
    #expect(min(spaces.zones, spaces.portals, spaces.rays, spaces.listeners) > 0, "\(spaces)")
  }

  @Test func `A replay of another seed differs, so that the equality means something`() throws {
    var mixes: [[Float]] = []
    for seed: UInt64 in 0..<2 {
      var scene = try RandomScene(seed: seed)
      mixes.append(try scene.play(frames: 20))
    }
    #expect(Self.difference(mixes[0], mixes[1]) != nil)
  }

  @Test func `A recording that begins in the middle replays the same sounds at the same frames`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let tone = Sound(TestSignal.sine(frequency: 440, duration: .seconds(1), format: Self.mono))
    let hum = Emitter(playing: tone, in: world, on: world.mixer.makeBus("machines"))
    (hum.repeats, hum.position, hum.gain) = (.forever, [1, 0, -2], .decibels(-3))
    hum.play()
    offline.render(.milliseconds(300))
    let recording = world.record()
    #expect(!recording.isComplete)
    offline.render(.milliseconds(100))
    hum.position = [-1, 0, -2]
    let mix = offline.render(.milliseconds(500))
    recording.stop()
    var other = try OfflineRenderer(format: Self.stereo)
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    other.render(.milliseconds(100))
    let replayed = other.render(.milliseconds(500))
    let frames = 4_800..<20_000
    let difference = largestDifference(mix.frames(frames).samples, replayed.frames(frames).samples)
    #expect(difference < 0.02, "\(difference)")
    let changes = copy.snapshot().difference(from: world.snapshot()).changes
    #expect(changes.allSatisfy { $0.property == "voice" }, "\(changes)")
  }

  @Test func `Calls of a handler replay at their frame`() throws {
    var mixes: [[Float]] = []
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let short = Sound(TestSignal.sine(frequency: 700, duration: .milliseconds(130), format: Self.mono))
    let first = Emitter(playing: short, in: world)
    let second = Emitter(playing: short, in: world)
    let recording = world.record()
    let token = first.observe { [weak second] event in if case .ended = event { second?.play() } }
    first.play()
    mixes.append(Array(offline.render(.milliseconds(600)).samples))
    recording.stop()
    withExtendedLifetime(token) {}
    var other = try OfflineRenderer(format: Self.stereo)
    recording.replay(in: AudioWorld(in: other.context))
    mixes.append(Array(other.render(.milliseconds(600)).samples))
    #expect(Self.difference(mixes[0], mixes[1]) == nil)
    #expect(recording.events.map(\.text).contains("ended: played"))
  }

  @Test func `A replay releases its emitters with the end of the recording`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    let hum = Emitter(playing: Sound(TestSignal.noise(duration: .seconds(1), format: Self.mono)), in: world)
    hum.repeats = .forever
    hum.play()
    offline.render(.milliseconds(200))
    recording.stop()
    var other = try OfflineRenderer(format: Self.stereo)
    weak var replayed: AudioWorld?
    do {
      let copy = AudioWorld(in: other.context)
      replayed = copy
      recording.replay(in: copy)
      other.render(.milliseconds(100))
      #expect(copy.voiceStatistics().real == 1)
      other.render(.milliseconds(200))
      #expect(copy.voiceStatistics().real == 0)
      #expect(other.render(.milliseconds(100)).isSilent())
    }
    #expect(replayed == nil)
  }

  @Test func `A replay that is given up leaves the world with ticks of its own`() throws {
    var other = try OfflineRenderer(format: Self.stereo)
    let copy = AudioWorld(in: other.context)
    do {
      let offline = try OfflineRenderer(format: Self.stereo)
      let world = AudioWorld(in: offline.context)
      let recording = world.record()
      world.listener.gain = 0.5
      recording.replay(in: copy)
    }
    let tone = copy.playOnce(Sound(TestSignal.noise(duration: .milliseconds(100), format: Self.mono)))
    other.render(.milliseconds(300))
    #expect(!tone.isPlaying)
  }

  @Test func `A stream is opened again, and a player's line replays to the bit`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    let music = try SoundPlayer(playing: Sound(try PlayerFixture.noise(30_000)), in: world)
    music.repeats = .forever
    music.play()
    var mix = Array(offline.render(frameCount: 12_345).samples)
    music.schedule(Sound(try PlayerFixture.noise(9_000, seed: 2)), .atLoopEnd)
    mix += offline.render(frameCount: 60_000).samples
    recording.stop()
    var other = try OfflineRenderer(format: Self.stereo)
    recording.replay(in: AudioWorld(in: other.context))
    #expect(Self.difference(mix, Array(other.render(frameCount: mix.count / 2).samples)) == nil)
  }

  @Test func `Snapshots come at their interval, and events in words`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record(snapshotsEach: .milliseconds(100))
    let tone = Emitter(playing: Sound(TestSignal.noise(duration: .seconds(2), format: Self.mono)), in: world)
    tone.play()
    world.mixer.makeBus("music").fade(to: .decibels(-6), Fade(.seconds(2)))
    offline.render(.seconds(1))
    recording.stop()
    let snapshots = recording.snapshots
    // 1 s has 93 ticks, of which each ninth has a snapshot; the first and the last one are beside them.
    #expect((12...13).contains(snapshots.count), "\(snapshots.count)")
    #expect(snapshots.first == recording.start)
    #expect(snapshots.last?.emitters.first?.voice != nil)
    #expect(zip(snapshots, snapshots.dropFirst()).allSatisfy { $0.time <= $1.time })
    #expect(
      recording.events.map(\.text) == [
        "play", "has a voice", "bus music is made", "bus music fades to -6.0 dB in 2.0 s",
      ]
    )
    #expect(recording.events.first?.number == tone.id.number)
    recording.stop()
    #expect(recording.snapshots == snapshots)
    let count = recording.callCount
    tone.gain = .decibels(-3)
    #expect(recording.callCount == count)
  }
}
