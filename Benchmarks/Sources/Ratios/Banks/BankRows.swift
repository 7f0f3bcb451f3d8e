internal import SoundFileLoops
import Foundation
import GameAudio
import Spatial3DTesting
import Synchronization

/// The cost of loading sounds by key, and of playing them.
enum BankRows {
  static func comparisons() throws -> [Comparison] {
    let folder = try BankFolder()
    return try [defining()] + loading(folder) + [playing(folder), lateness(folder)]
  }

  /// The growth of the time of a definition with the number of keys: both sides define the same number.
  private static func defining() throws -> Comparison {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let sounds = (0..<10_000).map { (key: SoundKey("\($0)"), sound: Sound("\($0).wav")) }
    func define(_ count: Int) {
      let bank = SoundBank(in: world)
      for (key, sound) in sounds.prefix(count) { bank.define(key, sound) }
    }
    return Comparison("a key of 10,000 defined, against a key of 1,000", atMost: 1.6) { effort in
      Turns.ratios(rounds: effort(full: 9, brief: 3), runs: 7) {
        define(10_000)
      } to: {
        for _ in 0..<10 { define(1_000) }
      }
    }
  }

  /// The loading of eight files by a bank, against their decoding alone in C.
  private static func loading(_ folder: BankFolder) throws -> [Comparison] {
    let paths = try folder.vorbis(8)
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    func compare(_ what: String, atMost limit: Limit?, by clock: Turns.Clock, to reference: @escaping () -> Int)
      -> Comparison
    {
      Comparison(what, atMost: limit) { effort in
        try withExtendedLifetime(folder) {
          try Turns.ratios(rounds: effort(full: 9, brief: 3), runs: 3, by: clock) {
            try load(paths, in: world)
          } to: {
            precondition(reference() >= 8 * 5 * 48_000)
          }
        }
      }
    }
    func oneByOne() -> Int { paths.map { unsafe Int(sound_file_floats($0, 4_096)) }.reduce(0, +) }
    func onAllProcessors() -> Int {
      let sum = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: paths.count) { index in
        sum.add(unsafe Int(sound_file_floats(paths[index], 4_096)), ordering: .relaxed)
      }
      return sum.load(ordering: .relaxed)
    }
    return [
      compare("8 files of Vorbis loaded by a bank, against C one by one: time", atMost: nil, by: .wall, to: oneByOne),
      compare("the same, against C on all processors: time", atMost: 1.6, by: .wall, to: onAllProcessors),
      compare("the same: processor time of all threads", atMost: 1.4, by: .process, to: oneByOne),
    ]
  }

  /// Loads files into a bank, which is released then.
  private static func load(_ paths: [String], in world: AudioWorld) throws {
    let bank = SoundBank(in: world)
    // As stored: nothing is mixed down, in C neither.
    for path in paths { bank.define(SoundKey(path), Sound(path), isPlaced: false) }
    try wait { try await bank.loadAll() }
  }

  /// Waits for an asynchronous call.
  static func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Result<Void, any Error>>(.success(()))
    Task {
      do { try await body() } catch { result.withLock { $0 = .failure(error) } }
      done.signal()
    }
    done.wait()
    try result.withLock { try $0.get() }
  }

  /// The play of a key, against the play of its sound: silent plays, which take no voice.
  private static func playing(_ folder: BankFolder) throws -> Comparison {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let bank = SoundBank(in: world)
    for (index, path) in try folder.short(100).enumerated() {
      bank.define(SoundKey("\(index)"), Sound(path), isPlaced: false)
    }
    try wait { try await bank.loadAll() }
    let key: SoundKey = "50"
    let sound = try bank[key]
    return Comparison("a play of a key, against one of its sound", atMost: 1.4) { effort in
      Turns.ratios(rounds: effort(full: 25, brief: 5), runs: 500) {
        (try? bank.play(key, gain: .silence))?.stop(.none)
      } to: {
        world.playOnce(sound, gain: .silence).stop(.none)
      }
    }
  }

  /// The delay of the latest tick while 100 files are loaded beside 64 voices, beyond the delay without loading.
  private static func lateness(_ folder: BankFolder) throws -> Comparison {
    let paths = try folder.short(100)
    return Comparison("the latest tick while 100 files load beside 64 voices, in ticks", atMost: 1, brief: 2) {
      effort in
      let context = try AudioContext()
      // The rate of the output may differ from the rate of the files.
      context.onDiagnostic = { _ in }
      let world = AudioWorld(in: context, voiceLimit: 64)
      let noise = Sound(EmitterScene.noise)
      let emitters = (0..<64).map { index in
        let emitter = Emitter(playing: noise, in: world)
        (emitter.repeats, emitter.position) = (.forever, [Float(index + 1), 0, 0])
        emitter.play()
        return emitter
      }
      let delays = TickDelays()
      let token = world.context.onTick(every: 512) { delays.note($0) }
      defer { withExtendedLifetime((token, emitters)) {} }
      return try (0..<effort(full: 9, brief: 3)).map { _ in
        delays.begin()
        Thread.sleep(forTimeInterval: 0.25)
        let quiet = delays.latest
        try load(paths, in: world)
        return max(delays.latest - quiet, 0) / (512.0 / 48_000)
      }
    }
  }
}

/// The delays of ticks behind the clock of the mix.
private final class TickDelays: Sendable {
  private let delays = Mutex<[Double]>([])
  private let start = ContinuousClock.now

  func begin() { delays.withLock { $0.removeAll() } }

  func note(_ clock: Duration) {
    let now = ContinuousClock.now
    delays.withLock { $0.append((now - start - clock) / .seconds(1)) }
  }

  /// The delay of the latest tick behind the earliest one, in seconds.
  var latest: Double { delays.withLock { ($0.max() ?? 0) - ($0.min() ?? 0) } }
}

/// Sound files of their own for banks, which keep one file in memory once.
final class BankFolder {
  private let files: SoundFiles

  init() throws { files = try SoundFiles() }

  /// Stereo files of five seconds, as Vorbis.
  func vorbis(_ count: Int) throws -> [String] {
    let original = try files.path("bank.ogg", seconds: 5)
    return try (0..<count).map { try copy(of: original, "\($0).ogg") }
  }

  /// Stereo files of a second, as WAVE.
  func short(_ count: Int) throws -> [String] {
    let original = try files.path("bank.wav", seconds: 1)
    return try (0..<count).map { try copy(of: original, "\($0).wav") }
  }

  private func copy(of original: String, _ ending: String) throws -> String {
    let path = original + "." + ending
    if !FileManager.default.fileExists(atPath: path) {
      try FileManager.default.copyItem(atPath: original, toPath: path)
    }
    return path
  }
}
