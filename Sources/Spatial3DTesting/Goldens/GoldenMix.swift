public import PCM
public import Spatial3D

/// A mix that somebody approved by ear, in a file to compare later mixes with.
///
/// The file is a WAV of 32-bit floating point that any player opens. A comment in it holds the fingerprint of the
/// renderer. The samples equal the mix, bit for bit.
public struct GoldenMix: Hashable, Sendable {
  /// The file.
  public let path: String

  /// A golden mix in a file, which ends in `.wav` and need not exist yet.
  public init(at path: String) {
    self.path = path
  }

  /// A golden mix in the folder `Goldens` beside the test's own source file.
  ///
  /// `GoldenMix("cathedral")` in `Tests/GameTests/RoomTests.swift` is `Tests/GameTests/Goldens/cathedral.wav`.
  public init(_ name: String, beside sourceFile: String = #filePath) {
    let folder = sourceFile.lastIndex(of: "/").map { sourceFile[...$0] } ?? ""
    self.init(at: "\(folder)Goldens/\(name).wav")
  }

  /// Compares a mix with the golden one.
  ///
  /// A mix within the tolerance is the same, independent of the renderer. The fingerprints classify any other mix: with
  /// the same renderer the scene sounds different, with another renderer the comparison is inconclusive.
  ///
  /// - Parameters:
  ///   - mix: The mix to judge.
  ///   - renderer: The fingerprint of the renderer that made the mix.
  ///   - tolerance: The largest difference of a sample that passes, relative to full scale. Default: -80 dB, which is
  ///     inaudible; a mix of the same scene and renderer has no difference at all.
  /// - Returns: The verdict with its evidence; its description suggests what to check.
  /// - Throws: ``GoldenMixError`` with the code `notRecorded` if the file does not exist, `readFailed` if the system
  ///   cannot read it, `notGolden` for other contents, and `formatMismatch` for another sample rate or number of
  ///   channels.
  public func compare(
    _ mix: PCMBuffer<Float>,
    renderedBy renderer: RendererFingerprint,
    tolerance: Decibels = -80
  ) throws(GoldenMixError) -> GoldenComparison {
    let bytes = try readBytes()
    guard let file = GoldenFile(bytes: bytes) else {
      throw GoldenMixError(
        code: .notGolden,
        path: path,
        message:
          "\"\(path)\" is no golden mix, or is damaged: it is not a whole WAV file of 32-bit floating point. Record it "
          + "anew, or compare with what is in it through `difference(from:)`."
      )
    }
    let difference: MixDifference
    do {
      difference = try mix.difference(from: file.mix)
    } catch {
      throw GoldenMixError(
        code: .formatMismatch,
        path: path,
        message:
          "\"\(path)\" is \(file.mix.format), and the mix is \(mix.format). Render it in that format, or record anew."
      )
    }
    let goldenRenderer = RendererFingerprint(description: file.comment)
    let verdict: GoldenComparison.Verdict =
      difference.peak <= tolerance && difference.frameCount == difference.expectedFrameCount
      ? .same : renderer == goldenRenderer ? .different : .otherRenderer
    return GoldenComparison(
      verdict: verdict,
      difference: difference,
      tolerance: tolerance,
      renderer: renderer,
      goldenRenderer: goldenRenderer,
      path: path
    )
  }

  /// Records a mix as the golden one; it replaces an older one.
  ///
  /// Creates the folder of the file, but not the folder above it. The file gets its name once it is complete.
  ///
  /// - Throws: ``GoldenMixError`` with the code `invalidSamples` for a mix with a value that is not finite, `tooLarge`
  ///   for a mix of 4 GiB and above or a sample rate above 4,294,967,295 Hz, and `writeFailed` if the system cannot
  ///   write the file.
  public func record(
    _ mix: PCMBuffer<Float>,
    renderedBy renderer: RendererFingerprint
  ) throws(GoldenMixError) {
    if let index = mix.samples.firstIndex(where: { !$0.isFinite }) {
      throw GoldenMixError(
        code: .invalidSamples,
        path: path,
        message:
          "The mix for \"\(path)\" holds \(mix.samples[index]) in frame \(index / mix.format.channelCount). A golden "
          + "mix has finite samples alone; look for the source that plays it."
      )
    }
    guard let bytes = GoldenFile(mix: mix, comment: renderer.description).bytes else {
      let rate = mix.format.sampleRate
      let message =
        if UInt32(exactly: rate) == nil {
          "The sample rate of \(rate) Hz does not fit in \"\(path)\": a WAV file has at most \(UInt32.max) Hz. Render the "
            + "mix at another rate."
        } else {
          "A mix of \(mix.frameCount) frames is too large for \"\(path)\": a WAV file holds less than 4 GiB. Record a "
            + "part of it."
        }
      throw GoldenMixError(code: .tooLarge, path: path, message: message)
    }
    try writeBytes(bytes)
  }
}
