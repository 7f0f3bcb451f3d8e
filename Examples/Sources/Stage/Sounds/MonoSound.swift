public import FileDecode
import Foundation

/// A sound file in memory with one channel, as a sound with a position requires.
///
/// OpenAL plays a stereo buffer without any position, straight to the speakers.
public struct MonoSound: Sendable {
  /// The file's name without its folder and without control characters.
  public let name: String

  /// The samples.
  public let pcm: PCMBuffer<Float>

  /// A sentence for the user about a change that the file needed; `nil` for none.
  public let note: String?

  /// The largest magnitude of all samples; 1 is full scale.
  public let peak: Float

  /// The sound of a file, with its channels mixed down to one; prints the ``note`` to the terminal.
  public init(opening path: String) throws(AudioFileError) {
    self.init(try AudioFile(opening: path).readAll(), from: path)
    if let note { Terminal.note(note) }
  }

  /// A file's samples, with its channels mixed down to one.
  public init(_ file: PCMBuffer<Float>, from path: String) {
    name = URL(filePath: path).lastPathComponent.withoutControlCharacters
    pcm = file.mixedDownToMono()
    peak = pcm.samples.reduce(0) { max($0, abs($1)) }
    note =
      file.format.channelCount == 1
      ? nil : "\(name) is \(file.format.layout): mixed down to mono, because only mono sounds have a place in space."
  }
}

extension PCMBuffer<Float> {
  /// The mean of all channels.
  func mixedDownToMono() -> PCMBuffer<Float> {
    guard format.channelCount > 1 else { return self }
    var mono = PCMBuffer(format: .mono(sampleRate: format.sampleRate))
    let share = 1 / Float(format.channelCount)
    mono.append(frames: frameCount) { output in
      for frame in stride(from: 0, to: samples.count, by: format.channelCount) {
        output.append(samples[frame..<frame + format.channelCount].reduce(0, +) * share)
      }
    }
    return mono
  }
}
