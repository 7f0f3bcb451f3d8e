import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Emitters whose output is lost, moves, returns or changes its rate or layout.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit, .serialized)
struct EmitterOutputTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// The length of sounds that play for the whole of a test, in loops where it takes longer.
  private static let long = Duration.seconds(20)

  private static func noise(_ milliseconds: Int) -> PCMBuffer<Float> {
    TestSignal.noise(duration: .milliseconds(milliseconds), format: mono, amplitude: 0.1)
  }

  @Test(arguments: OutputChange.allCases)
  func `An emitter goes on at the frame of the clock, with a voice and without`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context, voiceLimit: 2)
    let long = TestSignal.noise(duration: Self.long, format: Self.mono, amplitude: 0.01)
    let file = try TemporarySound(long)
    let near = Emitter(playing: Sound(long), in: world)
    let stream = Emitter(playing: Sound(file.path, streamed: true), in: world)
    let far = Emitter(playing: Sound(long), in: world)
    far.position = [0, 0, -90]
    for emitter in [near, stream, far] {
      emitter.repeats = .forever
      emitter.play()
    }
    try await eventually("two emitters have the voices") { !near.isVirtual && !stream.isVirtual && far.isVirtual }
    // On a busy machine the stream may have an underrun, which its position follows.
    func emitters() -> [Emitter] {
      let hasUnderrun = stream.inspector.source.map { $0.underrunCount > 0 } ?? true
      return hasUnderrun ? [near, far] : [near, far, stream]
    }
    func offsets() -> [ClockOffset] {
      emitters().map { emitter in ClockOffset(of: { emitter.playbackTime }, over: Self.long, from: context) }
    }
    // The source of the stream begins 60 ms after it was opened.
    try await context.advance(by: .milliseconds(100))
    func sources() throws -> [ClockOffset] {
      try emitters().filter { $0 !== far }.map { emitter in
        let source = try #require(emitter.inspector.source)
        return ClockOffset(of: { source.playbackTime }, over: Self.long, from: context)
      }
    }
    let (before, sourcesBefore) = (offsets(), try sources())
    for _ in 0..<2 {
      try await change.happen(to: context) {
        try await context.advance(by: .milliseconds(60))
        #expect(zip(offsets(), before).allSatisfy { $0.agrees(with: $1) }, "\(offsets()), before \(before)")
      }
      try await context.advance(by: .milliseconds(60))
      #expect(zip(offsets(), before).allSatisfy { $0.agrees(with: $1) }, "\(offsets()), before \(before)")
      let sourcesAfter = try sources()
      #expect(zip(sourcesAfter, sourcesBefore).allSatisfy { $0.agrees(with: $1) }, "\(sourcesAfter), \(sourcesBefore)")
    }
    #expect(!near.isVirtual && !stream.isVirtual && far.isVirtual)
  }

  @Test(arguments: OutputChange.allCases)
  func `Each play of an emitter ends once`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context, voiceLimit: 4)
    let file = try TemporarySound(Self.noise(150))
    let ends = Collected<Int>()
    let laps = Collected<Int>()
    var tokens: [NotificationToken] = []
    let emitters = (0..<12).map { index in
      let sound = index % 3 == 2 ? Sound(file.path, streamed: true) : Sound(Self.noise(100 + 50 * index))
      let emitter = Emitter(playing: sound, in: world)
      emitter.repeats = index % 2 == 0 ? 2 : 0
      // The last emitters are too far away for a voice.
      emitter.position = [0, 0, index < 6 ? -1 : -500]
      tokens.append(
        emitter.observe { event in
          if case .ended(.played) = event { ends.append(index) }
          if case .looped(let count) = event, index % 2 == 0 { laps.append(count) }
        }
      )
      return emitter
    }
    for emitter in emitters { emitter.play() }
    for _ in 0..<2 {
      try await context.advance(by: .milliseconds(40))
      try await change.happen(to: context) { try await context.advance(by: .milliseconds(40)) }
    }
    try await eventually("each emitter has ended") { emitters.allSatisfy { !$0.isPlaying } && ends.all.count >= 12 }
    try await context.advance(by: .milliseconds(100))
    #expect(ends.all.sorted() == Array(0..<12))
    #expect(laps.all.reduce(0, +) == 12)
    try await eventually("all voices are free") { world.inspector.usedVoiceCount == 0 }
    withExtendedLifetime(tokens) {}
  }
}
