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
