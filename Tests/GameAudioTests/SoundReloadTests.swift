import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

extension SoundKey {
  fileprivate static let hum: SoundKey = "hum"
}

/// Files that change while a game runs.
@Suite struct SoundReloadTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func tone(_ frequency: Double, _ frames: Int = 24_000) -> PCMBuffer<Float> {
    TestSignal.sine(frequency: frequency, duration: mono.duration(ofFrames: frames), format: mono)
  }

  @Test func `The next play has the new samples, and one that plays keeps the old ones`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (bank, folder) = (SoundBank(in: world), try SoundFolder())
    bank.define(.hum, Sound(try folder.write("hum.wav", Self.tone(400))))
    try await bank.load(.hum)
    let idle = Emitter(playing: try bank[.hum], in: world)
    let old = try bank.play(.hum)
    offline.render(.milliseconds(100))
    try folder.write("hum.wav", Self.tone(2_000))
    try await bank.reload(.hum)
    #expect(bank.isLoaded(.hum) && bank.byteCount == 24_000 * 4)
    let rest = offline.render(.milliseconds(100))
    #expect(rest.level(at: 400) > -12 && rest.level(at: 2_000) < -40 && old.isPlaying)
    offline.render(.milliseconds(400))
    #expect(!old.isPlaying)
    idle.play()
    #expect(offline.render(.milliseconds(100)).level(at: 2_000) > -12)
    idle.stop()
    try bank.play(.hum)
    #expect(offline.render(.milliseconds(100)).level(at: 2_000) > -12)
  }

  @Test(arguments: [Repeats.forever, .times(5)])
  func `A loop goes over to the new samples at the end of its lap, without a click`(repeats: Repeats) async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (bank, folder) = (SoundBank(in: world), try SoundFolder())
    // Both begin and end at zero crossings.
    bank.define(.hum, Sound(try folder.write("hum.wav", Self.tone(400))))
    try await bank.load(.hum)
    let emitter = try bank.play(.hum, repeats: repeats)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    var samples = offline.render(frameCount: 30_000).samples
    try folder.write("hum.wav", Self.tone(800, 12_000))
    try await bank.reload(.hum)
    samples += offline.render(frameCount: 42_000).samples
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.frames(30_000..<47_500).level(at: 400) > -10 && mix.frames(30_000..<47_500).level(at: 800) < -40)
    // The second lap ends at 48,000; the next tick crossfades.
    #expect(mix.frames(50_000..<72_000).level(at: 800) > -10 && mix.frames(50_000..<72_000).level(at: 400) < -40)
    #expect(mix.clicks(highestFrequency: 800).isEmpty)
    offline.render(frameCount: 49_024)
    let laps = events.all.reduce(0) { if case .looped(let count) = $1 { $0 + count } else { $0 } }
    // Two laps of 24,000 frames, and then one each 12,000 frames, as long as there are repetitions.
    #expect(laps == (repeats == .forever ? 8 : 5))
    #expect(emitter.isPlaying == (repeats == .forever))
    bank.stop(.hum)
    withExtendedLifetime(token) {}
  }

  @Test func `A variation that is read again keeps its place in the family`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (bank, folder) = (SoundBank(in: world), try SoundFolder())
    var sound = Sound(anyOf: try [400.0, 800].map { try folder.write("\(Int($0)).wav", Self.tone($0, 4_800)) })
    sound.choice = .sequence
    bank.define(.hum, sound)
    try await bank.load(.hum)
    let emitters = try (0..<3).map { _ in Emitter(playing: try bank[.hum], in: world) }
    emitters[0].play()
    emitters[1].play()
    try folder.write("400.wav", Self.tone(2_000, 4_800))
    try await bank.reload(.hum)
    try await bank.reload(.hum)
    offline.render(.milliseconds(200))
    for frequency in [2_000.0, 800, 2_000] {
      emitters[2].play()
      #expect(offline.render(.milliseconds(80)).level(at: frequency) > -12)
      offline.render(.milliseconds(100))
    }
    let sounds = world.inspector.state.playback.scene.sounds
    let users = sounds.entries.filter { $0.users > 0 }
    #expect(users.count == 2 && users.allSatisfy { $0.users == 3 && $0.successor == nil })
    #expect(!sounds.hasSuccessors)
  }

  @Test(arguments: [false, true])
  func `An emitter in another form than that of its key plays the new samples`(isUnloaded: Bool) async throws {
    let stereo = PCMFormat.stereo(sampleRate: 48_000)
    func tone(_ frequency: Double) -> PCMBuffer<Float> {
      TestSignal.sine(frequency: frequency, duration: .milliseconds(500), format: stereo)
    }
    var offline = try OfflineRenderer(format: stereo)
    let world = AudioWorld(in: offline.context)
    let (bank, folder) = (SoundBank(in: world), try SoundFolder())
    bank.define(.hum, Sound(try folder.write("hum.wav", tone(400))))
    try await bank.load(.hum)
    let emitter = Emitter(playing: try bank[.hum], in: world, on: world.mixer.makeBus("music", kind: .direct))
    emitter.play()
    #expect(offline.render(.milliseconds(100)).level(at: 400) > -12)
    emitter.stop()
    offline.render(.milliseconds(50))
    if isUnloaded { bank.unload(.hum) }
    try folder.write("hum.wav", tone(2_000))
    try await bank.reload(.hum)
    emitter.play()
    #expect(offline.render(.milliseconds(100)).level(at: 2_000) > -12)
  }

  @Test func `A file that cannot be read again leaves everything as it was`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let (bank, folder) = (SoundBank(in: world), try SoundFolder())
    bank.define(.hum, Sound(try folder.write("hum.wav", Self.tone(400))))
    try await bank.load(.hum)
    try bank.play(.hum, repeats: .forever)
    try folder.remove("hum.wav")
    do {
      try await bank.reload(.hum)
      Issue.record("The file is missing.")
    } catch {
      #expect(error.code == .soundUnavailable && error.key == .hum && error.path == folder.path("hum.wav"))
    }
    #expect(bank.isLoaded(.hum))
    try bank.play(.hum)
    #expect(offline.render(.milliseconds(100)).level(at: 400) > -12)
  }

  // MARK: - Watching

  /// A bank that watches a file with a tone of 400 Hz, in a world whose ticks run on their own.
  private final class Watched: Sendable {
    let (bank, folder): (SoundBank, SoundFolder)
    let emitter: Emitter
    let reports = Collected<Diagnostic>()

    init() async throws {
      let world = AudioWorld(in: try AudioContext(device: .silent))
      (bank, folder) = (SoundBank(in: world), try SoundFolder())
      world.context.onDiagnostic = { [reports] in reports.append($0) }
      bank.define(.hum, Sound(try folder.write("hum.wav", tone(400, 4_800))))
      bank.watchesFiles = true
      try await bank.load(.hum)
      emitter = try bank.play(.hum, repeats: .forever)
    }

    /// The number of frames of the sound that the next play has, and of the sound that plays.
    var frames: (next: Int?, playing: Int?) {
      guard let sound = try? bank[.hum] else { return (nil, nil) }
      return (bank.world.inspector.keptFrameCount(of: sound), emitter.inspector.loaded?.frameCount)
    }

    func expect(_ frameCount: Int) async throws {
      try await eventually("both have \(frameCount) frames") { frames == (frameCount, frameCount) }
      #expect(emitter.isPlaying)
    }
  }

  @Test(.hangLimit) func `A file that is replaced by a rename is read again`() async throws {
    let watched = try await Watched()
    for count in [9_600, 2_400] {
      try watched.folder.write("hum.wav", Self.tone(800, count))
      try await watched.expect(count)
    }
    #expect(watched.reports.all.isEmpty)
    watched.bank.watchesFiles = false
    #expect(!watched.bank.watchesFiles)
  }

  @Test(.hangLimit) func `A file that is written in place is read again`() async throws {
    let watched = try await Watched()
    for count in [9_600, 2_400] {
      try watched.folder.overwrite("hum.wav", by: Self.tone(800, count))
      try await watched.expect(count)
    }
    #expect(watched.reports.all.isEmpty)
  }

  @Test(.hangLimit) func `A file that is half written is read when it is complete`() async throws {
    let watched = try await Watched()
    try watched.folder.write("long.wav", Self.tone(800, 9_600))
    let bytes = try watched.folder.bytes("long.wav")
    // The file is closed between the two halves.
    for length in [0, 30, 60, bytes.count / 2, bytes.count] {
      try watched.folder.write("hum.wav", bytes: bytes.prefix(length))
      // The time of a wrong reload: the watch has no event for a part that it does not read.
      try await Task.sleep(for: .milliseconds(100))
      #expect(watched.frames.next == 4_800 || length == bytes.count)
    }
    try await watched.expect(9_600)
    // A part that stays for three seconds, as on a loaded machine, is reported.
    #expect(watched.reports.all.allSatisfy { $0.code == .soundNotReloaded && $0.message.contains("hum.wav") })
  }

  @Test(.hangLimit) func `A file that disappears keeps its sound, and is read when it comes back`() async throws {
    let watched = try await Watched()
    try watched.folder.remove("hum.wav")
    try await eventually("the file is reported as missing") { !watched.reports.all.isEmpty }
    let report = watched.reports.all[0]
    #expect(report.code == .soundNotReloaded && report.message.contains("hum.wav"))
    #expect(watched.emitter.isPlaying && watched.frames == (4_800, 4_800))
    try watched.bank.play(.hum)
    try watched.folder.write("hum.wav", Self.tone(800, 9_600))
    try await eventually("the file is read") { watched.frames == (9_600, 9_600) }
    #expect(watched.reports.all.count == 1)
  }

  @Test(.hangLimit) func `A folder under two names reports the changes of both`() async throws {
    let watched = try await Watched()
    let other: SoundKey = "other"
    try watched.folder.write("other.wav", Self.tone(400, 4_800))
    watched.bank.define(other, Sound(watched.folder.path("./other.wav")))
    try await watched.bank.load(other)
    for count in [9_600, 2_400] {
      try watched.folder.write("hum.wav", Self.tone(800, count))
      try watched.folder.write("other.wav", Self.tone(800, count))
      try await watched.expect(count)
      try await eventually("the other file is read") { watched.bank.byteCount == 2 * 4 * count }
    }
    // The file with the other name alone is left.
    watched.bank.define(.hum, Sound(Self.tone(400)))
    try watched.folder.write("other.wav", Self.tone(800, 4_800))
    try await eventually("the other file is read") { watched.bank.byteCount == 4 * 4_800 }
  }

  @Test(.hangLimit, arguments: [false, true])
  func `A folder that was replaced is read again`(isMoved: Bool) async throws {
    let watched = try await Watched()
    let path = watched.folder.path("")
    let next = try SoundFolder()
    try next.write("hum.wav", Self.tone(800, 9_600))
    if isMoved {
      try FileManager.default.moveItem(atPath: path, toPath: next.path("old"))
    } else {
      try FileManager.default.removeItem(atPath: path)
    }
    try await eventually("the files are given up") { !watched.reports.all.isEmpty }
    try FileManager.default.copyItem(atPath: next.path(""), toPath: path)
    try await eventually("the file of the new folder is read") { watched.frames == (9_600, 9_600) }
  }

  @Test(.hangLimit) func `A folder that cannot be watched is reported once, and the others are watched`() async throws {
    let watched = try await Watched()
    // The system allows 255 bytes.
    let name = String(repeating: "a", count: 300)
    for key in ["first", "second"] {
      watched.bank.define(SoundKey(key), Sound(watched.folder.path("\(name)/\(key).wav")))
      watched.bank.define(SoundKey("other \(key)"), Sound(watched.folder.path("\(key)/\(name)/\(key).wav")))
      try await eventually("the folder is reported") { !watched.reports.all.isEmpty }
    }
    for count in [9_600, 2_400] {
      try watched.folder.write("hum.wav", Self.tone(800, count))
      try await watched.expect(count)
    }
    #expect(watched.reports.all.map(\.code) == [.filesNotWatched])
    #expect(watched.reports.all[0].message.contains(name))
  }

  @Test(.hangLimit) func `A bank that is released ends its watch`() async throws {
    weak var bank: SoundBank?
    weak var watch: FileWatch?
    do {
      let watched = try await Watched()
      bank = watched.bank
      watch = watched.bank.fileWatch
      #expect(watch != nil)
    }
    try await eventually("the bank and its watch are gone") { bank == nil && watch == nil }
  }
}

