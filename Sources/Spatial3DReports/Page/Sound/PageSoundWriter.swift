internal import FileDecode
public import Spatial3D
internal import Spatial3DTesting

/// Collects a mix for a page, piece by piece, and compresses it.
///
/// The format is MP3: every browser plays it, and it takes a tenth of the size of the samples. If libsndfile cannot
/// write MP3, or not at the rate of the mix, the page has WAV. The mix stays in memory until then: 23 MB for a minute
/// in stereo at 48 kHz.
public struct PageSoundWriter: Sendable {
  /// The rate and the channels of the mix.
  public let format: PCMFormat

  private var samples: [Float] = []
  private var meter: LoudnessMeter

  /// An empty mix of one or two channels.
  ///
  /// - Throws: ``ReportError`` with the code `formatUnsupported` for more channels.
  public init(format: PCMFormat) throws(ReportError) {
    guard (1...2).contains(format.channelCount) else { throw .unsupported(format) }
    self.format = format
    meter = LoudnessMeter(format: format)
  }

  /// The duration until now, in seconds.
  public var seconds: Double { Double(samples.count / format.channelCount) / Double(format.sampleRate) }

  /// Appends a piece of the mix.
  ///
  /// Samples that are not finite become silence.
  ///
  /// - Throws: ``ReportError`` with the code `formatUnsupported` if the piece has another rate or number of channels.
  public mutating func write(_ mix: PCMBuffer<Float>) throws(ReportError) {
    guard mix.format.sampleRate == format.sampleRate, mix.format.channelCount == format.channelCount else {
      throw .mismatch(mix.format, format)
    }
    meter.append(mix)
    samples += mix.samples.contains { !$0.isFinite } ? mix.samples.map { $0.isFinite ? $0 : 0 } : mix.samples
  }

  /// The compressed sound of the mix until now, at the loudness that ``PageSound/levelChange`` documents.
  ///
  /// - Throws: ``ReportError`` with the code `soundFailed` if the folder for temporary files is full.
  public func finish() throws(ReportError) -> PageSound {
    let peak = samples.reduce(0) { max($0, abs($1)) }
    let loudness = meter.integrated ?? .silence
    let change = PageSound.levelChange(ofLoudness: loudness, peak: Decibels(factor: peak))
    let limiter = Limiter(gain: change.factor, ceiling: PageSound.ceiling.factor)
    let limited = limiter.limited(samples, channelCount: format.channelCount, sampleRate: format.sampleRate)
    let bytes = try compressed(limited, format)
    return PageSound(seconds: seconds, levelChange: change, loudness: loudness + change, bytes: bytes)
  }
}

/// The bytes of an MP3 file with samples, or of a WAV file; the file itself is in the folder for temporary files.
private func compressed(_ samples: [Float], _ format: PCMFormat) throws(ReportError) -> [UInt8] {
  do {
    let path = temporaryPath(extension: "mp3")
    do {
      try write(samples, format, to: path)
      return try takeFile(path)
    } catch let error as AudioFileError where error.code == .unsupportedFormat {
      let path = temporaryPath(extension: "wav")
      try write(samples, format, to: path)
      return try takeFile(path)
    }
  } catch let error as ReportError {
    throw error
  } catch {
    throw ReportError(code: .soundFailed, message: "The sound of a page could not be compressed: \(error)")
  }
}

private func write(_ samples: [Float], _ format: PCMFormat, to path: String) throws {
  var file = try AudioFileWriter(creating: path, format: format)
  try file.write(PCMBuffer(samples: samples, format: format))
  try file.close()
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
}
