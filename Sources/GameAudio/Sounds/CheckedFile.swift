internal import FileDecode
internal import PCM

/// A streamed file with a callback for damage that a read finds.
///
/// A cut file whose header shows the cut has no call: its emitter reports that before it plays.
struct CheckedFile: PCMReader, Sendable, ~Copyable {
  private var file: AudioFile
  private let onDamage: @Sendable () -> Void
  private var isKnown: Bool

  init(
    opening path: String,
    in client: ClientFormat,
    onDamage: @escaping @Sendable () -> Void
  ) throws(AudioFileError) {
    file = try AudioFile(opening: path, in: client)
    (self.onDamage, isKnown) = (onDamage, file.isTruncated)
  }

  var format: PCMFormat { file.format }
  var frameCount: Int? { file.frameCount }
  var name: String? { file.path }
  var isExactAsInt16: Bool { file.isExactAsInt16 }
  var loopRange: Range<Int>? { file.loopRange }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(AudioFileError) -> Int {
    let count = try file.read(into: &buffer, maxFrames: maxFrames)
    if !isKnown, file.isTruncated {
      isKnown = true
      onDamage()
    }
    return count
  }

  mutating func seek(toFrame frame: Int) throws(AudioFileError) { try file.seek(toFrame: frame) }
}
