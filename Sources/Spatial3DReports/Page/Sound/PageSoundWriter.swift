internal import FileDecode
public import Spatial3D

/// Compresses a mix for a page, piece by piece.
///
/// The format is MP3: every browser plays it, and it takes a tenth of the size of the samples. If libsndfile cannot
/// write MP3, or not at the rate of the mix, the page has WAV. The pieces go to a file in the folder for temporary
/// files, which disappears with the writer.
public struct PageSoundWriter: ~Copyable, Sendable {
  /// The rate and the channels of the sound.
  public let format: PCMFormat

  private var writer: AudioFileWriter
  private var finished: PageSound?

  /// An empty sound of one or two channels.
  ///
  /// - Throws: ``ReportError`` with the code `formatUnsupported` for more channels, `soundFailed` if the folder for
  ///   temporary files takes no new file.
  public init(format: PCMFormat) throws(ReportError) {
    writer = try Self.writer(of: format)
    self.format = format
  }

  private static func writer(of format: PCMFormat) throws(ReportError) -> AudioFileWriter {
    guard (1...2).contains(format.channelCount) else { throw .unsupported(format) }
    do {
      return try AudioFileWriter(creating: temporaryPath(extension: "mp3"), format: format)
    } catch  where error.code != .unsupportedFormat {
      throw .soundFailed(error)
    } catch {
      do {
        return try AudioFileWriter(creating: temporaryPath(extension: "wav"), format: format)
      } catch {
        throw .soundFailed(error)
      }
    }
  }

  /// Appends a piece of the mix.
  ///
  /// - Throws: ``ReportError`` with the code `formatUnsupported` if the piece has another rate or number of channels,
  ///   `soundFailed` if the folder for temporary files is full, and after ``finish()``.
  public mutating func write(_ mix: PCMBuffer<Float>) throws(ReportError) {
    do {
      try writer.write(mix)
    } catch {
      throw error.code == .formatMismatch ? .mismatch(mix.format, format) : .soundFailed(error)
    }
  }

  /// Ends the sound and returns it; a second call returns the same one.
  ///
  /// - Throws: ``ReportError`` with the code `soundFailed` if the folder for temporary files is full.
  public mutating func finish() throws(ReportError) -> PageSound {
    if let finished { return finished }
    do {
      try writer.close()
    } catch {
      throw .soundFailed(error)
    }
    let seconds = Double(writer.frameCount) / Double(format.sampleRate)
    let sound = PageSound(seconds: seconds, bytes: try takeFile(writer.path))
    finished = sound
    return sound
  }
}

extension ReportError {
  fileprivate static func unsupported(_ format: PCMFormat) -> ReportError {
    ReportError(
      code: .formatUnsupported,
      message: "A page cannot hold \(format). Render the scene in stereo."
    )
  }

  fileprivate static func mismatch(_ format: PCMFormat, _ expected: PCMFormat) -> ReportError {
    ReportError(
      code: .formatUnsupported,
      message: "A piece is \(format), and the sound of the page \(expected). Append pieces of one renderer."
    )
  }

  fileprivate static func soundFailed(_ error: AudioFileError) -> ReportError {
    ReportError(
      code: .soundFailed,
      message: "The sound of a page could not be compressed: \(error.message)"
    )
  }
}
