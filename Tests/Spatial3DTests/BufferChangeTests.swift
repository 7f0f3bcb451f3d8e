import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Sources that get another buffer.
@Suite struct BufferChangeTests {
  private static func sound(
    _ value: Float,
    frames: Int = 2_000,
    in context: AudioContext
  ) throws -> SoundBuffer {
    try SoundBuffer(PCMBuffer(samples: [Float](repeating: value, count: frames), format: Scenes.mono), in: context)
  }

  @Test func `A pool of sources plays any sound, and each keeps its other properties`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let pool = try (0..<4).map { _ in try SoundSource(in: context) }
    for source in pool { source.isListenerRelative = true }
    for round in 1...20 {
      let voice = pool[round % 4]
      let value = Float(round) / 40
      let sound = try Self.sound(value, frames: 1_000 + round, in: context)
      voice.buffer = sound
      #expect(voice.buffer === sound)
      #expect(voice.buffers.map(ObjectIdentifier.init) == [ObjectIdentifier(sound)])
      #expect(voice.isListenerRelative && voice.state == .initial)
      voice.play()
      let mix = offline.render(frameCount: 1_000).samples
      #expect(mix.allSatisfy { abs($0 - value) < 1e-5 })
      _ = offline.render(frameCount: 2_048)
      #expect(voice.state == .stopped)
    }
  }

  @Test func `A new buffer drops the calls that a suspension has deferred`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try SoundSource(playing: Self.sound(0.1, in: context), in: context)
    source.isListenerRelative = true
    source.play()
    _ = offline.render(frameCount: 1_000)
    context.suspend(.queue, for: .background)
    source.pause()
    source.buffer = try Self.sound(0.3, in: context)
    #expect(source.state == .initial)
    source.play()
    #expect(source.state == .playing)
    context.resume(from: .background)
    #expect(source.state == .playing)
    #expect(abs(offline.render(frameCount: 1_000).samples[500] - 0.3) < 1e-5)
    context.suspend(.queue, for: .background)
    source.buffer = try Self.sound(0.2, in: context)
    context.resume(from: .background)
    #expect(source.state == .initial)
  }

  @Test(arguments: [false, true])
  func `A new buffer ends a source that plays or is paused, and starts at its beginning`(isPaused: Bool) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try StartScenes.ramp(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log)
    source.play()
    _ = offline.render(frameCount: 500)
    if isPaused { source.pause() }
    weak let old = source.buffer
    source.buffer = try Self.sound(0.25, in: offline.context)
    #expect(old == nil)
    #expect(source.state == .initial && source.playbackFrame == 0)
    _ = offline.render(frameCount: 1_024)
    source.play()
    _ = offline.render(frameCount: 1_024)
    #expect(abs(offline.render(frameCount: 100).samples[50] - 0.25) < 1e-5)
    _ = offline.render(frameCount: 2_000)
    #expect(source.state == .stopped)
    #expect(log.states == [.playing] + (isPaused ? [.paused] : []) + [.initial, .playing, .stopped])
    #expect(log.all.last?.framePosition == 500 + 1_024 + 2_000)
    withExtendedLifetime(token) {}
  }

  @Test func `A source changes between a queue and a buffer of its own`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try SoundSource(in: context)
    source.isListenerRelative = true
    try source.queue([Self.sound(0.1, in: context), Self.sound(0.2, in: context)])
    source.play()
    _ = offline.render(frameCount: 2_100)
    #expect(source.processedBufferCount == 1)
    source.buffer = try Self.sound(0.3, in: context)
    #expect(source.processedBufferCount == 0 && source.unqueueProcessed().isEmpty)
    let refused = #expect(throws: AudioError.self) { try source.queue([Self.sound(0.1, in: context)]) }
    #expect(refused?.code == .sourceHasBuffer)
    _ = offline.render(frameCount: 1_024)
    source.play()
    #expect(abs(offline.render(frameCount: 500).samples[499] - 0.3) < 1e-5)
    source.buffer = nil
    #expect(source.buffer == nil && source.buffers.isEmpty && source.state == .initial)
    _ = offline.render(frameCount: 1_024)
    try source.queue([Self.sound(0.4, in: context)])
    source.play()
    #expect(abs(offline.render(frameCount: 500).samples[499] - 0.4) < 1e-5)
    #expect(source.buffer == nil && source.buffers.count == 1)
  }

  @Test func `A stream and a buffer of another device leave the buffer unchanged and are reported`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let other = try OfflineRenderer(format: Scenes.mono)
    let log = DiagnosticLog()
    offline.context.onDiagnostic = { log.add($0) }
    let stream = try SoundSource(streaming: SampleReader(frames: 1_000), in: offline.context)
    stream.buffer = try Self.sound(0.1, in: offline.context)
    #expect(stream.buffer == nil)
    let sound = try Self.sound(0.1, in: offline.context)
    let source = try SoundSource(playing: sound, in: offline.context)
    for _ in 0..<2 { source.buffer = try Self.sound(0.1, in: other.context) }
    #expect(source.buffer === sound)
    #expect(log.codes == [.valueNotUsable, .valueNotUsable])
  }

  @Test(arguments: StartScenes.libraries)
  func `A new buffer ends the wait for a scheduled start`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    source.play(at: StartScenes.time(ofFrame: 2_000))
    _ = offline.render(frameCount: 500)
    source.buffer = try Self.sound(0.25, in: offline.context)
    #expect(source.state == .initial)
    #expect(offline.render(frameCount: 5_000).samples.allSatisfy { $0 == 0 })
    source.play(at: StartScenes.time(ofFrame: 7_000))
    let mix = offline.render(frameCount: 3_000).samples
    #expect(mix[..<1_500].allSatisfy { $0 == 0 } && abs(mix[1_700] - 0.25) < 1e-5)
  }

  @Test(
    .enabled(if: (try? AudioDevice()) != nil, "no output device opens here"),
    .hangLimit,
    arguments: LossTests.Library.allCases
  )
  func `A source with another buffer plays that buffer after a loss`(library: LossTests.Library) async throws {
    let context = try library.context()
    let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
    let other = try SoundSource(playing: Scenes.silence(frames: 14_400, in: context), in: context)
    source.buffer = try Scenes.silence(frames: 600 * 48_000, in: context)
    source.play()
    context.lose()
    other.play()
    await other.waitUntilStopped()
    #expect(source.state == .playing)
    context.inspector.forceUnplugged(false)
    try await eventually("the device is back") { context.inspector.isConnected }
    other.play()
    await other.waitUntilStopped()
    #expect(source.state == .playing && source.playbackFrame > 14_400)
  }
}
