import Testing

@testable import Spatial3D

/// The speed of the mixer through a sound, as the loaded library rounds it.
@Suite struct MixStepTests {
  @Test(
    arguments: [0.5, 0.61, 0.75, 0.943874, 1, 1.059463, 1.1, 1.25, 1.37, 1.5, 1.9, 2] as [Float],
    [22_050, 44_100, 48_000]
  )
  func `A source is after two seconds at the frame that the step predicts`(pitch: Float, rate: Int) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let sound = try PCMBuffer<Float>(samples: [Float](repeating: 0, count: 5 * rate), format: .mono(sampleRate: rate))
    let source = try SoundSource(playing: SoundBuffer(sound, in: context), in: context)
    source.pitch = pitch
    source.play()
    offline.render(frameCount: 2 * Scenes.mono.sampleRate)
    let step = context.mixStep(pitch: pitch, sampleRate: rate)
    #expect(source.playbackFrame == Int(step * Double(context.mixedFrames)))
    #expect(abs(step / (Double(pitch) * Double(rate) / Double(Scenes.mono.sampleRate)) - 1) < 1e-3)
  }

  @Test func `The step has the limits of each version`() {
    let versions = [
      (19, 255.0, 4_096.0), (20, 255, 4_096), (21, 10, 4_096), (22, 10, 4_096), (23, 10, 65_536), (25, 10, 65_536),
    ]
    for (minor, limit, parts) in versions {
      let step = MixStep(version: LibraryVersion(1, minor, 0))
      #expect(step.frames(pitch: 1_000, soundRate: 48_000, mixRate: 48_000) == limit)
      #expect(step.frames(pitch: .infinity, soundRate: 48_000, mixRate: 48_000) == limit)
      #expect(step.frames(pitch: 0, soundRate: 48_000, mixRate: 48_000) == 1 / parts)
      #expect(step.frames(pitch: .nan, soundRate: 48_000, mixRate: 48_000) == 0)
      #expect(step.frames(pitch: 1, soundRate: 0, mixRate: 48_000) == 0)
      #expect(step.frames(pitch: 1, soundRate: 48_000, mixRate: 0) == 0)
      for index in 1...2_000 {
        let pitch = Float(index) / 200
        let exact = Double(pitch)
        #expect(abs(step.frames(pitch: pitch, soundRate: 48_000, mixRate: 48_000) - exact) <= 0.5 / parts)
      }
    }
  }

  @Test func `The frames of the mix are counted to the frame`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 44_100))
    #expect(offline.context.mixedFrames == 0)
    for count in [1, 7, 1_000, 44_100] {
      let before = offline.context.mixedFrames
      offline.render(frameCount: count)
      #expect(offline.context.mixedFrames == before + count)
    }
  }
}
