import AudioSupport
import Spatial3DTesting
import Testing

@testable import Spatial3D

@Suite struct OneShotTests {
  @Test func `A one-shot source plays to its end and is then released`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let noise = try SoundBuffer(TestSignal.noise(duration: .milliseconds(100), format: Scenes.mono), in: context)
    for _ in 0..<300 {
      weak let source = try context.playOnce(noise, at: [1, 0, -1], gain: 0.5)
      #expect(source?.position == [1, 0, -1])
      #expect(source?.gain == 0.5)
      #expect(offline.render(frameCount: 4_800).level > -60)
      _ = offline.render(frameCount: 1_024)
      #expect(source == nil)
      #expect(context.inspector.observesNothing && context.inspector.sourceCount == 0)
    }
  }

  @Test func `A one-shot without a position plays at the listener, wherever the listener goes`() throws {
    var levels: [Decibels] = []
    for distance in [0, 50, 5_000] as [Float] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      offline.context.listener.position = [distance, 0, 0]
      let sine = try SoundBuffer(
        TestSignal.sine(frequency: 440, duration: .seconds(1), format: Scenes.mono),
        in: offline.context
      )
      let source = try offline.context.playOnce(sine)
      #expect(source.isListenerRelative)
      levels.append(offline.render(frameCount: 4_800).level)
    }
    #expect(levels[0] > -20 && levels[0] == levels[1] && levels[0] == levels[2])
  }

  @Test func `The first frame of a one-shot has the properties that its closure set`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let sound = try SoundBuffer(
      PCMBuffer(samples: [Float](repeating: 0.5, count: 9_000), format: Scenes.mono),
      in: offline.context
    )
    weak let source = try offline.context.playOnce(sound, at: [0, 0, -4], gain: 0.5, pitch: 2) { source in
      #expect(source.state == .initial && source.gain == 0.5 && source.pitch == 2)
      source.attenuation.rolloffFactor = 0
      source.gainLimits = 0...0.25
    }
    #expect(source?.pitch == 2 && source?.isListenerRelative == false)
    let mix = offline.render(frameCount: 4_400).samples
    #expect(mix.allSatisfy { abs($0 - 0.125) < 1e-4 })
    _ = offline.render(frameCount: 2_048)
    #expect(offline.context.inspector.sourceCount == 0)
  }

  @Test func `A stopped, rewound or empty one-shot source is released at once`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let buffer = try Scenes.silence(frames: 1_000, in: offline.context)
    for verb in [PlaybackTests.Verb.stop, .rewind] {
      weak var gone: SoundSource?
      try {
        let source = try offline.context.playOnce(buffer)
        gone = source
        verb(source)
      }()
      #expect(gone == nil)
    }
    weak let empty = try offline.context.playOnce(Scenes.silence(frames: 0, in: offline.context))
    #expect(empty == nil)
  }

  @Test(arguments: [PlaybackTests.Verb.stop, .rewind])
  func `A one-shot source that ends during a suspension is released on resume`(verb: PlaybackTests.Verb) throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    context.suspend(.queue)
    weak var gone: SoundSource?
    try {
      let source = try context.playOnce(Scenes.silence(frames: 1_000, in: context))
      gone = source
      verb(source)
    }()
    #expect(gone != nil)
    context.resume()
    #expect(gone == nil)
  }

  @Test func `A dropped renderer releases its one-shots, and a dropped context ends after its own`() async throws {
    weak var context: AudioContext?
    try {
      let offline = try OfflineRenderer(format: Scenes.mono)
      context = offline.context
      try offline.context.playOnce(Scenes.silence(frames: 48_000, in: offline.context))
    }()
    #expect(context == nil)
    guard var live = try? AudioContext() else { return }
    weak let gone = live
    let events = live.events()
    try live.playOnce(Scenes.silence(frames: 480, in: live))
    live = try AudioContext()
    // The events end with the context, which lives until the sound has ended.
    for await event in events { Issue.record("\(event)") }
    #expect(gone == nil)
  }
}
