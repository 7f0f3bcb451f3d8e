import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct PositionTests {
  private let noise = TestSignal.noise(duration: .seconds(2), format: .mono(sampleRate: 48_000))

  private func makeSource(_ offline: borrowing OfflineRenderer) throws -> SoundSource {
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.isListenerRelative = true
    return source
  }

  @Test func `The position is the number of frames that were mixed`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try makeSource(offline)
    #expect(source.playbackFrame == 0)
    source.play()
    for count in 1...20 {
      _ = offline.render(frameCount: 1_000)
      #expect(source.playbackFrame == 1_000 * count)
      #expect(source.playbackTime == offline.format.duration(ofFrames: 1_000 * count))
      #expect(source.audibleTime == source.playbackTime)
    }
    source.pause()
    #expect((20_000...20_064).contains(source.playbackFrame))
    source.stop()
    #expect(source.playbackFrame == 0)
  }

  @Test(arguments: [0, 1, 777, 24_000, 47_000])
  func `A seek in any state makes a source play from that frame`(frame: Int) throws {
    for state in [SourceState.initial, .playing, .paused, .stopped] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let source = try makeSource(offline)
      if state != .initial {
        source.play()
        _ = offline.render(frameCount: 5_000)
      }
      if state == .paused { source.pause() }
      if state == .stopped { source.stop() }
      _ = state == .playing ? offline.render(frameCount: 0) : offline.render(frameCount: 2_048)
      source.playbackFrame = frame
      if state != .playing { source.play() }
      let output = offline.render(frameCount: 1_536).samples
      // A start in the middle of a sound fades in: over the first mix in OpenAL Soft 1.19, over 64 frames in 1.25.
      for index in 1_024..<1_536 {
        #expect(abs(output[index] - noise.samples[frame + index]) < 1e-4, "\(state)")
      }
    }
  }

  @Test func `A frame outside the sound is clamped to its ends`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try makeSource(offline)
    source.play()
    source.playbackFrame = -5
    #expect(source.playbackFrame == 0)
    source.playbackFrame = .max
    #expect(source.playbackFrame == 95_999)
    source.playbackTime = .seconds(-1)
    #expect(source.playbackFrame == 0)
    source.playbackTime = .seconds(1_000)
    #expect(source.playbackFrame == 95_999)
    source.playbackTime = .milliseconds(500)
    #expect(source.playbackFrame == 24_000)
    _ = offline.render(frameCount: 1_024)
    #expect(source.playbackFrame == 25_024)
  }

  @Test func `A second play call starts a moved source from the beginning`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try makeSource(offline)
    source.play()
    source.playbackFrame = 10_000
    source.play()
    _ = offline.render(frameCount: 1_000)
    #expect(source.playbackFrame == 1_000)
  }

  @Test func `A second play call overrides a start position`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try makeSource(offline)
    source.playbackFrame = 500
    source.play()
    source.play()
    _ = offline.render(frameCount: 1_000)
    #expect(source.playbackFrame == 1_000)
  }

  @Test func `Pitch moves the position faster`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try makeSource(offline)
    source.pitch = 2
    source.play()
    _ = offline.render(frameCount: 10_000)
    #expect(abs(source.playbackFrame - 20_000) <= 2)
  }

  @Test func `A position counts from a scheduled start while another source waits for its start`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let (source, next) = (try makeSource(offline), try makeSource(offline))
    source.play(at: offline.context.clock + offline.format.duration(ofFrames: 240))
    next.play(at: offline.context.clock + .seconds(1))
    _ = offline.render(frameCount: 1_000)
    #expect(source.playbackFrame == 760)
    #expect(source.audibleTime == offline.format.duration(ofFrames: 760))
    #expect(next.audibleTime == .zero)
  }

  @Test func `A sound without frames has one position`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(playing: Scenes.silence(frames: 0, in: offline.context), in: offline.context)
    source.playbackFrame = 10
    #expect(source.playbackFrame == 0)
    #expect(source.audibleTime == .zero)
  }
}
