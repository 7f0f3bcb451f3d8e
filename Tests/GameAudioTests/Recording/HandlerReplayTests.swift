import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Replays of games whose handlers make calls.
@Suite struct HandlerReplayTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let tone = TestSignal.sine(
    frequency: 382,
    duration: .seconds(1),
    format: .mono(sampleRate: 48_000)
  )

  /// A change that a handler makes.
  enum Change: CaseIterable {
    case position, gain, pitch, velocity, seek, repeats, fade, occlusion, obstruction, radius, direction, priority, bus
    case behavior, stop, pause, playOther, streamLimit, listener

    func apply(to emitter: Emitter, _ other: Emitter) {
      let world = emitter.world
      switch self {
      case .position: emitter.position = [2, 0, -1]
      case .gain: emitter.gain = .decibels(-6)
      case .pitch: emitter.pitch = 1.5
      case .velocity: emitter.velocity = [20, 0, 0]
      case .seek: emitter.playbackTime = .milliseconds(300)
      case .repeats: emitter.repeats = .forever
      case .fade: emitter.fade(to: .decibels(-20), Fade(.milliseconds(100)))
      case .occlusion: emitter.occlusion = -20
      case .obstruction: emitter.obstruction = -20
      case .radius: emitter.radius = 3
      case .direction: emitter.direction = [1, 0, 0]
      case .priority: emitter.priority = Priority(80)
      case .bus: emitter.bus = world.mixer.makeBus("other")
      case .behavior: emitter.virtualBehavior = .fromBeginning
      case .stop: emitter.stop(Fade(.milliseconds(100)))
      case .pause: emitter.pause()
      case .playOther: other.play()
      case .streamLimit: world.streamLimit = 1
      case .listener: world.listener = Listener(position: [1, 0, 0])
      }
    }
  }

  @Test(arguments: Change.allCases)
  func `A change in a handler replays to the bit, also while a stream begins`(_ change: Change) throws {
    for sizes in [[1_916, 791, 1_160, 1_927], [2_048, 1_024, 1_024], [511, 1_025, 3_000]] {
      for isStream in [true, false] {
        let samples = Self.tone
        let sound = isStream ? Sound(streaming: "tone") { SampleReader(samples) } : Sound(samples)
        var offline = try OfflineRenderer(format: Self.stereo, settings: OutputSettings(hrtf: .off))
        let world = AudioWorld(in: offline.context, voiceLimit: 8)
        let recording = world.record()
        let emitter = Emitter(playing: sound, in: world)
        let other = Emitter(playing: sound, in: world)
        emitter.position = [-1, 0, -1]
        emitter.play()
        var mix = Array(offline.render(frameCount: sizes[0]).samples)
        let token = emitter.observe { [weak emitter] event in
          guard case .ended = event, let emitter else { return }
          change.apply(to: emitter, other)
        }
        emitter.play()
        for size in sizes.dropFirst() { mix += offline.render(frameCount: size).samples }
        recording.stop()
        #expect(recording.isComplete)
        withExtendedLifetime((token, emitter, other)) {}
        var second = try OfflineRenderer(format: Self.stereo, settings: OutputSettings(hrtf: .off))
        let copy = AudioWorld(in: second.context, voiceLimit: 8)
        recording.replay(in: copy)
        var replayed: [Float] = []
        for size in sizes { replayed += second.render(frameCount: size).samples }
        let differs = zip(mix, replayed).enumerated().first { $0.element.0 != $0.element.1 }
        #expect(differs == nil, "\(change), stream \(isStream): frame \((differs?.offset ?? 0) / 2)")
        withExtendedLifetime(copy) {}
      }
    }
  }
}
