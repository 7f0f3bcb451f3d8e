public import FileDecode
import Foundation
import Stage

/// The sound of a page, compressed while it is rendered, in a temporary file.
///
/// As MP3: every browser has played it for a decade, and it takes a tenth of the samples. FLAC takes half of them, and Vorbis and
/// Opus are not played everywhere. Where the sound library cannot write MP3, the page holds WAV.
public final class PageSound {
  private var writer: AudioFileWriter
  private let file: URL

  /// A sound without samples.
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

  /// Adds a piece of the mix.
  public func write(_ mix: PCMBuffer<Float>) throws(AudioFileError) { try writer.write(mix) }

  /// Ends the sound.
  public func close() throws(AudioFileError) { try writer.close() }

  /// Where the file is.
  var path: String { file.path }

  /// The bytes of the closed file, as they stand in a page.
  func base64() throws -> String { try Data(contentsOf: file).base64EncodedString() }
}
