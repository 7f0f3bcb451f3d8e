import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import GameAudio

/// Sounds in memory after a change of the rate of the output.
@Suite struct RateRenewalTests {
  private static let tone = TestSignal.sine(
    frequency: 441,
    duration: .milliseconds(500),
    format: .mono(sampleRate: 44_100)
  )

  private static let keys: [SoundKey] = ["bell", "step"]

  private static func frameCount(_ emitter: Emitter) -> Int { emitter.inspector.record.clock.course.frameCount }

  @Test(.hangLimit) func `Sounds are made anew for another rate of the output, and emitters play on`() async throws {
    let context = try OutputChange.rate.context()
    let world = AudioWorld(in: context)
    let bank = SoundBank(in: world)
    let folder = try SoundFolder()
    bank.define("bell", Sound(try folder.write("bell.wav", Self.tone)))
    bank.define("step", Sound(Self.tone))
    try await bank.load("bell", "step")
    let tone = Sound(Self.tone)
    let loop = Emitter(playing: tone, in: world)
    loop.repeats = .forever
    loop.play()
    let paused = Emitter(playing: tone, in: world)
    paused.repeats = .forever
    paused.playbackTime = .milliseconds(250)
    paused.play()
    try await eventually("the loop plays") { loop.playbackTime > .zero && paused.playbackTime > .zero }
    paused.pause()
    try await eventually("the other emitter is paused") { paused.inspector.record.status == .paused }
    let place = paused.playbackTime
    #expect(bank.byteCount == 2 * 24_000 * 4 && Self.frameCount(loop) == 24_000)
    try await OutputChange.rate.happen(to: context) {
      try await eventually("the bank has samples of 44,100 Hz") { bank.byteCount == 2 * 22_050 * 4 }
      try await eventually("the loop has samples of 44,100 Hz") { Self.frameCount(loop) == 22_050 }
      #expect(loop.isPlaying && Self.keys.allSatisfy { bank.isLoaded($0) })
      _ = try bank.play("bell")
      // The same sound has the new samples for a new emitter, and its own samples and time where it is paused.
      let other = Emitter(playing: tone, in: world)
      other.repeats = .forever
      #expect(Self.frameCount(paused) == 24_000 && paused.playbackTime == place)
      other.play()
      try await eventually("the new emitter plays") { other.playbackTime > .zero }
      #expect(Self.frameCount(other) == 22_050)
      other.stop()
      paused.play()
      try await eventually("the paused emitter goes over") { Self.frameCount(paused) == 22_050 }
    }
    try await eventually("the bank has samples of 48,000 Hz") { bank.byteCount == 2 * 24_000 * 4 }
    try await eventually("the loop has samples of 48,000 Hz") { Self.frameCount(loop) == 24_000 }
    #expect(loop.isPlaying)
    // The source with the new samples may begin late; the clock follows it.
    try await eventually("the clock has the position of the source") {
      guard let source = loop.inspector.source else { return false }
      func offset(_ position: () -> Duration) -> ClockOffset {
        ClockOffset(of: position, over: .milliseconds(500), from: context)
      }
      return offset { loop.playbackTime }.agrees(with: offset { source.playbackTime })
    }
    loop.stop()
  }

  @Test(.hangLimit) func `A world that converts nothing keeps its sounds`() async throws {
    let context = try OutputChange.rate.context()
    let world = AudioWorld(in: context)
    world.convertsSampleRates = false
    let bank = SoundBank(in: world)
    let format = PCMFormat.mono(sampleRate: 22_050)
    bank.define("bell", Sound(TestSignal.sine(frequency: 441, duration: .milliseconds(500), format: format)))
    try await bank.load("bell")
    try await OutputChange.rate.happen(to: context) {
      try await eventually("the world has the rate") { world.inspector.frames(in: .seconds(1)) == 44_100 }
      #expect(bank.byteCount == 11_025 * 4)
    }
    try await eventually("the world has the first rate") { world.inspector.frames(in: .seconds(1)) == 48_000 }
    #expect(bank.byteCount == 11_025 * 4)
  }

  @Test(.hangLimit) func `A bank makes its samples anew while nothing plays`() async throws {
    let context = try OutputChange.rate.context()
    let world = AudioWorld(in: context)
    let bank = SoundBank(in: world)
    bank.define("bell", Sound(Self.tone))
    try await bank.load("bell")
    #expect(bank.byteCount == 24_000 * 4 && !world.inspector.isTicking)
    try await OutputChange.rate.happen(to: context) {
      try await eventually("the bank has samples of 44,100 Hz") { bank.byteCount == 22_050 * 4 }
    }
    try await eventually("the bank has samples of 48,000 Hz") { bank.byteCount == 24_000 * 4 }
  }
}
