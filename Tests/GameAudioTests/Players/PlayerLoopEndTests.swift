import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// The ends of loops that are shorter than the time that another reader needs, and of loops of stopped players.
@Suite struct PlayerLoopEndTests {
  private static let lengths = [100, 480, 2_400, 4_320]

  /// The frames up to the last audible frame, and the silent frame that ends each sound.
  private func end(of samples: [Float]) -> Int { (samples.lastIndex { $0 != 0 } ?? 0) / 2 + 2 }

  @Test(arguments: lengths, [Repeats.times(0), .times(3)])
  func `A short loop without an end is ended`(frameCount: Int, repeats: Repeats) throws {
    var fixture = try PlayerFixture()
    let sound = try PlayerFixture.noise(frameCount)
    let player = try SoundPlayer(playing: Sound(sound), in: fixture.world)
    player.repeats = .forever
    player.play()
    var samples = fixture.offline.render(frameCount: 20_480).samples
    player.repeats = repeats
    samples += fixture.offline.render(frameCount: 20_480).samples
    let end = end(of: samples)
    #expect(player.repeats == repeats && !player.isPlaying)
    #expect(end.isMultiple(of: frameCount) && (20_480...20_480 + 1_536 + frameCount).contains(end), "\(end)")
    let expected = (0..<end / frameCount).flatMap { _ in sound.samples }
    #expect(largestDifference(samples.prefix(expected.count), expected) < 2e-4)
  }

  @Test(arguments: lengths)
  func `A sound begins at the end of a short loop`(frameCount: Int) throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(frameCount), try PlayerFixture.noise(3_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    player.repeats = .forever
    player.play()
    var samples = fixture.offline.render(frameCount: 20_480).samples
    player.schedule(Sound(second), .atLoopEnd)
    samples += fixture.offline.render(frameCount: 20_480).samples
    let begin = end(of: samples) - 3_000
    #expect(begin.isMultiple(of: frameCount) && (20_480...20_480 + 1_536 + frameCount).contains(begin), "\(begin)")
    let expected = (0..<begin / frameCount).flatMap { _ in first.samples } + second.samples
    #expect(largestDifference(samples.prefix(expected.count), expected) < 2e-4)
    #expect(!player.isPlaying && player.duration == PlayerFixture.stereo.duration(ofFrames: 3_000))
  }

  @Test(.hangLimit, arguments: [480, 2_400])
  func `A short loop is ended on an output`(frameCount: Int) async throws {
    let context = try AudioContext()
    let world = AudioWorld(in: context)
    let player = try SoundPlayer(playing: Sound(try PlayerFixture.noise(frameCount)), in: world)
    player.repeats = .forever
    await player.prepareToPlay()
    player.play()
    try await eventually("the player is in its loop") { player.playbackTime > .zero }
    player.repeats = 0
    try await eventually("the loop is over") { !player.isPlaying }
    player.repeats = .forever
    player.play()
    let next = Sound(try PlayerFixture.noise(9_600))
    player.schedule(next, .atLoopEnd)
    try await eventually("the next sound plays") { player.duration == .milliseconds(200) }
  }

  @Test(arguments: [Repeats.times(0), .forever])
  func `A sound follows one whose length is not known, without those that it replaces`(repeats: Repeats) throws {
    var fixture = try PlayerFixture()
    // The stream is longer than the frames that its reader is ahead.
    let sounds = try [3_000, 6_000, 24_000].map { try PlayerFixture.noise($0, seed: UInt64($0)) }
    let stream = Sound(streaming: "a sound without a length") { Unmeasured(sounds[2]) }
    let player = try SoundPlayer(playing: stream, in: fixture.world)
    player.repeats = repeats
    player.schedule(Sound(sounds[0]))
    player.play()
    var samples = fixture.offline.render(frameCount: 2_048).samples
    player.schedule(Sound(sounds[1]), .atLoopEnd)
    samples += fixture.offline.render(frameCount: 30_000).samples
    let expected = sounds[2].samples + sounds[1].samples
    #expect(largestDifference(samples.prefix(expected.count), expected) < 2e-4)
    #expect(!player.isPlaying)
  }

  @Test(arguments: [0, 1], [0, 2_048])
  func `A sound whose length is not known repeats as often as it is set`(count: Int, delay: Int) throws {
    var fixture = try PlayerFixture()
    let sound = try PlayerFixture.noise(22_000)
    let stream = Sound(streaming: "a sound without a length") { Unmeasured(sound) }
    let player = try SoundPlayer(playing: stream, in: fixture.world)
    player.repeats = count == 0 ? .forever : 0
    if delay > 0 { player.play() }
    var samples = fixture.offline.render(frameCount: delay).samples
    player.repeats = .times(count)
    player.play()
    samples += fixture.offline.render(frameCount: 46_000 - delay).samples
    let expected = (0...count).flatMap { _ in sound.samples }
    #expect(largestDifference(samples.prefix(expected.count), expected) < 2e-4)
    #expect(!player.isPlaying)
  }