/// The files that wait to be read again.
@Suite struct PendingFilesTests {
  private static let ms: Int64 = 1_000_000

  @Test func `A file is due when it has been quiet, and a change begins the wait anew`() {
    var files = PendingFiles()
    files.note("a", at: 0)
    #expect(files.next == 60 * Self.ms && files.due(at: 59 * Self.ms).isEmpty)
    files.note("a", at: 50 * Self.ms)
    #expect(files.due(at: 109 * Self.ms).isEmpty)
    #expect(files.due(at: 110 * Self.ms).map(\.path) == ["a"])
    files.finish("a", isRead: true, at: 111 * Self.ms)
    #expect(files.next == nil)
  }

  @Test func `A file that cannot be read is tried five times more, and then given up`() {
    var files = PendingFiles()
    files.note("a", at: 0)
    var isLast: [Bool] = []
    var time: Int64 = 0
    while let next = files.next {
      #expect(files.due(at: next - 1).isEmpty)
      time = next
      isLast += files.due(at: time).map(\.isLast)
      files.finish("a", isRead: false, at: time)
    }
    #expect(isLast == [false, false, false, false, false, true])
    #expect(time == 3_060 * Self.ms)
  }

  @Test func `Files that nobody watches are forgotten`() {
    var files = PendingFiles()
    files.note("a", at: 0)
    files.note("b", at: 0)
    files.keep(["b"])
    #expect(files.due(at: .max).map(\.path) == ["b"])
    files.note("d", at: 70 * Self.ms)
    files.note("c", at: 50 * Self.ms)
    #expect(files.next == 60 * Self.ms && files.due(at: 110 * Self.ms).map(\.path) == ["b", "c"])
    files.finish("b", isRead: true, at: 0)
    #expect(files.next == 110 * Self.ms && files.due(at: .max).map(\.path) == ["c", "d"])
  }

  @Test func `Events are read from the bytes of the system`() {
    func event(_ descriptor: UInt8, _ mask: UInt8, _ name: String, _ length: UInt8) -> [UInt8] {
      let header: [UInt8] = [descriptor, 0, 0, 0, mask, 1, 0, 0, 9, 9, 9, 9, length, 0, 0, 0]
      let bytes = Array(name.utf8)
      return header + bytes + Array(repeating: 0, count: Int(length) - bytes.count)
    }
    let bytes = event(1, 8, "step.wav", 16) + event(2, 0, "", 0) + event(3, 128, "ü.ogg", 16)
    let events = FileEvent.all(in: bytes[...])
    #expect(events.map(\.name) == ["step.wav", "", "ü.ogg"] && events.map(\.descriptor) == [1, 2, 3])
    #expect(events.map(\.mask) == [264, 256, 384])
    #expect(FileEvent.all(in: bytes.dropLast(30)).count == 2)
    // An event without a name has sixteen bytes.
    #expect(FileEvent.all(in: event(4, 1, "", 0)[...]).map(\.descriptor) == [4])
    #expect(FileEvent.all(in: event(4, 1, "", 0).dropLast()).isEmpty && FileEvent.all(in: []).isEmpty)
  }
}
