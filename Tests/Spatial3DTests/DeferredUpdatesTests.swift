import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct DeferredUpdatesTests {
  private struct Abandoned: Error {}

  @Test func `What is set inside is heard together at the end`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    let sources = try [Scenes.noise(in: context, at: [-1, 0, 0]), Scenes.noise(in: context, at: [-1, 0, 0])]
    _ = offline.render(frameCount: 2_048)
    for source in sources { source.gain = 0 }
    _ = offline.render(frameCount: 4_096)
    // Between the two settings nothing is mixed, so only the end state may be heard.
    var during: PCMBuffer<Float>?
    context.withDeferredUpdates {
      sources[0].gain = 1
      during = offline.render(frameCount: 2_048)
      sources[0].gain = 0
      sources[1].gain = 0
    }
    #expect(during?.level == .silence)
    #expect(offline.render(frameCount: 2_048).level == .silence)
  }

  @Test func `The end of the outermost of nested calls hands over, also after an error`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try Scenes.noise(in: context)
    source.gain = 0
    _ = offline.render(frameCount: 2_048)
    #expect(throws: Abandoned.self) {
      try context.withDeferredUpdates {
        context.withDeferredUpdates { source.gain = 1 }
        #expect(source.gain == 1)
        #expect(offline.render(frameCount: 2_048).level == .silence)
        throw Abandoned()
      }
    }
    #expect(offline.render(frameCount: 2_048).level > -20)
  }

  @Test func `A source that is played inside is where it was put, from its first frame`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    let noise = TestSignal.noise(duration: .milliseconds(500), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
    let mix = context.withDeferredUpdates {
      source.position = [1, 0, 0]
      source.play()
      return offline.render(frameCount: 512)
    }
    #expect(mix.level(ofChannel: 1) > -20)
    #expect(mix.level(ofChannel: 0) < mix.level(ofChannel: 1) - 60)
  }

  @Test func `A source may come and go inside`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    let kept = try Scenes.noise(in: context)
    let before = offline.render(frameCount: 4_096).level
    try context.withDeferredUpdates {
      for index in 0..<1_000 {
        let passing = try Scenes.noise(in: context)
        passing.gain = Float(index % 2)
        kept.gain = Float(index % 2)
      }
      kept.gain = 0.5
    }
    #expect(kept.gain == 0.5)
    _ = offline.render(frameCount: 4_096)
    #expect(abs((offline.render(frameCount: 4_096).level - before - Decibels(gain: 0.5)).rawValue) < 0.3)
  }

  @Test func `The result and the error of the closure come through`() throws {
    let renderer = try OfflineRenderer(format: Scenes.mono)
    #expect(renderer.context.withDeferredUpdates { 42 } == 42)
    do throws(AudioError) {
      try renderer.context.withDeferredUpdates { () throws(AudioError) in
        _ = try AudioDevice(named: "no such output")
      }
      Issue.record("A device that does not exist was opened")
    } catch {
      #expect(error.code == .deviceUnavailable)
    }
  }
}
