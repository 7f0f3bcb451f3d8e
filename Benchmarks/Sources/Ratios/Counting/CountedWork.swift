import FileDecode
import GameAudio
import Spatial3D
import Spatial3DTesting

/// Work whose instructions Valgrind counts, for `Scripts/count-instructions`.
struct CountedWork {
  /// The row's name; Docs/Benchmarks.md explains it.
  let what: String
  /// The number of units of work, such as calls of a setter.
  let count: Int
  private let body: () throws -> Void

  private init(_ what: String, count: Int = 1, _ body: @escaping () throws -> Void) {
    (self.what, self.count, self.body) = (what, count, body)
  }

  /// Does the work once beforehand, so that memory is allocated, and once for the count.
  func run() throws {
    try body()
    try runCounted(body)
  }

  /// The work in groups, whose scenes do not exist at the same time.
  static var groups: [() throws -> [CountedWork]] { [setters, sources, ticks, inspection, files, definitions] }

  // MARK: - Calls

  private static func setters() throws -> [CountedWork] {
    let scene = try EmitterScene(count: 1_000)
    let emitters = scene.emitters
    let buses = (0..<1_000).map { scene.world.mixer.makeBus("bus \($0)") }
    var value: Float = 0
    /// Another value at each run.
    func work(_ what: String, _ set: @escaping (Float) -> Void) -> CountedWork {
      CountedWork(what, count: 1_000) {
        value += 0.01
        withExtendedLifetime(scene) { set(value) }
      }
    }
    return [
      work("an emitter's position set") { value in for emitter in emitters { emitter.position = [value, 0, 1] } },
      work("an emitter's velocity set") { value in for emitter in emitters { emitter.velocity = [value, 0, 1] } },
      work("an emitter's gain set") { value in for emitter in emitters { emitter.gain = Gain(value) } },
      work("an emitter's pitch set") { value in for emitter in emitters { emitter.pitch = 1 + value } },
      work("an emitter's occlusion set") { value in
        for emitter in emitters { emitter.occlusion = Decibels(-value) }
      },
      work("a bus's gain set, of 1,000 buses") { value in for bus in buses { bus.gain = Gain(value) } },
    ]
  }

  private static func sources() throws -> [CountedWork] {
    let scene = try Scene(sourceCount: 1_000)
    var x: Float = 0
    return [
      CountedWork("a source's position set", count: 1_000) {
        x += 0.01
        for source in scene.sources { source.position = [x, 0, 1] }
      },
      CountedWork("a source's state read", count: 1_000) {
        precondition(scene.sources.allSatisfy { $0.state == .playing })
      },
    ]
  }

  // MARK: - Ticks

  private static func ticks() throws -> [CountedWork] {
    try [("64", 64), ("1,000", 1_000), ("10,000", 10_000)].map { text, count in
      CountedWork("a second with \(text) moving emitters", try EmitterScene(count: count).second)
    }
  }

  private static func inspection() throws -> [CountedWork] {
    let scene = try EmitterScene(count: 10_000)
    return [
      CountedWork("a choice from 10,000 emitters", scene.choose),
      CountedWork("10,000 emitters moved", scene.move),
      CountedWork("an explanation among 10,000 emitters") { _ = scene.world.explain(scene.emitters[5_000]) },
      CountedWork("the statistics of 10,000 emitters") { _ = scene.world.voiceStatistics() },
      CountedWork("a snapshot of 10,000 emitters") { _ = scene.world.snapshot() },
    ]
  }

  // MARK: - Files

  private static func files() throws -> [CountedWork] {
    let files = try SoundFiles()
    /// Reads five seconds, of which the decoders of libsndfile and of OpenAL are not counted.
    func read(_ what: String, _ path: String) -> CountedWork {
      CountedWork("5 seconds of \(what) read") {
        try withExtendedLifetime(files) {
          let file = try AudioFile(opening: path)
          var block = PCMBuffer<Float>(format: file.format)
          while try file.read(into: &block) > 0 {}
        }
      }
    }
    let vorbis = try files.path("a.ogg", seconds: 5)
    return [
      read("WAV", try files.path("a.wav", seconds: 5)),
      read("WAV of floats", try files.path("float.wav", seconds: 5, codec: .float32)),
      read("IMA ADPCM", try files.imaPath(seconds: 5)),
      read("Vorbis", vorbis),
      CountedWork("Vorbis opened, sought in and read") {
        let file = try AudioFile(opening: vorbis)
        try file.seek(toFrame: 120_000)
        var block = PCMBuffer<Float>(format: file.format)
        _ = try file.read(into: &block, maxFrames: 1_024)
      },
      CountedWork("5 seconds of WAV converted to 44,100 Hz") {
        let path = try files.path("a.wav", seconds: 5)
        _ = try AudioFile(opening: path, in: ClientFormat(sampleRate: 44_100)).readAll()
      },
    ]
  }

  private static func definitions() throws -> [CountedWork] {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let sounds = (0..<10_000).map { (key: SoundKey("\($0)"), sound: Sound("\($0).wav")) }
    return [
      CountedWork("a key of a bank defined", count: 10_000) {
        let bank = SoundBank(in: world)
        for (key, sound) in sounds { bank.define(key, sound) }
      }
    ]
  }
}

/// Runs a closure.
///
/// Valgrind counts the instructions inside this function. It finds the function by the mangled name, which
/// `Scripts/count-instructions` contains.
@inline(never)
func runCounted(_ body: () throws -> Void) rethrows { try body() }
