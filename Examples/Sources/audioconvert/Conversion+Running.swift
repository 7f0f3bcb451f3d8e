import FileDecode
import Foundation
import Stage

extension Conversion {
  /// The end of a conversion.
  struct Outcome: Sendable {
    /// Lines for standard error.
    var notes: [String] = []
    /// A line for standard output, after a success.
    var line: String?
    var hasFailed = false
    /// Whether the input holds less than it should.
    var isTruncated = false

    static func failure(_ message: String) -> Outcome { Outcome(notes: [message], hasFailed: true) }
  }

  /// The mode of a run: a conversion, or only its description.
  enum Mode { case convert, describe }

  /// Reads and writes block by block, so that memory does not grow with the sound.
  ///
  /// `progress` receives the finished part, from 0 to 1.
  func run(_ options: ConversionOptions, _ mode: Mode, progress: (Double) -> Void) -> Outcome {
    var outcome = Outcome()
    var target: OutputTarget?
    do {
      target = mode == .convert ? try OutputTarget(self) : nil
      let source = readsStandardInput ? try SpooledInput() : nil
      if Interruption.hasCome { return Outcome(hasFailed: true) }
      let path = source?.path ?? input
      let trimming: AudioTrimming = options.noTrim ? .off : .automatic
      let file = try open(path, options, trimming, &outcome)
      if let problem = options.problem(for: kind, file.format) {
        return .failure("\(outputName) cannot be created: \(problem)")
      }
      let encoding = OutputEncoding(of: file.codec, bitDepth: file.bitDepth, in: kind, options.encoding)
      guard let target else { return describe(file, encoding, options, outcome) }
      var writer = try AudioFileWriter(
        creating: target.path,
        format: file.format,
        codec: encoding.codec,
        quality: options.encodingQuality,
        overwriting: options.force || writesStandardOutput
      )
      (writer.loops, writer.markers, writer.tags) = (file.loops, file.markers, file.tags)
      // The encoder of the input did not write the output.
      writer.tags.software = nil
      var block = PCMBuffer<Float>(format: file.format)
      while try file.read(into: &block, maxFrames: 16_384) > 0 {
        if Interruption.hasCome { return Outcome(hasFailed: true) }
        try writer.write(block)
        if let count = file.frameCount, count > 0 { progress(Double(writer.frameCount) / Double(count)) }
      }
      outcome.notes += writer.omissions.map { "\(outputName) does not hold \($0)." }
      try writer.close()
      try target.finish()
      if let loss = encoding.loss { outcome.notes.append("\(outputName) holds \(loss).") }
      if file.isTruncated {
        outcome.isTruncated = true
        outcome.notes.append("\(inputName) holds less than it should; what could be read was written.")
      }
      outcome.line = writesStandardOutput ? nil : "Wrote \(outputName)"
    } catch {
      return Interruption.hasCome ? Outcome(hasFailed: true) : .failure(message(of: error, target))
    }
    return outcome
  }

  /// Opens the input at the rate and with the channels of the output.
  private func open(
    _ path: String,
    _ options: ConversionOptions,
    _ trimming: AudioTrimming,
    _ outcome: inout Outcome
  ) throws -> AudioFile {
    let layout = options.channels.map { ChannelLayout.usual(channelCount: $0) }
    let plain = try AudioFile(opening: path, in: ClientFormat(layout: layout), trimming: trimming)
    let inputRate = plain.format.sampleRate
    guard let rate = options.outputRate(for: kind, inputRate: inputRate), rate != inputRate else { return plain }
    let file = try AudioFile(opening: path, in: ClientFormat(sampleRate: rate, layout: layout), trimming: trimming)
    if options.rate == nil {
      outcome.notes.append("\(outputName) is at \(rate) Hz: .\(kind) files do not hold \(inputRate) Hz.")
    }
    return file
  }

  /// The line of a dry run.
  private func describe(
    _ file: borrowing AudioFile,
    _ encoding: OutputEncoding,
    _ options: ConversionOptions,
    _ outcome: Outcome
  ) -> Outcome {
    if !options.force, !writesStandardOutput, FileManager.default.fileExists(atPath: output) {
      return .failure("\(outputName) is there already: replace it with --force, or name another file.")
    }
    var outcome = outcome
    let codec = encoding.codec.map { ", \($0)" } ?? ""
    if file.isTruncated {
      outcome.isTruncated = true
      outcome.notes.append("\(inputName) holds less than it should.")
    }
    outcome.line = "\(inputName) would become \(outputName): .\(kind)\(codec), \(file.format)"
    if let loss = encoding.loss { outcome.notes.append("\(outputName) would hold \(loss).") }
    return outcome
  }

  private func message(of error: any Error, _ target: OutputTarget?) -> String {
    if let error = error as? StreamError { return error.message }
    guard let error = error as? AudioFileError else { return "\(error)" }
    if error.code == .fileExists {
      return "\(outputName) is there already: replace it with --force, or name another file."
    }
    guard error.code == .traitNeeded else { return named(error.message, target) }
    return named(error.message, target) + " Build the tool with make tools TRAITS=LibAVCodec."
  }

  /// A message with the names of standard input and output instead of temporary files.
  private func named(_ message: String, _ target: OutputTarget?) -> String {
    message.replacing(SpooledInput.pathPattern, with: { _ in "standard input" })
      .replacing(target?.path ?? output, with: outputName).withoutControlCharacters
  }
}
