import Foundation
import FuzzSupport
import GameAudio
import Spatial3D
import Spatial3DTesting
import Synchronization

/// The sounds of all rounds: tones of 300 Hz that fade in and out, in memory, in files and by readers.
///
/// A sum of them jumps nowhere, so that a jump of the mix is a click.
final class SoundFiles: Sendable {
  static let amplitude: Float = 0.25
  static let mono = PCMFormat.mono(sampleRate: 48_000)

  private let folder: URL
  let paths: [String]
  /// The files of banks, which rounds replace.
  let bankPaths: [String]
  private let isRestored = Atomic(false)
  private let pieces: [PCMBuffer<Float>]

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "fuzz-world-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let formats: [PCMFormat] = [.mono(sampleRate: 48_000), .stereo(sampleRate: 48_000), .mono(sampleRate: 32_000)]
    pieces = formats.map { Self.tone(.milliseconds(500), $0) } + [Self.tone(.milliseconds(30), Self.mono)]
    var paths: [String] = []
    for (index, piece) in pieces.enumerated() {
      for ending in ["wav", "flac", "ogg"] {
        let path = folder.appending(path: "tone\(index).\(ending)").path(percentEncoded: false)
        try Self.write(piece, to: path)
        paths.append(path)
      }
    }
    self.paths = paths
    bankPaths = (0..<4).map { [folder] in folder.appending(path: "bank\($0).wav").path(percentEncoded: false) }
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
    case 4: sound = values.streamedSound(of: pieces, gate: gate)
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
