import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// What a new world has, and the values that it takes.
@Suite struct WorldSetupTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  @Test(arguments: [1, 2, 64])
  func `A world has eight more sources than voices, for changes`(voices: Int) throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: voices)
    #expect(world.inspector.sources.count == voices + 8 && world.inspector.streamRoom == voices + 8)
    #expect(world.inspector.sources.allSatisfy { $0.gainLimits == 0...16 })
    let state = world.inspector.state
    #expect(state.playback.voices.limit == voices && state.playback.voices.all.count == voices + 8)
    #expect(state.playback.voices.all.allSatisfy { $0.state == .free && $0.slot == nil })
    #expect(
      state.playback.outbox.commands.capacity >= 2 * (voices + 8)
        && state.playback.outbox.spareCommands.capacity >= 2 * (voices + 8)
    )
  }

  @Test func `The standard of a world is 64 voices, 16 streams, and the listener of its context`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    offline.context.listener.position = [1, 2, 3]
    let world = AudioWorld(in: offline.context)
    #expect(world.inspector.voiceLimit == 64 && world.streamLimit == 16)
    #expect(world.listener.position == [1, 2, 3] && world.seed == 1 && world.zones.isEmpty && world.portals.isEmpty)
    #expect(world.wallOcclusion == -30 && world.mixer.buses.map(\.name) == ["main"])
    for (count, used) in [(-3, 0), (0, 0), (1, 1), (900, 900)] {
      world.streamLimit = count
      #expect(world.streamLimit == used)
    }
    for (level, used) in [(-101, -100), (-100, -100), (-7, -7), (0, 0), (1, 0)] as [(Decibels, Decibels)] {
      world.wallOcclusion = level
      #expect(world.wallOcclusion == used)
    }
  }

  /// The layouts of an output, and whether it is a pair of loudspeakers.
  private static let layouts: [(ChannelLayout, OutputSettings.HRTF, Bool)] = [
    (.mono, .off, false), (.stereo, .off, true), (.quad, .off, false), (.surround51, .off, false),
    (.stereo, .on, false),
  ]

  @Test func `Only a stereo output without a head-related transfer function is a pair of loudspeakers`() throws {
    for (layout, mode, isPair) in Self.layouts {
      let format = PCMFormat(sampleRate: 48_000, layout: layout)
      let offline = try OfflineRenderer(format: format, settings: OutputSettings(hrtf: mode))
      let world = AudioWorld(in: offline.context)
      #expect(world.inspector.hasTwoLoudspeakers == isPair, "\(layout), \(mode)")
    }
  }

  @Test func `A stream may be as loud as a sound in memory`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono, amplitude: 0.01)
    let emitter = Emitter(playing: Sound(streaming: "tone") { SampleReader(tone) }, in: world)
    (emitter.gain, emitter.position) = (.decibels(24), [0, 0, -1])
    emitter.play()
    offline.render(.milliseconds(100))
    let limits = world.inspector.streamSources.map(\.gainLimits)
    #expect(limits == [0...16])
    #expect(abs(offline.render(.milliseconds(100)).level.rawValue - (24 - 43.01)) < 0.1)
  }

  @Test func `A list of emitters moves to a list of places, the last one too, also while it is recorded`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let (world, other) = (AudioWorld(in: offline.context), AudioWorld(in: offline.context))
    let tone = Sound(TestSignal.silence(duration: .milliseconds(1), format: Self.mono))
    let emitters = [world, world, other, world].map { Emitter(playing: tone, in: $0) }
    for offset in [1, 2] as [Float] {
      let recording = offset == 2 ? world.record() : nil
      let places = (0..<4).map { SIMD3<Float>(Float($0) + 10 * offset, offset, -offset) }
      world.move(emitters, to: places.span)
      for (index, emitter) in emitters.enumerated() {
        #expect(emitter.position == (index == 2 ? .zero : places[index]))
      }
      world.move(Array(emitters.prefix(1)), to: places.span)
      world.move(emitters, to: places.span.extracting(1..<2))
      #expect(emitters[0].position == places[1] && emitters[1].position == places[1])
      // Moves to where an emitter is already are no calls.
      if let recording {
        world.move(Array(emitters.prefix(1)), to: places.span.extracting(1..<2))
        #expect(recording.callCount == 2)
      }
    }
  }

  @Test func `A source that plays another sound keeps no send of the last one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
    let click = Sound(TestSignal.noise(duration: .milliseconds(30), format: Self.mono))
    let emitters = (0..<2).map { _ in Emitter(playing: click, in: world) }
    emitters[0].send(to: unit, gain: .decibels(-6))
    var sends: [Int] = []
    for index in 0..<12 {
      emitters[index % 2].play()
      offline.render(.milliseconds(15))
      let source = world.inspector.sources.first { $0.state == .playing }
      sends.append(source?.effectSends.count ?? -1)
      offline.render(.milliseconds(60))
    }
    #expect(sends == (0..<12).map { 1 - $0 % 2 })
  }
}
