import ArgumentParser
import FileDecode
import Foundation
import Stage

@main
struct AudioConvert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audioconvert",
    abstract: "Converts a sound file to another container, codec, rate or number of channels.",
    discussion: """
      The output's extension says what it becomes: .wav, .aiff, .caf, .flac, .ogg, .opus or .mp3. It gets its name once it \
      is finished, and an older file stays unless --force is given.
      """
  )

  @Argument(help: "The sound file to read.")
  var input: String

  @Argument(help: "The sound file to write.")
  var output: String

  @Option(help: ArgumentHelp("The sample rate; another than the input's needs the trait Resampling.", valueName: "HZ"))
  var rate: Int?

  @Option(help: ArgumentHelp("The number of channels.", valueName: "N"))
  var channels: Int?

  @Option(
    help: ArgumentHelp(
      "How samples are stored: int16, int24 or float32; the default is that of the input, where the output can.",
      valueName: "TYPE"
    )
  )
  var sampleFormat: SampleFormat?

  @Option(help: ArgumentHelp("The codec: pcm, alac, flac, vorbis, opus or mp3.", valueName: "NAME"))
  var codec: Codec?

  @Flag(help: "Keep the frames that the input's codec put around the sound.")
  var noTrim = false

  @Flag(help: "Replace the output if it is there already.")
  var force = false

  enum SampleFormat: String, ExpressibleByArgument {
    case int16, int24, float32
  }

  enum Codec: String, ExpressibleByArgument {
    case pcm, alac, flac, vorbis, opus, mp3
  }

  func validate() throws {
    if let channels, !(1...32).contains(channels) { throw ValidationError("--channels takes 1 to 32.") }
    if let rate, !(1_000...768_000).contains(rate) { throw ValidationError("--rate takes 1000 to 768000.") }
    if codec == .flac, !output.lowercased().hasSuffix(".flac") {
      throw ValidationError("--codec flac is for .flac files.")
    }
    if sampleFormat != nil, let codec, codec != .pcm, codec != .flac {
      throw ValidationError("--sample-format is for pcm and flac: \(codec.rawValue) has its own.")
    }
  }

  func run() throws {
    Interruption.watch()
    // The conversion has deleted an incomplete file by then, even after an error.
    defer { Interruption.end() }
    do {
      guard try convert() else { throw ExitCode.failure }
    } catch let error as AudioFileError where error.code == .fileExists {
      Terminal.note(
        "\(output.withoutControlCharacters) is there already: replace it with --force, or name another file."
      )
      throw ExitCode.failure
    } catch let error as AudioFileError {
      Terminal.note(error.message)
      throw ExitCode.failure
    }
    print("Wrote \(output.withoutControlCharacters)")
  }

  /// Reads and writes block by block, so that memory does not grow with the sound; returns whether it reached the end.
  private func convert() throws -> Bool {
    let layout = channels.map { ChannelLayout.usual(channelCount: $0) }
    let file = try AudioFile(
      opening: input,
      in: ClientFormat(sampleRate: rate, layout: layout),
      trimming: noTrim ? .off : .automatic
    )
    let encoding = OutputEncoding(
      of: file.codec,
      bitDepth: file.bitDepth,
      in: (output as NSString).pathExtension.lowercased(),
      request
    )
    var writer = try AudioFileWriter(
      creating: output,
      format: file.format,
      codec: encoding.codec,
      overwriting: force
    )
    var block = PCMBuffer<Float>(format: file.format)
    var progress = ProgressLine()
    while try file.read(into: &block, maxFrames: 16_384) > 0 {
      if Interruption.hasCome { return false }
      try writer.write(block)
      if let count = file.frameCount, count > 0 {
        progress.show("Converting", done: Double(writer.frameCount) / Double(count))
      }
    }
    try writer.close()
    if let loss = encoding.loss { Terminal.note("\(output.withoutControlCharacters) holds \(loss).") }
    if file.isTruncated {
      Terminal.note("\(input.withoutControlCharacters) holds less than it should; what could be read was written.")
    }
    return true
  }

  /// The encoding that the options request.
  private var request: OutputEncoding.Request {
    switch sampleFormat {
    case .int16: return .codec(.int16)
    case .int24: return .codec(.int24)
    case .float32: return .codec(.float32)
    case nil: break
    }
    return switch codec {
    case .alac: .codec(.alac)
    case .vorbis: .codec(.vorbis)
    case .opus: .codec(.opus)
    case .mp3: .codec(.mp3)
    case .pcm: .pcm
    case .flac, nil: .usual
    }
  }
}
