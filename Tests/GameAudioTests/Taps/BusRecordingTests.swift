import AudioSupport
import FileDecode
import Foundation
import PCM
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Recordings of the mix to a file.
@Suite(.hangLimit) struct BusRecordingTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(10), format: .mono(sampleRate: 48_000)))

  private static func read(_ path: String) throws -> PCMBuffer<Float> { try AudioFile(opening: path).readAll() }

  @Test func `A recording has the frames that the renderer returns, to the bit`() async throws {
    let folder = try SoundFolder()
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.mixer.limiter = Insert.Limiter(ceiling: -6)
    world.playOnce(Self.noise, at: [2, 0, -1])
    offline.render(.milliseconds(123))
    let take = try world.recordMix(to: folder.path("take.wav"), codec: .float32)
    let mix = offline.render(.seconds(1)).samples + offline.render(frameCount: 77).samples
    #expect(take.duration == Self.stereo.duration(ofFrames: 48_077) && take.lostFrames == 0)
    #expect(!FileManager.default.fileExists(atPath: take.path))
    try await take.stop()
    offline.render(.milliseconds(10))
    #expect(try Self.read(take.path).samples == mix && mix.contains { $0 != 0 })
    // A second end returns the same.
    try take.finish()
    try await take.stop()
    #expect(take.format == Self.stereo)
  }

  @Test func `Recordings of buses begin at one frame, and their sum is the sum of the mix`() throws {
    let folder = try SoundFolder()
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let (sfx, speech) = (world.mixer.makeBus("sfx"), world.mixer.makeBus("speech/near"))
    sfx.inserts = [.limiter(ceiling: -12)]
    world.mixer.main.inserts = [.lowPass(500)]
    // The sounds of the bus are in its sum from their beginning on.
    let meter = speech.meter()
    world.playOnce(Self.noise, at: [2, 0, -1], on: sfx)
    world.playOnce(Self.noise, gain: 0.2, on: speech)
    offline.render(frameCount: 10_001)
    let chunks = Collected<MixChunk>()
    let token = world.mixer.main.tap(.beforeInserts) { chunks.append($0) }
    let stems = try world.recordStems(of: [sfx, speech], in: folder.path(""), codec: .float32)
    offline.render(frameCount: 30_000)
    for stem in stems { try stem.finish() }
    let files = try ["sfx.wav", "speech_near.wav"].map { try Self.read(folder.path($0)).samples }
    let sum = zip(files[0], files[1]).map { $0 + $1 }
    let mix = chunks.all.flatMap(\.samples.samples)
    #expect(sum.count == 60_000 && mix.count == 60_000 && sum.contains { abs($0) > 0.01 })
    let different = zip(sum, mix).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(different == nil)
    withExtendedLifetime((token, meter)) {}
  }

  @Test func `Live recordings of buses begin at one frame`() async throws {
    let folder = try SoundFolder()
    let world = try AudioWorld(processing: true)
    let buses = (0..<3).map { world.mixer.makeBus(BusName("bus \($0)")) }
    // All buses have the same sound: their files are equal if they begin at one frame.
    let emitters = buses.map { Emitter(playing: Self.noise, in: world, on: $0) }
    let meters = buses.map { $0.meter() }
    try await eventually("the sounds were loaded") { emitters.allSatisfy { $0.inspector.loaded != nil } }
    let moment = world.context.clock + .milliseconds(200)
    for emitter in emitters { emitter.play(at: moment) }
    let stems = try world.recordStems(of: buses, in: folder.path(""), codec: .float32)
    try await eventually("something was recorded") { stems.allSatisfy { $0.duration > .milliseconds(300) } }
    for stem in stems { try await stem.stop() }
    let files = try stems.map { try Self.read($0.path).samples }
    let count = files.map(\.count).min() ?? 0
    #expect(count > 20_000 && files[0].prefix(count).contains { abs($0) > 0.01 })
    #expect(files[1].prefix(count) == files[0].prefix(count) && files[2].prefix(count) == files[0].prefix(count))
    withExtendedLifetime(meters) {}
  }

  @Test func `Recordings of buses of which one fails leave no file`() throws {
    let folder = try SoundFolder()
    let offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let buses = (0..<9).map { world.mixer.makeBus(BusName("bus \($0)")) }
    let error = #expect(throws: GameAudioError.self) { try world.recordStems(of: buses, in: folder.path("")) }
    #expect(error?.code == .busNotProcessed)
    #expect(throws: GameAudioError.self) { try world.recordStems(of: [buses[0]], in: folder.path("none")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
  }

  @Test(arguments: [ChannelLayout.mono, .quad, .surround51, .surround71])
  func `A recording has all channels of a layout`(layout: ChannelLayout) throws {
    let folder = try SoundFolder()
    let format = PCMFormat(sampleRate: 44_100, layout: layout)
    var offline = try OfflineRenderer(format: format)
    let world = AudioWorld(in: offline.context)
    world.playOnce(Self.noise, at: [2, 0, -1])
    let chunks = Collected<MixChunk>()
    let tap = world.mixer.main.tap { chunks.append($0) }
    let take = try world.recordMix(to: folder.path("take.wav"), codec: .float32)
    let mix = offline.render(.milliseconds(300))
    try take.finish()
    let file = try AudioFile(opening: take.path)
    #expect(file.format.layout == layout && file.format.sampleRate == 44_100)
    #expect(try file.readAll().samples == mix.samples)
    #expect(chunks.all.flatMap(\.samples.samples) == mix.samples && chunks.all[0].samples.format == format)
    tap.cancel()
  }

  @Test func `A recording of a live mix has its frames in order, and ends while the mix goes on`() async throws {
    let folder = try SoundFolder()
    let world = try AudioWorld(processing: true)
    let chunks = Collected<MixChunk>()
    let tap = world.mixer.main.tap { chunks.append($0) }
    world.playOnce(Self.noise)
    let take = try world.recordMix(to: folder.path("take.wav"), codec: .float32)
    let begin = chunks.all.count
    try await eventually("a second with a sound was recorded", every: .milliseconds(20)) {
      take.duration > .seconds(1)
        && chunks.all.dropFirst(begin + 10).contains { $0.samples.samples.contains { $0 != 0 } }
    }
    try await take.stop()
    let file = try Self.read(take.path)
    #expect(take.lostFrames == 0 && take.duration == file.duration)
    let last = chunks.all.count
    try await eventually("the mix goes on") { chunks.all.count > last + 10 }
    tap.cancel()
    let mix = chunks.all.flatMap(\.samples.samples)
    // The recording begins with a later block than the tap, or with the same.
    let offset = try #require(
      stride(from: 0, to: mix.count - file.samples.count, by: 1_024).first {
        mix[$0..<$0 + file.samples.count].elementsEqual(file.samples)
      }
    )
    #expect(offset >= 0 && file.samples.contains { $0 != 0 })
  }

  @Test func `A recording that is released, and one whose world ends, have their files`() async throws {
    let folder = try SoundFolder()
    func recordWorld() throws -> (BusRecording, PCMBuffer<Float>) {
      var offline = try OfflineRenderer(format: Self.stereo)
      let world = AudioWorld(in: offline.context)
      var released: BusRecording? = try world.recordMix(to: folder.path("released.wav"), codec: .float32)
      let ended = try world.recordMix(to: folder.path("ended.wav"), codec: .float32)
      world.playOnce(Self.noise)
      let mix = offline.render(.milliseconds(200))
      #expect(released != nil)
      released = nil
      #expect(try Self.read(folder.path("released.wav")).samples == mix.samples)
      return (ended, mix)
    }
    let (ended, mix) = try recordWorld()
    #expect(try Self.read(folder.path("ended.wav")).samples == mix.samples)
    try await ended.stop()
  }

  @Test func `A live recording without its last reference has its file`() async throws {
    let folder = try SoundFolder()
    let world = try AudioWorld(processing: true)
    var take: BusRecording? = try world.recordMix(to: folder.path("take.flac"))
    try await eventually("something was recorded") { take.map { $0.duration > .milliseconds(100) } ?? false }
    take = nil
    try await eventually("the file has its name") { FileManager.default.fileExists(atPath: folder.path("take.flac")) }
    #expect(try Self.read(folder.path("take.flac")).frameCount > 4_000)
  }

  @Test func `A file that cannot be created is an error with its path`() throws {
    let folder = try SoundFolder()
    let offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    for path in [folder.path("none/take.wav"), folder.path("take.xyz"), ""] {
      let error = #expect(throws: GameAudioError.self) { try world.recordMix(to: path) }
      #expect(error?.code == .recordingFailed && error?.path == path)
    }
    let plain = AudioWorld(in: try AudioContext(device: .silent))
    #expect(throws: GameAudioError.self) { try plain.recordMix(to: folder.path("take.wav")) }
    let bus = plain.mixer.makeBus("music")
    let error = #expect(throws: GameAudioError.self) { try bus.record(to: folder.path("take.wav")) }
    #expect(error?.code == .busNotProcessed && error?.message.contains("music") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
  }

  @Test func `A full disk ends a recording with an error, and the mix goes on`() async {
    await #expect(processExitsWith: .success) {
      // Each write beyond 300,000 bytes fails in this process.
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 300_000, rlim_max: 300_000)
      let result = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      #expect(result == 0)
      let folder = try SoundFolder()
      var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
      let reports = Collected<Diagnostic>()
      offline.context.onDiagnostic = { reports.append($0) }
      let world = AudioWorld(in: offline.context)
      let take = try world.recordMix(to: folder.path("take.wav"), codec: .float32)
      let frames = offline.render(.seconds(2)).frameCount
      #expect(frames == 96_000 && reports.all.map(\.code) == [.mixRecordingFailed])
      let error = await #expect(throws: GameAudioError.self) { try await take.stop() }
      #expect(error?.code == .recordingFailed && error?.path == folder.path("take.wav"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("")).isEmpty)
      #expect(reports.all.count == 1)
    }
  }

  @Test func `A hundred recordings leave no descriptor open`() throws {
    let folder = try SoundFolder()
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    func openFiles() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").lazy.compactMap { name in
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
      }
      .count { $0.hasPrefix(folder.path("")) }
    }
    for number in 0..<100 {
      let take = try world.recordMix(to: folder.path("take.\(number.isMultiple(of: 2) ? "wav" : "flac")"))
      offline.render(.milliseconds(20))
      #expect(try openFiles() == 1)
      if number.isMultiple(of: 3) { try take.finish() }
    }
    #expect(try openFiles() == 0)
  }
}
