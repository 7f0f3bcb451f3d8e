public import FileDecode
import Foundation
import Stage

/// The sound of a page, compressed while it is rendered, in a temporary file.
///
/// The format is MP3: every browser has played it for a decade, and it takes a tenth of the size of the samples. FLAC
/// takes half of it, and not all browsers play Vorbis and Opus. If the sound library cannot write MP3, the page holds
/// WAV.
public final class PageSound {
  private var writer: AudioFileWriter
  private let file: URL

  /// An empty sound.
  public init(format: PCMFormat) throws(AudioFileError) {
    let place = FileManager.default.temporaryDirectory.appending(component: "page-\(UUID().uuidString)")
    let (best, plain) = (place.appendingPathExtension("mp3"), place.appendingPathExtension("wav"))
    if let writer = try? AudioFileWriter(creating: best.path, format: format) {
      self.writer = writer
      file = best
    } else {
      writer = try AudioFileWriter(creating: plain.path, format: format)
      file = plain
    }
  }

  deinit { try? FileManager.default.removeItem(at: file) }

  /// Appends a part of the mix.
  public func write(_ mix: PCMBuffer<Float>) throws(AudioFileError) { try writer.write(mix) }

  /// Closes the file.
  public func close() throws(AudioFileError) { try writer.close() }

  /// The path of the file.
  var path: String { file.path }

  /// The bytes of the closed file, in the encoding of a page.
  func base64() throws -> String { try Data(contentsOf: file).base64EncodedString() }
}
