import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

extension SoundKey {
  fileprivate static let step: SoundKey = "step"
  fileprivate static let bell: SoundKey = "bell"
  fileprivate static let other: SoundKey = "other"
}

/// Sounds by key: loading, playing and releasing them.
@Suite struct SoundBankTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func tone(_ frequency: Double = 400, _ length: Duration = .milliseconds(200)) -> PCMBuffer<Float> {
    TestSignal.sine(frequency: frequency, duration: length, format: mono)
  }

  /// An offline world with a bank and a folder of files.
  private struct Scene: ~Copyable {
    var offline: OfflineRenderer
    let world: AudioWorld
    let bank: SoundBank
    let folder: SoundFolder
    let reports = Collected<Diagnostic>()

    init(budget: Int? = nil, voices: Int = 8) throws {
      let folder = try SoundFolder()
      let offline = try OfflineRenderer(format: SoundBankTests.mono)
      world = AudioWorld(in: offline.context, voiceLimit: voices)
      bank = SoundBank(in: world, budget: budget)
      offline.context.onDiagnostic = { [reports] in reports.append($0) }
      self.folder = folder
      self.offline = offline
    }
  }

  /// The error of a loading.
  private func failure(_ body: () async throws(GameAudioError) -> Void) async -> GameAudioError? {
    do {
      try await body()
      return nil
    } catch { return error }
  }

  @Test func `A key is loaded, played by several emitters, rewound and stopped`() async throws {
    var scene = try Scene()
    scene.bank.define(.bell, Sound(try scene.folder.write("bell.wav", Self.tone())))
    #expect(!scene.bank.isLoaded(.bell) && scene.bank.byteCount == 0)
    try await scene.bank.load(.bell)
    #expect(scene.bank.isLoaded(.bell) && scene.bank.byteCount == 9_600 * 4)
    for _ in 0..<3 { try scene.bank.play(.bell, at: [0, 0, -1]) }
    #expect(scene.bank.isPlaying(.bell) && scene.bank.playingCount(.bell) == 3)
    scene.offline.render(.milliseconds(150))
    scene.bank.rewind(.bell)
    scene.offline.render(.milliseconds(150))
    #expect(scene.bank.playingCount(.bell) == 3)
    scene.bank.stop(.bell)
    let end = scene.offline.render(.milliseconds(60))
    #expect(!scene.bank.isPlaying(.bell) && end.frames(2_000..<2_880).isSilent())
    #expect(end.clicks(highestFrequency: 400).isEmpty)
  }

  @Test func `Plays of unknown keys and of samples that are not in memory throw sentences`() async throws {
    let scene = try Scene()
    scene.bank.define(.bell, Sound("bell.wav"))
    let unknown = await failure { () throws(GameAudioError) in try scene.bank.play(.step) }
    #expect(unknown?.code == .unknownKey && unknown?.key == .step)
    #expect(unknown?.code.description == "unknownKey" && unknown?.description == unknown?.message)
    #expect(unknown?.message.contains("step") == true && unknown?.message.contains("bell") == true)
    let unloaded = await failure { () throws(GameAudioError) in try scene.bank.play(.bell) }
    #expect(unloaded?.code == .notLoaded && unloaded?.key == .bell && unloaded?.message.contains("load(") == true)
    #expect(await failure { () throws(GameAudioError) in try await scene.bank.load(.bell, .step) }?.code == .unknownKey)
    #expect(await failure { () throws(GameAudioError) in _ = try scene.bank[.step] }?.code == .unknownKey)
    scene.bank.stop(.step)
    scene.bank.rewind(.step)
    scene.bank.unload(.step)
    #expect(!scene.bank.isPlaying(.step) && !scene.bank.isLoaded(.step))
  }

  @Test func `Missing and damaged files are errors by key and file, and the others are loaded`() async throws {
    let scene = try Scene()
    try scene.folder.write("bell.wav", Self.tone())
    try scene.folder.write("noise.wav", bytes: Data("no sound at all".utf8))
    scene.bank.define(.bell, Sound(scene.folder.path("bell.wav")))
    scene.bank.define(.step, Sound(anyOf: [scene.folder.path("missing.wav"), scene.folder.path("noise.wav")]))
    scene.bank.define(.other, Sound(anyOf: []))
    let error = await failure { () throws(GameAudioError) in try await scene.bank.load(.other, .step, .bell) }
    #expect(error?.code == .emptySound && error?.key == .other && error?.failures.count == 3)
    let paths = Set(error?.failures.filter { $0.key == .step }.compactMap(\.path) ?? [])
    #expect(paths == [scene.folder.path("missing.wav"), scene.folder.path("noise.wav")])
    for failure in error?.failures ?? [] {
      #expect(
        failure.message.contains(failure.key?.name ?? "?")
          && (failure.path.map { failure.message.contains($0) } ?? true)
      )
    }
    #expect(scene.bank.isLoaded(.bell) && !scene.bank.isLoaded(.step))
  }

  @Test func `A file has one buffer, however many keys and sounds use it`() async throws {
    var scene = try Scene()
    let path = try scene.folder.write("bell.wav", Self.tone())
    var quiet = Sound(path)
    quiet.levelVariation = -6 ... -6
    scene.bank.define(.bell, Sound(path))
    scene.bank.define(.step, quiet)
    scene.bank.define(.other, Sound(anyOf: [path, path.replacing("bell.wav", with: "./bell.wav")]))
    try await scene.bank.load(.bell, .step, .other)
    #expect(scene.bank.byteCount == 9_600 * 4)
    let emitters = [
      try scene.bank.play(.bell), try scene.bank.play(.step, at: .zero), try scene.bank.play(.other),
      Emitter(playing: try scene.bank[.bell], in: scene.world),
    ]
    scene.offline.render(.milliseconds(20))
    let buffers = emitters.map(\.inspector.buffer)
    #expect(buffers[0] != nil && buffers.allSatisfy { $0 === buffers[0] })
    scene.bank.unload(.bell)
    #expect(scene.bank.isLoaded(.step) && scene.bank.byteCount == 9_600 * 4)
  }

  @Test func `Unloaded samples play to their end, and are released then`() async throws {
    var scene = try Scene()
    scene.bank.define(.bell, Sound(try scene.folder.write("bell.wav", Self.tone())))
    try await scene.bank.load(.bell)
    weak var buffer: SoundBuffer?
    do {
      let emitter = try scene.bank.play(.bell)
      buffer = emitter.inspector.buffer
    }
    scene.offline.render(.milliseconds(20))
    scene.bank.unload(.bell)
    #expect(scene.bank.byteCount == 0 && !scene.bank.isLoaded(.bell) && scene.bank.isPlaying(.bell))
    #expect(scene.offline.render(.milliseconds(100)).level(at: 400) > -12)
    #expect(buffer != nil)
    scene.offline.render(.milliseconds(300))
    #expect(!scene.bank.isPlaying(.bell) && buffer == nil)
  }

  @Test func `Another sound of a key takes the place of the first, which plays on`() async throws {
    var scene = try Scene()
    scene.bank.define(.bell, Sound(try scene.folder.write("a.wav", Self.tone(400))))
    try await scene.bank.load(.bell)
    let old = try scene.bank.play(.bell)
    scene.bank.define(.bell, Sound(try scene.folder.write("b.wav", Self.tone(2_000))))
    #expect(!scene.bank.isLoaded(.bell) && scene.bank.byteCount == 0 && old.isPlaying)
    #expect(scene.offline.render(.milliseconds(100)).level(at: 400) > -12)
    try await scene.bank.load(.bell)
    try scene.bank.play(.bell)
    #expect(scene.offline.render(.milliseconds(60)).level(at: 2_000) > -12)
    #expect(scene.bank.playingCount(.bell) == 2)
    scene.bank.stop(.bell)
    #expect(scene.bank.playingCount(.bell) == 0)
    scene.offline.render(.milliseconds(30))
    #expect(!old.isPlaying)
  }

  @Test func `A key remembers its choices when it gets another sound`() throws {
    let scene = try Scene()
    var drawn: [String] = []
    for names in [["a", "b"], ["a", "c"]] {
      var sound = Sound(anyOf: try names.map { try scene.folder.write("\($0).wav", Self.tone()) })
      sound.choice = .sequence
      scene.bank.define(.bell, sound, loading: .onDemand)
      // One of two plays of a sequence: the next sound goes on with its second variation.
      let emitter = try scene.bank.play(.bell)
      drawn.append(emitter.inspector.soundPath ?? "")
    }
    #expect(drawn.map { $0.suffix(5) } == ["a.wav", "c.wav"])
  }

  @Test func `The budget releases the samples that were played longest ago`() async throws {
    // Room for two of the three.
    var scene = try Scene(budget: 2 * 9_600 * 4)
    for (key, name) in [(SoundKey.bell, "a.wav"), (.step, "b.wav"), (.other, "c.wav")] {
      scene.bank.define(key, Sound(try scene.folder.write(name, Self.tone())))
    }
    try await scene.bank.load(.bell, .step)
    try scene.bank.play(.step)
    try scene.bank.play(.bell)
    scene.offline.render(.milliseconds(400))
    try await scene.bank.load(.other)
    #expect(scene.bank.isLoaded(.bell) && !scene.bank.isLoaded(.step) && scene.bank.isLoaded(.other))
    #expect(scene.bank.byteCount == 2 * 9_600 * 4 && scene.reports.all.isEmpty)
    let error = await failure { () throws(GameAudioError) in try scene.bank.play(.step) }
    #expect(error?.code == .notLoaded && error?.message.contains("budget") == true)
  }

  @Test func `Samples that play are never released, and a bank over its budget goes on`() async throws {
    var scene = try Scene(budget: 9_600 * 4)
    scene.bank.define(.bell, Sound(try scene.folder.write("a.wav", Self.tone())))
    scene.bank.define(.step, Sound(try scene.folder.write("b.wav", Self.tone(2_000))))
    try await scene.bank.load(.bell)
    try scene.bank.play(.bell, repeats: .forever)
    scene.offline.render(.milliseconds(20))
    try await scene.bank.load(.step)
    try await scene.bank.load(.step)
    #expect(scene.bank.isLoaded(.bell) && scene.bank.isLoaded(.step))
    #expect(scene.reports.all.map(\.code) == [.soundBankOverBudget])
    #expect(scene.offline.render(.milliseconds(100)).level(at: 400) > -12)
    // A larger one is in force at once, and so is a smaller one.
    scene.bank.budget = nil
    scene.bank.budget = 9_600 * 4
    #expect(scene.bank.isLoaded(.bell) && !scene.bank.isLoaded(.step) && scene.bank.byteCount == 9_600 * 4)
  }

  @Test func `An emitter whose samples were released loads them again`() async throws {
    var scene = try Scene(budget: 9_600 * 4)
    scene.bank.define(.bell, Sound(try scene.folder.write("a.wav", Self.tone())))
    scene.bank.define(.step, Sound(try scene.folder.write("b.wav", Self.tone(2_000))))
    try await scene.bank.load(.bell)
    let emitter = Emitter(playing: try scene.bank[.bell], in: scene.world)
    try await scene.bank.load(.step)
    #expect(!scene.bank.isLoaded(.bell))
    emitter.play()
    #expect(scene.offline.render(.milliseconds(100)).level(at: 400) > -12)
    #expect(scene.bank.isLoaded(.bell) && !scene.bank.isLoaded(.step))
  }

  @Test func `Sounds of several channels are mixed down and reported once by name`() async throws {
    let scene = try Scene()
    let stereo = TestSignal.sine(frequency: 400, duration: .milliseconds(200), format: .stereo(sampleRate: 48_000))
    let path = try scene.folder.write("wide.wav", stereo)
    scene.bank.define(.bell, Sound(path))
    scene.bank.define(.step, Sound(path))
    scene.bank.define(.other, Sound(path), isPlaced: false)
    try await scene.bank.load(.bell)
    try await scene.bank.reload(.step)
    #expect(scene.bank.byteCount == 9_600 * 4)
    try await scene.bank.load(.other)
    #expect(scene.bank.byteCount == 3 * 9_600 * 4)
    #expect(scene.reports.all.map(\.code) == [.soundMixedDown])
    #expect(scene.reports.all[0].message.contains("wide.wav"))
  }

  @Test func `Sounds of another rate than the mix are converted, or reported once by name`() async throws {
    let scene = try Scene()
    let low = TestSignal.sine(frequency: 400, duration: .milliseconds(200), format: .mono(sampleRate: 22_050))
    scene.bank.define(.bell, Sound(try scene.folder.write("low.wav", low)))
    try await scene.bank.load(.bell)
    #expect(scene.reports.all.isEmpty && scene.bank.byteCount == 9_600 * 4)
    scene.bank.unload(.bell)
    scene.bank.world.convertsSampleRates = false
    for _ in 0..<2 {
      try await scene.bank.load(.bell)
      #expect(scene.reports.all.map(\.code) == [.soundsResampled] && scene.bank.byteCount == 4_410 * 4)
      #expect(scene.reports.all[0].message.contains("low.wav") && scene.reports.all[0].message.contains("22050"))
      scene.bank.unload(.bell)
    }
  }

  @Test func `A sound on demand is reported once by name, however often it is loaded`() async throws {
    var scene = try Scene()
    scene.bank.world.convertsSampleRates = false
    let format = PCMFormat.stereo(sampleRate: 22_050)
    let wide = TestSignal.sine(frequency: 400, duration: .milliseconds(100), format: format)
    scene.bank.define(.bell, Sound(try scene.folder.write("wide.wav", wide)), loading: .onDemand)
    for _ in 0..<3 {
      try scene.bank.play(.bell, at: .zero)
      #expect(scene.offline.render(.milliseconds(150)).level(at: 400) > -20)
      scene.bank.unload(.bell)
    }
    #expect(scene.reports.all.map(\.code) == [.soundMixedDown, .soundsResampled])
    #expect(scene.reports.all.allSatisfy { $0.message.contains("wide.wav") })
  }

  @Test(.hangLimit) func `A key on demand waits for its samples while its clock runs`() async throws {
    let world = AudioWorld(in: try AudioContext(device: .silent))
    let bank = SoundBank(in: world)
    let folder = try SoundFolder()
    bank.define(.bell, Sound(try folder.write("bell.wav", Self.tone())), loading: .onDemand)
    // The loader of the world is busy meanwhile.
    let gate = DispatchSemaphore(value: 0)
    defer { gate.signal() }
    world.loader.perform(LoadQueue.Work(lane: .files, name: "busy", fileUse: nil) { gate.wait() })
    let before = world.context.physics.frame
    let emitter = try bank.play(.bell, repeats: .forever)
    let after = world.context.physics.frame
    #expect(world.explain(emitter).verdict == .silent(.loading) && bank.isPlaying(.bell))
    #expect(world.snapshot().emitters.map(\.state) == [WorldSnapshot.State.loading])
    try await eventually("a fifth of a second of the mix is over") { world.context.physics.frame - after > 9_600 }
    gate.signal()
    try await eventually("the samples are loaded") { bank.isLoaded(.bell) && emitter.playbackTime > .zero }
    // The clock has run since the play, over many laps.
    let (place, frame) = emitter.inspector.position
    #expect(place >= Double(frame - after) - 1 && place <= Double(frame - before) + 1)
    withExtendedLifetime(folder) {}
    emitter.stop()
  }

  @Test func `A loading reports its progress, and loads nothing twice`() async throws {
    let scene = try Scene()
    let progress = Collected<[Int]>()
    let keys = try (0..<20).map { index in
      let key = SoundKey("key \(index)")
      scene.bank.define(key, Sound(try scene.folder.write("\(index).wav", Self.tone(300, .milliseconds(10)))))
      return key
    }
    try await scene.bank.load(keys) { progress.append([$0, $1]) }
    #expect(progress.all == (1...20).map { [$0, 20] })
    try await scene.bank.load(keys + keys) { progress.append([$0, $1]) }
    try await scene.bank.loadAll { progress.append([$0, $1]) }
    #expect(progress.all.count == 20 && scene.bank.keys == keys.sorted())
  }

  @Test(.hangLimit) func `A cancelled loading leaves a bank that can go on`() async throws {
    let scene = try Scene()
    let keys = try (0..<40).map { index in
      let key = SoundKey("key \(index)")
      scene.bank.define(key, Sound(try scene.folder.write("\(index).wav", Self.tone(300, .seconds(1)))))
      return key
    }
    let bank = scene.bank
    let cancel = Collected<@Sendable () -> Void>()
    let (isKnown, known) = AsyncStream<Void>.makeStream()
    let task = Task { () -> GameAudioError? in
      for await _ in isKnown { break }
      do throws(GameAudioError) {
        try await bank.load(keys) { finished, _ in if finished == 1 { for call in cancel.all { call() } } }
        return nil
      } catch { return error }
    }
    cancel.append { task.cancel() }
    known.yield()
    let error = await task.value
    #expect(error?.code == .cancelled)
    let loaded = keys.count { bank.isLoaded($0) }
    #expect(loaded < 40 && bank.byteCount == loaded * 48_000 * 4)
    #expect(error?.message.contains("\(loaded) of 40") == true)
    try await bank.load(keys)
    #expect(keys.allSatisfy { bank.isLoaded($0) })
  }

  @Test func `A release of the bank lets emitters play to their end, and frees the samples`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let folder = try SoundFolder()
    weak var buffer: SoundBuffer?
    do {
      let bank = SoundBank(in: world)
      bank.define(.bell, Sound(try folder.write("bell.wav", Self.tone())))
      try await bank.load(.bell)
      let emitter = try bank.play(.bell)
      buffer = emitter.inspector.buffer
    }
    #expect(offline.render(.milliseconds(100)).level(at: 400) > -12 && buffer != nil)
    offline.render(.milliseconds(300))
    #expect(buffer == nil)
  }

  @Test func `A stream of a key is opened once, and read by each emitter`() async throws {
    var scene = try Scene()
    scene.bank.define(.bell, Sound(try scene.folder.write("long.wav", Self.tone(400, .seconds(2))), streamed: true))
    scene.bank.define(.step, Sound(scene.folder.path("missing.wav"), streamed: true))
    try await scene.bank.load(.bell)
    #expect(scene.bank.isLoaded(.bell) && scene.bank.byteCount == 0)
    try scene.bank.play(.bell)
    #expect(scene.offline.render(.milliseconds(300)).level(at: 400) > -12)
    let error = await failure { () throws(GameAudioError) in try await scene.bank.load(.step) }
    #expect(error?.code == .soundUnavailable && error?.path == scene.folder.path("missing.wav"))
  }

  @Test func `A loading while 64 voices play changes no sample of the mix`() async throws {
    let hum = Sound(Self.tone(400, .milliseconds(1_200)))
    var mixes: [[Float]] = []
    for count in [0, 100] {
      var scene = try Scene(voices: 64)
      let keys = try (0..<count).map { index in
        let key = SoundKey("key \(index)")
        scene.bank.define(key, Sound(try scene.folder.write("\(index).wav", Self.tone(300, .milliseconds(100)))))
        return key
      }
      for _ in 0..<64 { scene.world.playOnce(hum) }
      let bank = scene.bank
      async let loading: Void = bank.load(keys)
      mixes.append((0..<100).flatMap { _ in scene.offline.render(frameCount: 512).samples })
      try await loading
      #expect(scene.world.voiceStatistics().real == 64 && keys.allSatisfy { bank.isLoaded($0) })
    }
    #expect(mixes[0] == mixes[1])
  }
}
