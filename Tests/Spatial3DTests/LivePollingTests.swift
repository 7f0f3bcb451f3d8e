import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The polls of sources that play on an output, and on a silent device.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
struct LivePollingTests {
  @Test(arguments: LiveNotificationTests.Path.allCases)
  func `A source that has ended is polled no longer`(path: LiveNotificationTests.Path) async throws {
    let context = try path.context()
    let source = try SoundSource(playing: Scenes.silence(frames: 1_440, in: context), in: context)
    let log = NotificationLog()
    let token = source.record(in: log)
    source.play()
    await log.wait { $0.last?.state == .stopped }
    #expect(log.all.last?.cause == .mix)
    try await eventually("no source is polled") { !context.inspector.pollsPlayingSources }
    withExtendedLifetime(token) {}
  }

  @Test(arguments: LiveNotificationTests.Path.allCases)
  func `Loops as long as one mix are counted, though each poll finds the first frame`(
    path: LiveNotificationTests.Path
  ) async throws {
    let context = try path.context()
    let length = context.inspector.framesPerMix
    let format = PCMFormat.mono(sampleRate: context.sampleRate)
    let silence = TestSignal.silence(duration: format.duration(ofFrames: length), format: format)
    let source = try SoundSource(playing: SoundBuffer(silence, in: context), in: context)
    source.isLooping = true
    let log = NotificationLog()
    let token = source.record(in: log, of: .loop)
    source.play()
    await log.wait { $0.loops >= 10 }
    withExtendedLifetime(token) {}
  }
}
