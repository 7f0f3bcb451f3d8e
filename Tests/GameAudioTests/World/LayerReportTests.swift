import GameAudio
import Spatial3DTesting
import Testing

/// The reports of settings that meet: of a context and its world, of two worlds, of a device and a session.
@Suite struct LayerReportTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: mono))

  /// An offline context, and its reports.
  private final class Scene {
    var offline: OfflineRenderer
    let reports = Collected<Diagnostic>()

    init() throws {
      offline = try OfflineRenderer(format: mono)
      offline.context.onDiagnostic = { [reports] in reports.append($0) }
    }

    var context: AudioContext { offline.context }
    var codes: [Diagnostic.Code] { reports.all.map(\.code) }
    var sentences: [String] { reports.all.map(\.message) }
  }

  // MARK: - The listener

  @Test func `A listener of the context is reported once after a world has taken it over`() throws {
    let scene = try Scene()
    let context = scene.context
    context.listener.position = [1, 0, 0]
    let world = AudioWorld(in: context)
    #expect(world.listener.position == [1, 0, 0] && scene.codes.isEmpty)
    for x in [2, 3] as [Float] {
      context.listener.position = [x, 0, 0]
      #expect(context.listener.position == [x, 0, 0])
    }
    #expect(scene.codes == [.listenerOverwritten])
    #expect(scene.sentences.first?.contains("Set world.listener, or world.listeners for a split screen.") == true)
    world.listener.position = [5, 0, 0]
    #expect(context.listener.position == [5, 0, 0] && scene.codes.count == 1)
  }

  @Test func `A listener of the context is reported inside of deferred updates`() throws {
    let scene = try Scene()
    let context = scene.context
    let world = AudioWorld(in: context)
    context.withDeferredUpdates { context.listener.gain = 0.5 }
    #expect(scene.codes == [.listenerOverwritten] && context.listener.gain == 0.5)
    withExtendedLifetime(world) {}
  }

  @Test func `The listener of a world, an equal value and a context without a world are not reported`() throws {
    let scene = try Scene()
    let context = scene.context
    var world: AudioWorld? = AudioWorld(in: context)
    world?.listener.position = [1, 0, 0]
    world?.playOnce(Self.noise, at: [2, 0, 0])
    world?.listeners = [Listener(position: [2, 0, 0]), Listener(position: [9, 0, 0], gain: 2)]
    scene.offline.render(.milliseconds(100))
    world?.listener.position = [3, 0, 0]
    scene.offline.render(.milliseconds(100))
    #expect(world?.listeners.map(\.position) == [[3, 0, 0], [9, 0, 0]])
    let listener = context.listener
    #expect(listener.position == [3, 0, 0])
    context.listener = listener
    world = nil
    context.listener.position = [4, 0, 0]
    #expect(scene.codes.isEmpty && world == nil)
  }

  // MARK: - Two worlds

  @Test func `A world that plays beside an older world of its context is reported once`() throws {
    let scene = try Scene()
    let worlds = [AudioWorld(in: scene.context), AudioWorld(in: scene.context)]
    #expect(scene.codes.isEmpty)
    for _ in 0..<2 {
      for world in worlds { world.playOnce(Self.noise) }
      scene.offline.render(.milliseconds(100))
    }
    #expect(scene.codes == [.contextShared])
    #expect(scene.sentences.first?.contains("Use one AudioWorld with a bus for each group of sounds") == true)
  }

  @Test func `Worlds that replace each other, and worlds of two contexts, are not reported`() throws {
    let scene = try Scene()
    let other = try AudioContext(device: scene.context.device)
    other.onDiagnostic = { [reports = scene.reports] in reports.append($0) }
    let second = AudioWorld(in: other)
    var world = AudioWorld(in: scene.context)
    for _ in 0..<3 {
      world.playOnce(Self.noise)
      second.playOnce(Self.noise)
      scene.offline.render(.milliseconds(50))
      world = AudioWorld(in: scene.context)
    }
    world.playOnce(Self.noise)
    scene.offline.render(.milliseconds(50))
    #expect(scene.codes.isEmpty, "\(scene.sentences)")
  }

  // MARK: - Buses and effects

  @Test func `A bus of another world is reported once for each call and bus, with its name`() throws {
    let scene = try Scene()
    let (world, other) = (AudioWorld(in: scene.context), AudioWorld(in: scene.context))
    let (foreign, main) = (other.mixer.makeBus("sfx"), world.mixer.main)
    let emitter = Emitter(playing: Self.noise, in: world)
    let player = try SoundPlayer(playing: Self.noise, in: world)
    let bank = SoundBank(in: world)
    bank.define("noise", Self.noise, loading: .onDemand)
    for _ in 0..<2 {
      #expect(Emitter(playing: Self.noise, in: world, on: foreign).bus == main)
      #expect(world.playOnce(Self.noise, on: foreign).bus == main)
      #expect(try bank.play("noise", on: foreign).bus == main)
      #expect(try SoundPlayer(playing: Self.noise, in: world, on: foreign).bus == main)
      emitter.bus = foreign
      player.bus = foreign
      #expect(emitter.bus == main && player.bus == main)
      #expect(world.mixer.makeBus("steps", in: foreign).parent == main)
      main.duck(under: foreign, Ducking(by: -6))
    }
    let calls = [
      "Emitter(playing:in:on:)", "AudioWorld.playOnce(_:at:gain:on:)", "SoundBank.play(_:at:gain:repeats:on:)",
      "SoundPlayer(playing:in:on:)", "Emitter.bus", "SoundPlayer.bus", "Mixer.makeBus(_:in:kind:)",
      "Bus.duck(under:_:)",
    ]
    #expect(scene.codes == Array(repeating: .busOfAnotherWorld, count: calls.count))
    for (call, sentence) in zip(calls, scene.sentences) {
      #expect(sentence.hasPrefix("\(call) was given the bus sfx of another world: "))
      #expect(sentence.contains("make it with world.mixer.makeBus(\"sfx\")"))
    }
    world.mixer.makeBus("speech")
    emitter.bus = other.mixer.makeBus("speech")
    #expect(scene.codes.count == calls.count + 1)
    #expect(scene.sentences.last?.contains("Its own world has world.mixer[\"speech\"].") == true)
    withExtendedLifetime((world, emitter, player)) {}
  }

  @Test func `An effect of another context is reported once for emitters, and once for a bus`() throws {
    let scene = try Scene()
    let stranger = try OfflineRenderer(format: Self.mono)
    let unit = try EffectUnit(.echo(Effect.Echo()), in: stranger.context)
    let world = AudioWorld(in: scene.context)
    let (bus, emitter) = (world.mixer.makeBus("sfx"), Emitter(playing: Self.noise, in: world))
    for _ in 0..<2 {
      emitter.send(to: unit, gain: 1)
      bus.send(to: unit, gain: 1)
    }
    emitter.bus = bus
    emitter.play()
    scene.offline.render(.milliseconds(100))
    #expect(scene.codes == [.valueNotUsable, .valueNotUsable])
    let reason = "was set to an effect of another context, which is not usable: make the EffectUnit in world.context."
    #expect(scene.sentences.first?.hasPrefix("The send of emitter 1 (A sound in memory) \(reason)") == true)
    #expect(scene.sentences.last?.hasPrefix("The send of the bus sfx \(reason)") == true)
    #expect(world.snapshot().emitters.map(\.sends) == [nil])
    withExtendedLifetime(emitter) {}
  }

  @Test func `Buses and effects of the own world are not reported`() throws {
    let scene = try Scene()
    let world = AudioWorld(in: scene.context)
    let (music, sfx) = (world.mixer.makeBus("music"), world.mixer.makeBus("sfx"))
    let steps = world.mixer.makeBus("steps", in: sfx)
    let unit = try EffectUnit(.echo(Effect.Echo()), in: scene.context)
    let emitter = Emitter(playing: Self.noise, in: world, on: steps)
    let player = try SoundPlayer(playing: Self.noise, in: world, on: music)
    let bank = SoundBank(in: world)
    bank.define("noise", Self.noise, loading: .onDemand)
    music.duck(under: sfx, Ducking(by: -6))
    emitter.send(to: unit, gain: 0.5)
    emitter.play()
    player.play()
    emitter.bus = sfx
    world.playOnce(Self.noise, on: sfx)
    try bank.play("noise", on: sfx)
    scene.offline.render(.milliseconds(100))
    #expect(scene.codes.isEmpty, "\(scene.sentences)")
    withExtendedLifetime((emitter, player)) {}
  }

  // MARK: - Released worlds and links

  @Test func `A world that is released before its first tick is reported, with a sound that it stops`() throws {
    let scene = try Scene()
    AudioWorld(in: scene.context).playOnce(Self.noise)
    #expect(scene.codes == [.releasedUnplayed])
    let sentence = "and that stopped emitter 1 (A sound in memory). Keep the world in a property"
    #expect(scene.sentences.first?.contains(sentence) == true)
  }

  @Test func `A world that was mixed, has nothing to play, or is kept by an emitter is not reported`() throws {
    let scene = try Scene()
    for plays in [false, true] {
      let world = AudioWorld(in: scene.context)
      guard plays else { continue }
      world.playOnce(Self.noise)
      scene.offline.render(.milliseconds(50))
    }
    let emitter = Emitter(playing: Self.noise, in: AudioWorld(in: scene.context))
    emitter.play()
    scene.offline.render(.milliseconds(50))
    #expect(scene.codes.isEmpty, "\(scene.sentences)")
    withExtendedLifetime(emitter) {}
  }

  @Test(arguments: [true, false], [true, false])
  func `A link that is not kept is reported once, also while the world is suspended`(
    isActive: Bool,
    isPaused: Bool
  ) throws {
    let scene = try Scene()
    let world = AudioWorld(in: scene.context)
    let session = AudioSession()
    if isActive { try session.activate() }
    if isPaused { scene.context.suspend() }
    for _ in 0..<2 { _ = world.follow(session) }
    #expect(scene.codes == [.sessionLinkReleased])
    #expect(scene.sentences.first?.contains("Keep the link in a property, or end it with cancel().") == true)
  }

  @Test func `A link that was kept or cancelled is not reported`() throws {
    let scene = try Scene()
    let world = AudioWorld(in: scene.context)
    let session = AudioSession()
    world.follow(session).cancel()
    try session.activate()
    world.follow(session).cancel()
    var link: SessionLink? = world.follow(session)
    scene.offline.render(.milliseconds(50))
    #expect(link != nil)
    link = nil
    #expect(scene.codes.isEmpty && !scene.context.isSuspended)
  }

  // MARK: - Headphones

  @Test(arguments: SessionLink.OutputLoss.allCases)
  func `A policy that pauses all sources is reported once with a link that pauses less`(
    loss: SessionLink.OutputLoss
  ) throws {
    let scene = try Scene()
    let world = AudioWorld(in: scene.context)
    scene.context.device.policy = .pauseOnOutputLoss
    for _ in 0..<2 {
      let link = world.follow(AudioSession(), onOutputLoss: loss)
      #expect(scene.context.device.policy == .follow)
      link.cancel()
    }
    #expect(scene.codes == (loss == .pauseAll ? [] : [.devicePolicyReplaced]))
    for sentence in scene.sentences {
      #expect(sentence.hasPrefix("AudioDevice.policy is pauseOnOutputLoss, and a SessionLink with"))
      #expect(sentence.contains("onOutputLoss: .\(loss.rawValue) replaces it"))
    }
    #expect(scene.context.device.policy == .pauseOnOutputLoss)
  }

  @Test(arguments: [DevicePolicy.follow, .stay], SessionLink.OutputLoss.allCases)
  func `Another policy is not reported`(policy: DevicePolicy, loss: SessionLink.OutputLoss) throws {
    let scene = try Scene()
    let world = AudioWorld(in: scene.context)
    scene.context.device.policy = policy
    world.follow(AudioSession(), onOutputLoss: loss).cancel()
    #expect(scene.codes.isEmpty)
  }
}
