import AudioSupport
import Spatial3DTesting
import Testing

@testable import Spatial3D

/// A rebuild of the library's device in the middle of a mix, without a sound card.
@Suite struct MigrationTests {
  /// A scene, and the number of frames that a rebuild changes in its mix: a sound fades in during these.
  struct Scenery: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var settling = 1_024
    let make: @Sendable (AudioContext) throws -> [SoundSource]
  }

  static let scenes: [Scenery] = [
    Scenery(testDescription: "a looping sound at a position") { [try Scenes.noise(in: $0, at: [1, 0, -1])] },
    Scenery(testDescription: "everything that can be set") { context in
      context.listener = Listener(
        position: [1, 2, 3],
        velocity: [1, 0, 0],
        orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0]),
        gain: 0.5
      )
      context.distanceModel = .linear
      context.dopplerFactor = 2
      context.speedOfSound = 300
      let source = try Scenes.noise(in: context, at: [3, 2, 2])
      source.velocity = [0, 0, 1]
      source.gain = 0.7
      source.direction = [0, 0, 1]
      source.cone = Cone(innerAngle: 40, outerAngle: 200, outerGain: 0.4)
      let other = try Scenes.noise(in: context, at: [0, 0, -2])
      other.isListenerRelative = true
      other.occlusion = -12
      other.obstruction = -6
      other.attenuation = DistanceAttenuation(referenceDistance: 2, maximumDistance: 9)
      return [source, other]
    },
    Scenery(testDescription: "what goes to effects", settling: 2_048) { context in
      let source = try Scenes.noise(in: context, at: [1, 0, -1])
      source.gainLimits = 0.1...0.9
      let unit = try EffectUnit(.equalizer(.init()), in: context)
      source.effectSends = [EffectSend(to: unit, gain: 0.5)]
      // The level exceeds the range of the room's own gains, and the context raises the sources.
      context.reverb = Reverb(.smallRoom, level: 40)
      source.reverbBlend = 1e-6
      return [source]
    },
    Scenery(testDescription: "a queue in its second buffer") { context in
      let buffers = try (0..<3).map { _ in
        try SoundBuffer(TestSignal.noise(duration: .milliseconds(60), format: Scenes.mono), in: context)
      }
      let source = try SoundSource(in: context)
      try source.queue(buffers)
      source.play()
      return [source]
    },
    Scenery(testDescription: "a queue of a source that had a buffer") { context in
      let buffers = try (0..<2).map { _ in
        try SoundBuffer(TestSignal.noise(duration: .milliseconds(300), format: Scenes.mono), in: context)
      }
      let source = try SoundSource(playing: buffers[0], in: context)
      source.buffer = nil
      try source.queue(buffers)
      source.play()
      return [source]
    },
    Scenery(testDescription: "a stream") { context in
      let source = try SoundSource(streaming: SampleReader(frames: 30_000), in: context)
      source.isLooping = true
      source.play()
      return [source]
    },
    Scenery(testDescription: "a sound with an introduction") { context in
      let noise = TestSignal.noise(duration: .milliseconds(100), format: Scenes.mono)
      let source = try SoundSource(playing: SoundBuffer(noise, loopRange: 2_000..<2_900, in: context), in: context)
      source.isLooping = true
      source.play()
      return [source]
    },
    Scenery(testDescription: "those that do not play") { context in
      let buffer = try SoundBuffer(TestSignal.noise(duration: .milliseconds(10), format: Scenes.mono), in: context)
      let sources = try (0..<3).map { _ in try SoundSource(playing: buffer, in: context) }
      sources[0].play()
      sources[0].pause()
      sources[1].play()
      sources[1].stop()
      return sources
    },
    Scenery(testDescription: "a start to come") { context in
      let source = try SoundSource(
        playing: SoundBuffer(TestSignal.noise(duration: .milliseconds(100), format: Scenes.mono), in: context),
        in: context
      )
      source.play(at: .nanoseconds(4_500 * 1_000_000_000 / 48_000 + 1))
      return [source]
    },
  ]

  static let libraries: [DisabledFeatures] = [
    [], [.staticBuffers], [.staticBuffers, .mappedBuffers], [.threadLocalContexts],
  ]

  /// The mix of a scene and the final states of its sources, optionally with a rebuild after two pieces of the mix.
  private func mix(_ scene: Scenery, rebuilt: Bool, disabled: DisabledFeatures) throws -> (
    [Float], [SourceState], [Int]
  ) {
    var offline = try OfflineRenderer(format: Scenes.stereo, disabling: disabled)
    let sources = try scene.make(offline.context)
    var samples = offline.render(frameCount: 4_096).samples
    let clock = offline.context.clock
    if rebuilt {
      let (states, frames) = (sources.map(\.state), sources.map(\.playbackFrame))
      #expect(offline.context.device.migrate(keepsTime: true) { ReplacementDevice(placeholderFor: $0) })
      #expect(offline.context.clock == clock)
      #expect(sources.map(\.state) == states)
      #expect(sources.map(\.playbackFrame) == frames)
    }
    samples += offline.render(frameCount: 4_096).samples
    return (samples, sources.map(\.state), sources.map(\.playbackFrame))
  }

  @Test(arguments: scenes, libraries)
  func `A migration does not change the mix after it settles`(scene: Scenery, disabled: DisabledFeatures) throws {
    let (plain, states, frames) = try mix(scene, rebuilt: false, disabled: disabled)
    let (rebuilt, statesAfter, framesAfter) = try mix(scene, rebuilt: true, disabled: disabled)
    #expect(statesAfter == states)
    #expect(framesAfter == frames)
    #expect(plain.prefix(2 * 4_096).elementsEqual(rebuilt.prefix(2 * 4_096)))
    let settled = 2 * (4_096 + scene.settling)
    let off = zip(plain[settled...], rebuilt[settled...]).map { abs($0 - $1) }.max() ?? 1
    #expect(off < 1e-5)
    // Nothing jumps while the mix settles: no sample exceeds the loudest one of the plain mix.
    let loudest = plain.map(abs).max() ?? 0
    #expect(rebuilt.map(abs).max() ?? 1 <= loudest * 1.01)
  }

  @Test func `A context whose sources only wait for their start does not set the clock of a new device`() throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let context = offline.context
    let source = try Scenes.noise(in: context, at: [1, 0, -1])
    func playsSource() -> Bool { context.state.withLock { $0.playsSource } }
    #expect(playsSource())
    source.pause()
    #expect(!playsSource())
    source.stop()
    source.play(at: context.clock + .milliseconds(100))
    // Without a delayed start, the source plays silence meanwhile.
    #expect(playsSource() == !context.capabilities.contains(.startDelay))
    offline.render(frameCount: 4_700)
    #expect(playsSource() == !context.capabilities.contains(.startDelay))
    offline.render(frameCount: 300)
    #expect(playsSource() && source.state == .playing)
  }
}
