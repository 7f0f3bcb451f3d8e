import Foundation
import GameAudio
import Spatial3DTesting
import TestSupport

/// An offline world for players, whose sounds are named by their values.
struct PlayerFixture: ~Copyable {
  static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  static let mono = PCMFormat.mono(sampleRate: 48_000)

  var offline: OfflineRenderer
  let world: AudioWorld

  init(_ format: PCMFormat = stereo, voices: Int = 64) throws {
    offline = try OfflineRenderer(format: format)
    world = AudioWorld(in: offline.context, voiceLimit: voices)
  }

  /// Noise, of which no two frames are alike; the last one is silent.
  ///
  /// OpenAL Soft 1.25 fades the last sample of a sound out behind its end.
  static func noise(_ frameCount: Int, seed: UInt64 = 1, _ format: PCMFormat = stereo) throws -> PCMBuffer<Float> {
    // The channels of a test signal are alike.
    let mono = PCMFormat.mono(sampleRate: format.sampleRate)
    let duration = mono.duration(ofFrames: frameCount * format.channelCount)
    var samples = TestSignal.noise(seed: seed, duration: duration, format: mono).samples
    for index in samples.indices.suffix(format.channelCount) { samples[index] = 0 }
    return try PCMBuffer(samples: samples, format: format)
  }

  /// The samples of frames of a buffer.
  static func samples(_ pcm: PCMBuffer<Float>, _ frames: Range<Int>) -> [Float] { Array(pcm.frames(frames).samples) }
}

/// The largest difference of two lists of samples; infinite if their lengths differ.
func largestDifference(_ left: some Collection<Float>, _ right: some Collection<Float>) -> Float {
  guard left.count == right.count else { return .infinity }
  return zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) }
}

/// A file that is deleted with its owner.
final class SoundFile: Sendable {
  let path: String

  init(_ sound: PCMBuffer<Float>, _ ending: String = "wav", loop: Range<Int>? = nil) throws {
    let folder = FileManager.default.temporaryDirectory
    path = folder.appending(path: "\(UUID().uuidString).\(ending)").path(percentEncoded: false)
    var writer = try AudioFileWriter(creating: path, format: sound.format)
    if let loop { writer.loops = [AudioLoop(range: loop)] }
    try writer.write(sound)
    try writer.close()
  }

  /// The frames that the file decodes to.
  func decoded() throws -> PCMBuffer<Float> { try AudioFile(opening: path).readAll() }

  /// The file as a sound, in memory or as a stream.
  func sound(streamed: Bool = false) -> Sound { Sound(path, streamed: streamed) }

  /// Leaves only the first bytes of the file.
  func cut(to count: Int) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try bytes.prefix(count).write(to: URL(fileURLWithPath: path))
  }

  var byteCount: Int { get throws { try Data(contentsOf: URL(fileURLWithPath: path)).count } }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
