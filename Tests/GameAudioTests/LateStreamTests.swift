import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio
@testable import Spatial3D

/// Streams whose readers take longer than the time that was read ahead.
@Suite(.hangLimit) struct LateStreamTests {
  private static let length = Duration.seconds(20)

  /// A delay that one call takes.
  private final class Delay: Sendable {
    private let isLeft = Lock(true)

    func take() {
      let isLeft = isLeft.withLock { isLeft in
        defer { isLeft = false }
        return isLeft
      }
      // Half a second longer than the time that is read ahead.
      if isLeft { Thread.sleep(forTimeInterval: 0.9) }
    }
  }

  /// A reader of silence, one read of which takes a delay.
  private struct SlowReader: PCMReader {
    let format = PCMFormat.mono(sampleRate: 48_000)
    let frameCount: Int? = 20 * 48_000
    let delay: Delay?
    private var frame = 0

    init(_ delay: Delay?) { self.delay = delay }

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      if frame > 24_000 { delay?.take() }
      let count = min(maxFrames, 20 * 48_000 - frame)
      buffer.removeAll(adopting: format)
      buffer.append(frames: count) { span in for _ in 0..<count { span.append(0) } }
      frame += count
      return count
    }

    mutating func seek(toFrame frame: Int) { self.frame = frame }
  }

  /// The offset of a position from the clock, to a few frames.
  private func offset(of position: () -> Duration, in context: AudioContext) -> Duration {
    let offset = ClockOffset(of: position, over: Self.length, from: context)
    return (offset.lowest + offset.highest) / 2
  }

  @Test func `Players that began together are in phase again after an underrun of one`() async throws {
    let context = try AudioContext()
    let world = AudioWorld(in: context)
    let delay = Delay()
    let slow = try SoundPlayer(playing: Sound(streaming: "slow") { SlowReader(delay) }, in: world)
    let other = try SoundPlayer(playing: Sound(streaming: "other") { SlowReader(nil) }, in: world)
    await slow.prepareToPlay()
    await other.prepareToPlay()
    SoundPlayer.play([slow, other])
    func offset(of player: SoundPlayer) -> Duration {
      // A machine that is busy opens the streams later.
      guard let source = world.source(ofSlot: Int(player.id.slot)) else { return .zero }
      return self.offset(of: { source.playbackTime }, in: context)
    }
    func lead() -> Duration { offset(of: other) - offset(of: slow) }
    try await eventually("the slow stream is late") { lead() > .milliseconds(100) }
    // OpenAL Soft 1.19 begins a stream with the nearest mix.
    let tolerance: Duration = context.capabilities.contains(.startDelay) ? .milliseconds(1) : .milliseconds(25)
    try await eventually("the streams are in phase") { abs(lead() / tolerance) < 1 }
    #expect(slow.isPlaying && other.isPlaying && slow.currentTime > .seconds(1))
  }

  @Test func `The position of an emitter is the place of its stream after an underrun`() async throws {
    let context = try AudioContext()
    let world = AudioWorld(in: context)
    let delay = Delay()
    let emitter = Emitter(playing: Sound(streaming: "slow") { SlowReader(delay) }, in: world)
    emitter.play()
    func lead() -> Duration {
      guard let source = world.source(ofSlot: Int(emitter.id.slot)) else { return .zero }
      return offset(of: { emitter.playbackTime }, in: context) - offset(of: { source.playbackTime }, in: context)
    }
    try await eventually("the stream is late") { lead() > .milliseconds(100) }
    try await eventually("the position is the place of the stream") { abs(lead() / .milliseconds(1)) < 1 }
    #expect(emitter.isPlaying && !emitter.isVirtual)
  }
}
