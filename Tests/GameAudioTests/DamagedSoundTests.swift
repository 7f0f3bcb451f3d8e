import FileDecode
import Foundation
import GameAudio
import Spatial3DTesting
import Testing

/// Files that are missing, cut or damaged, in banks and in emitters.
@Suite struct DamagedSoundTests {
  private let reports = Collected<Diagnostic>()
  private let context: AudioContext
  private let world: AudioWorld
  private let bank: SoundBank
  private let folder: SoundFolder
  private static let noise = TestSignal.noise(duration: .seconds(6), format: .mono(sampleRate: 48_000))

  init() throws {
    folder = try SoundFolder()
    context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    world = AudioWorld(in: context)
    bank = SoundBank(in: world)
    let reports = reports
    context.onDiagnostic = { reports.append($0) }
  }

  private var sentences: [String] { reports.all.map(\.message) }

  @Test func `A file that was cut is reported with its key and the frames that were read`() async throws {
    let path = try folder.write("torch.wav", Self.noise)
    try folder.write("torch.wav", bytes: folder.bytes("torch.wav").prefix(400_000))
    bank.define("torch", Sound(path))
    try await bank.load("torch")
    #expect(reports.all.map(\.code) == [.soundIncomplete])
    let frames = bank.byteCount / 4
    #expect(sentences.first?.hasPrefix("\(path), the sound of the key torch, holds less than its header says:") == true)
    #expect(sentences.first?.contains("\(frames) frames") == true)
    bank.unload("torch")
    try await bank.load("torch")
    #expect(sentences.count == 1)
  }

  @Test func `A stream that was cut is reported with its key`() async throws {
    let path = try folder.write("torch.wav", Self.noise)
    try folder.write("torch.wav", bytes: folder.bytes("torch.wav").prefix(400_000))
    bank.define("torch", Sound(path, streamed: true))
    try await bank.load("torch")
    #expect(reports.all.map(\.code) == [.soundIncomplete])
    #expect(sentences.first?.hasPrefix("\(path), the sound of the key torch, holds less than its header says.") == true)
  }

  @Test func `A file with damaged bytes is reported with the frames that it should have`() async throws {
    let path = try folder.write("song.ogg", Self.noise)
    var bytes = try folder.bytes("song.ogg")
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 3_000, with: (0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 167) })
    try folder.write("song.ogg", bytes: bytes)
    bank.define("song", Sound(path))
    try await bank.load("song")
    let frames = bank.byteCount / 4
    #expect(frames < 288_000)
    #expect(reports.all.map(\.code) == [.soundIncomplete])
    #expect(sentences.first?.contains("\(frames) frames of 288000 were read") == true)
  }

  @Test(arguments: [false, true])
  func `A stream with damaged bytes is reported once, when a play reads them`(hasPlace: Bool) throws {
    let path = try folder.write("song.ogg", Self.noise)
    var bytes = try folder.bytes("song.ogg")
    let middle = bytes.count / 2
    bytes.replaceSubrange(middle..<middle + 3_000, with: (0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 167) })
    try folder.write("song.ogg", bytes: bytes)
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    let emitter = Emitter(playing: Sound(path, streamed: true), in: world)
    if hasPlace { emitter.position = [1, 0, 0] }
    emitter.play()
    offline.render(.seconds(1))
    #expect(reports.all.isEmpty)
    offline.render(.seconds(6))
    #expect(reports.all.map(\.code) == [.soundIncomplete])
    #expect(reports.all.first?.message.contains(path) == true)
    emitter.play()
    offline.render(.seconds(7))
    #expect(reports.all.count == 1)
  }

  @Test func `An emitter of a cut file is reported without a bank`() throws {
    let path = try folder.write("torch.wav", Self.noise)
    try folder.write("torch.wav", bytes: folder.bytes("torch.wav").prefix(400_000))
    for _ in 0..<3 { world.playOnce(Sound(path)) }
    #expect(reports.all.map(\.code) == [.soundIncomplete])
  }

  @Test func `A stream that cannot be opened is reported after its emitter has given up the voice`() {
    struct Missing: Error {}
    world.inspector.failStream(ofVoice: 3, because: Missing())
    #expect(reports.all.map(\.code) == [.soundUnavailable])
  }

  @Test func `A whole file is not reported`() async throws {
    bank.define("torch", Sound(try folder.write("torch.wav", Self.noise)))
    bank.define("song", Sound(try folder.write("song.ogg", Self.noise)))
    try await bank.loadAll()
    #expect(sentences.isEmpty)
  }

  @Test(arguments: [false, true])
  func `A missing file of a key on demand is reported once with its key, until it can be read`(streamed: Bool) throws {
    let path = folder.path("torch.wav")
    bank.define("torch", Sound(path, streamed: streamed), loading: .onDemand)
    for _ in 0..<300 { try bank.play("torch", at: [1, 0, 0]) }
    #expect(reports.all.map(\.code) == [.soundUnavailable])
    #expect(sentences.first?.hasPrefix("The sound of the key torch cannot be loaded. \(path)") == true)
    try folder.write("torch.wav", Self.noise)
    try bank.play("torch")
    #expect(sentences.count == 1)
    bank.stop("torch", .none)
    bank.unload("torch")
    try folder.remove("torch.wav")
    try bank.play("torch")
    if !streamed { #expect(sentences.count == 2) }
  }
}
