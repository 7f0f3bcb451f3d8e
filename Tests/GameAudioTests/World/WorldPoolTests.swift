import GameAudio
import Spatial3D
import Spatial3DTesting
import Testing

/// The sources of a world, its listener, and what is left when it goes.
@Suite struct WorldPoolTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let samples = TestSignal.sine(frequency: 400, duration: .seconds(2), format: mono, amplitude: 0.01)

  @Test(arguments: [1, 2, 7, 8, 64])
  func `A world has a source for each voice and eight more, for gains up to 24 dB`(voices: Int) throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    offline.context.listener = Listener(position: [1, 2, 3], gain: 0.5)
    let world = AudioWorld(in: offline.context, voiceLimit: voices)
    let inspector = world.inspector
    #expect(inspector.sources.count == voices + 8 && inspector.sources.allSatisfy { $0.gainLimits == 0...16 })
    #expect(inspector.streamRoom == voices + 8 && inspector.voiceLimit == voices && inspector.voiceCount == voices + 8)
    #expect(world.listener == Listener(position: [1, 2, 3], gain: 0.5))
    #expect(world.snapshot().voiceLimit == voices && reports.all.isEmpty && world.context === offline.context)
    #expect(inspector.mixesByFrames && world.seed == 1)
  }

  @Test(arguments: [false, true])
  func `A sound of -40 dB is 24 dB louder with the highest gain, from memory and as a stream`(isStream: Bool) throws {
    var levels: [Float] = []
    for gain in [0, 24] as [Decibels] {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let samples = Self.samples
      let stream = Sound(streaming: "tone") { SampleReader(samples) }
      let emitter = Emitter(playing: isStream ? stream : Sound(samples), in: world)
      emitter.position = [0, 0, -1]
      emitter.gain = .decibels(gain)
      emitter.play()
      offline.render(.milliseconds(100))
      levels.append(offline.render(.milliseconds(200)).level.rawValue)
    }
    #expect(abs(levels[1] - levels[0] - 24) < 0.05, "\(levels)")
  }

  @Test(arguments: [false, true])
  func `The end of a world ends what plays, and its observers hear of it`(hasTicked: Bool) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    var world: AudioWorld? = AudioWorld(in: offline.context)
    let events = Collected<EmitterEvent>()
    let token = world?.playOnce(Sound(Self.samples), at: [0, 0, -1]).observe { events.append($0) }
    if hasTicked { offline.render(.milliseconds(100)) }
    // A sound that plays within the release has an observer at its beginning.
    #expect(events.all == [])
    world = nil
    #expect(events.all == [.ended(.stopped)])
    withExtendedLifetime(token) {}
  }

  @Test func `The listener moves at once while nothing plays, and with the next tick else`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.listener.position = [1, 0, 0]
    #expect(offline.context.listener.position == [1, 0, 0] && !world.inspector.isListenerChanged)
    world.listeners = [Listener(position: [2, 0, 0]), Listener(position: [9, 0, 0], gain: 2)]
    #expect(offline.context.listener.position == [2, 0, 0] && offline.context.listener.gain == 2)
    world.listeners = [Listener(position: [2, 0, 0])]
    #expect(offline.context.listener.gain == 1)
    let emitter = Emitter(playing: Sound(Self.samples), in: world)
    emitter.play()
    world.listener.position = [3, 0, 0]
    #expect(offline.context.listener.position == [2, 0, 0] && world.listener.position == [3, 0, 0])
    offline.render(frameCount: 513)
    #expect(offline.context.listener.position == [3, 0, 0])
    // A sound that begins takes the listener with it, but not within an update.
    world.listener.position = [4, 0, 0]
    world.playOnce(Sound(Self.samples), at: [5, 0, 0])
    #expect(offline.context.listener.position == [4, 0, 0])
    world.update {
      world.listener.position = [6, 0, 0]
      world.playOnce(Sound(Self.samples), at: [5, 0, 0])
      #expect(offline.context.listener.position == [4, 0, 0])
    }
    offline.render(frameCount: 512)
    #expect(offline.context.listener.position == [6, 0, 0])
  }

  @Test func `A world ticks while something plays, fades or rings, and not else`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var isTicking: Bool { world.inspector.isTicking }
    let emitter = Emitter(playing: Sound(Self.samples), in: world)
    #expect(!isTicking)
    func playShortly() {
      emitter.play()
      emitter.stop(.none)
    }
    let begins: [(String, () -> Void)] = [
      ("a sound", { emitter.play() }), ("a fade of an emitter", { emitter.fade(to: .decibels(-6), Fade(.seconds(1))) }),
      ("a fade of a bus", { world.mixer.main.fade(to: .decibels(-6), Fade(.seconds(1))) }),
      ("a stop", { playShortly() }),
    ]
    for (name, begin) in begins {
      begin()
      #expect(isTicking, "\(name)")
      offline.render(.seconds(3))
      #expect(!isTicking, "\(name)")
    }
    emitter.gain = .decibels(-3)
    world.mixer.main.gain = .decibels(-3)
    emitter.fade(to: .unity, .none)
    #expect(!isTicking)
  }

  @Test(arguments: [0, 1, 2, 700], [0, 1_000])
  func `A sound that begins inside fades in, and one at its beginning does not`(frame: Int, delay: Int) throws {
    let constant = try PCMBuffer(samples: [Float](repeating: 0.5, count: 24_000), format: Self.mono)
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound(constant), in: world)
    emitter.position = [0, 0, -1]
    emitter.playbackTime = Self.mono.duration(ofFrames: frame)
    if delay > 0 { emitter.play(at: Self.mono.duration(ofFrames: delay)) } else { emitter.play() }
    let mix = offline.render(frameCount: 6_000).samples
    #expect(mix.prefix(delay).allSatisfy { $0 == 0 })
    #expect(frame == 0 ? abs(mix[delay] - 0.5) < 1e-4 : abs(mix[delay]) < 0.1, "\(mix[delay])")
    #expect(mix[(delay + 1_000)..<6_000].allSatisfy { abs($0 - 0.5) < 1e-3 })
  }

  @Test func `An update has the result and the error of its body, and is over with it`() throws {
    struct Failure: Error {}
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    func depth() -> Int { world.inspector.openUpdateCount }
    var depths: [Int] = []
    let result: Int = world.update {
      depths.append(depth())
      let inner: Int = world.update { depth() }
      depths += [inner, depth()]
      return 5
    }
    #expect(result == 5 && depths == [1, 2, 1] && depth() == 0)
    let body: () throws(Failure) -> Void = { () throws(Failure) in throw Failure() }
    #expect(throws: Failure.self) { try world.update(body) }
    #expect(depth() == 0)
    world.inspector.closeUpdate()
    #expect(depth() == 0)
  }
}
