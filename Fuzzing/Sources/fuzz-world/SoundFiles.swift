import Foundation
import FuzzSupport
import GameAudio
import Spatial3D
import Spatial3DTesting
import Synchronization

/// The sounds of all rounds, in memory, in files and by readers.
final class SoundFiles: Sendable {
  /// What the sounds are.
  enum Material: Sendable {
    /// Tones of 300 Hz that fade in and out. A sum of them jumps nowhere, so that a jump of the mix is a click.
    case tones
    /// Noise and sweeps, of which every frame differs from every other frame. Their readers do not sleep, and their
    /// files have paths without a folder: no text depends on the process.
    case noises
  }

  static let amplitude: Float = 0.25
  static let mono = PCMFormat.mono(sampleRate: 48_000)

  private let folder: URL
  private let material: Material
  let paths: [String]
  /// The files of banks, which rounds replace.
  let bankPaths: [String]
  private let isRestored = Atomic(false)
  private let pieces: [PCMBuffer<Float>]

  init(_ material: Material = .tones) throws {
    self.material = material
    folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-world-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let formats: [PCMFormat] = [.mono(sampleRate: 48_000), .stereo(sampleRate: 48_000), .mono(sampleRate: 32_000)]
    switch material {
    case .tones:
      pieces = formats.map { Self.tone(.milliseconds(500), $0) } + [Self.tone(.milliseconds(30), Self.mono)]
    case .noises:
      pieces = Self.noises(formats)
      let isThere = FileManager.default.changeCurrentDirectoryPath(folder.path(percentEncoded: false))
      precondition(isThere, "the folder of the sounds cannot be entered")
    }
    let folder = material == .tones ? folder.path(percentEncoded: false) + "/" : ""
    var paths: [String] = []
    for (index, piece) in pieces.enumerated() {
      for ending in ["wav", "flac", "ogg"] {
        let path = "\(folder)tone\(index).\(ending)"
        try Self.write(piece, to: path)
        paths.append(path)
      }
    }
    self.paths = paths
    bankPaths = (0..<4).map { "\(folder)bank\($0).wav" }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private static func tone(_ duration: Duration, _ format: PCMFormat) -> PCMBuffer<Float> {
    TestSignal.sine(
      frequency: 300,
      duration: duration,
      format: format,
      amplitude: amplitude,
      fade: .milliseconds(10)
    )
  }

  private static func noises(_ formats: [PCMFormat]) -> [PCMBuffer<Float>] {
    let half = Duration.milliseconds(500)
    return [
      TestSignal.noise(seed: 1, duration: half, format: formats[0], amplitude: amplitude),
      TestSignal.sweep(from: 100, to: 9_000, duration: half, format: formats[1], amplitude: amplitude),
      TestSignal.sweep(from: 2_000, to: 60, duration: half, format: formats[2], amplitude: amplitude),
      TestSignal.noise(seed: 2, duration: .milliseconds(30), format: mono, amplitude: amplitude),
    ]
  }

  private static func write(_ piece: PCMBuffer<Float>, to path: String) throws {
    var writer = try AudioFileWriter(creating: path, format: piece.format)
    try writer.write(piece)
    try writer.close()
  }

  /// Gives the files of banks their first contents.
  func restore() throws {
    guard !isRestored.exchange(true, ordering: .relaxed) else { return }
    for (path, piece) in zip(bankPaths, pieces) { try Self.write(piece, to: path) }
  }

  /// Replaces a file of banks by another sound, by bytes without a sound, or by nothing.
  func rewrite(_ index: Int, _ seed: Int) {
    isRestored.store(false, ordering: .relaxed)
    switch seed {
    case 95...: try? FileManager.default.removeItem(atPath: bankPaths[index])
    case 90..<95: _ = FileManager.default.createFile(atPath: bankPaths[index], contents: Data(count: seed))
    default: try? Self.write(pieces[seed % pieces.count], to: bankPaths[index])
    }
  }

  /// A sound of any kind; extreme values give missing files, empty sounds and odd settings too.
  func sound(_ values: inout Values, gate: Gate?) -> Sound {
    var sound: Sound
    switch values.int(0...9) {
    case 0...3: sound = Sound(values.element(of: pieces))
    case 4: sound = values.streamedSound(of: pieces, gate: gate, mayDelay: material == .tones)
    case 5: sound = Sound(values.element(of: paths))
    case 6: sound = Sound(values.element(of: paths), streamed: true)
    case 7: sound = Sound(anyOfSamples: pieces)
    case 8 where values.hasExtremes: sound = Sound(values.element(of: ["/no/such/sound.wav", "", "/dev/null", "/"]))
    default: sound = Sound(anyOf: [values.element(of: paths), values.element(of: paths)])
    }
    guard values.chance(0.3) else { return sound }
    sound.choice = values.element(of: [
      .sequence, .random(avoidingLast: values.count(0...2)), .weighted([values.number(0...1), values.number(0...1)]),
    ])
    if values.chance(0.4) { sound.limit = values.limit() }
    if values.chance(0.2) { sound.levelVariation = values.levels() }
    if values.chance(0.2) { sound.pitchVariation = values.pitches() }
    if values.chance(0.2) { sound.rolloffCurve = values.curve() }
    if values.chance(0.2) { sound.attenuation = values.attenuation() }
    if values.chance(0.2) { sound.silentBeyond = values.number(1...40) }
    // A loop of a tone jumps at its ends.
    if values.hasExtremes, values.chance(0.3) { sound.loopRange = values.frames() }
    if values.chance(0.3) { sound.loudnessOfMany = .compensated }
    return sound
  }
}