  /// Sounds behind the present one, and the number of those that play before the sound at the loop's end.
  private static let queues: [(lengths: [Int], repeats: Repeats, played: Int)] = [
    // The reader is inside the first, has read all of it, or has read all of both.
    ([22_000, 5_000], 0, 1), ([6_000, 20_000], 0, 1), ([6_000, 5_000], 0, 1), ([6_000], .forever, 1),
    // Another reader would come too late for the first.
    ([600, 5_000], 0, 2),
  ]

  @Test(arguments: queues)
  func `A sound follows one that has been read`(lengths: [Int], repeats: Repeats, played: Int) throws {
    var fixture = try PlayerFixture()
    let sounds = try ([24_000] + lengths + [3_000]).enumerated().map {
      try PlayerFixture.noise($0.element, seed: UInt64($0.offset))
    }
    let player = try SoundPlayer(playing: Sound(sounds[0]), in: fixture.world)
    let events = Collected<PlayerEvent>()
    let token = player.observe { events.append($0) }
    for sound in sounds[1..<sounds.count - 1] { player.schedule(Sound(sound), repeats: repeats) }
    player.play()
    var samples = fixture.offline.render(frameCount: 23_552).samples
    player.schedule(Sound(sounds[sounds.count - 1]), .atLoopEnd)
    samples += fixture.offline.render(frameCount: 26_000).samples
    let expected = (sounds[0...played] + sounds.suffix(1)).flatMap(\.samples)
    #expect(largestDifference(samples.prefix(expected.count), expected) < 2e-4)
    #expect(samples.dropFirst(expected.count).allSatisfy { $0 == 0 })
    #expect(events.all == [.finished(successfully: true)])
    #expect(!player.isPlaying && player.duration == PlayerFixture.stereo.duration(ofFrames: 3_000))
    withExtendedLifetime(token) {}
  }

  @Test func `A loop that is ended stays so after a seek`() throws {
    var fixture = try PlayerFixture()
    let (first, second) = (try PlayerFixture.noise(4_320), try PlayerFixture.noise(3_000, seed: 2))
    let player = try SoundPlayer(playing: Sound(first), in: fixture.world)
    player.repeats = .forever
    player.play()
    fixture.offline.render(frameCount: 20_480)
    player.schedule(Sound(second), .atLoopEnd)
    player.playbackTime = .zero
    let samples = fixture.offline.render(frameCount: 48_000).samples
    // The laps that had begun are played once more.
    let begin = end(of: samples) - 3_000
    #expect(begin.isMultiple(of: 4_320) && player.repeats != .forever && !player.isPlaying)
    let expected = (0..<begin / 4_320).flatMap { _ in first.samples } + second.samples
    // The old position fades out over the first frames.
    #expect(largestDifference(samples[2_048..<expected.count], expected[2_048...]) < 2e-4)
  }

  @Test func `Repetitions that are set on a stopped player count from its next play on`() throws {
    var fixture = try PlayerFixture()
    let sound = try PlayerFixture.noise(7_200)
    let player = try SoundPlayer(playing: Sound(sound), in: fixture.world)
    player.play()
    // The rest is shorter than the time that a player in motion needs for another reader.
    fixture.offline.render(frameCount: 6_144)
    player.stop()
    fixture.offline.render(frameCount: 2_048)
    player.repeats = 3
    player.play()
    let mix = fixture.offline.render(frameCount: 26_000)
    let expected = PlayerFixture.samples(sound, 6_144..<7_200) + (0..<3).flatMap { _ in sound.samples }
    #expect(
      largestDifference(PlayerFixture.samples(mix, 1_024..<22_656), expected.dropFirst(2_048)) < 2e-5
    )
    #expect(mix.frames(22_656..<26_000).isSilent(below: -120))
    #expect(player.repeats == 3 && !player.isPlaying)
  }
}

/// A reader that does not know its length.
private struct Unmeasured: PCMReader, Sendable {
  private let sound: PCMBuffer<Float>
  private var next = 0

  var format: PCMFormat { sound.format }
  var frameCount: Int? { nil }

  init(_ sound: PCMBuffer<Float>) { self.sound = sound }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    let end = min(next + maxFrames, sound.frameCount)
    buffer = sound.frames(next..<end)
    defer { next = end }
    return end - next
  }

  mutating func seek(toFrame frame: Int) { next = min(max(frame, 0), sound.frameCount) }
}
