import ArgumentParser
import Foundation
import Stage

@main
struct AudioConvert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audioconvert",
    abstract: "Converts sound files to another container, codec, rate or number of channels.",
    discussion: """
      The extension of the output selects the kind of file: .wav, .aiff, .caf, .flac, .ogg, .opus or .mp3. Several inputs \
      need a folder as output. Loops, markers and texts are kept where the output holds them. A file gets its name once \
      it is finished, and an older one stays unless --force is given. The exit status is 1 after a failure; with \
      --strict it is 2 if an input is damaged.

      Examples:
        audioconvert growl.wav growl.ogg --quality 0.5
        audioconvert music.flac music.opus --bit-rate 96
        audioconvert *.wav Assets/ --to ogg
        audioconvert Recordings Assets/ --recursive --to flac --dry-run
        curl -s https://example.org/growl.mp3 | audioconvert - - --to wav >growl.wav
      """,
    version: Tools.version
  )

  @Argument(help: "The sound files to read, and the file or the folder to write; - is standard input or output.")
  var paths: [String]

  @Option(help: ArgumentHelp("The extension of outputs in a folder, or of standard output.", valueName: "EXTENSION"))
  var to: String?

  @Flag(name: .shortAndLong, help: "Convert the sound files in folders and below them.")
  var recursive = false

  @Flag(help: "Print what would be written, and write nothing.")
  var dryRun = false

  @Flag(help: "End with status 2 if an input holds less than it should.")
  var strict = false

  @Option(
    help: ArgumentHelp("How many files to convert at a time; the default is the number of cores.", valueName: "N")
  )
  var jobs: Int = ProcessInfo.processInfo.activeProcessorCount

  @OptionGroup var options: ConversionOptions

  func validate() throws {
    guard paths.count > 1 else { throw ValidationError("Name an input and an output, such as growl.wav growl.ogg.") }
    guard jobs > 0 else { throw ValidationError("--jobs takes 1 or more.") }
    guard paths.dropLast().count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("Standard input is one file: use - once.")
    }
  }

  func run() throws {
    Interruption.watch()
    // The conversions have removed incomplete files by then, even after an error.
    defer { Interruption.end() }
    let found = InputFile.expand(Array(paths.dropLast()), recursive: recursive)
    var hasFailure = false
    for case .failure(let error) in found {
      Terminal.note(error.message)
      hasFailure = true
    }
    let inputs = found.compactMap { try? $0.get() }
    let output = paths[paths.count - 1]
    let conversions: [Conversion]
    do {
      let namesFolder = paths.dropLast().contains { FileKind(of: $0) == .folder }
      conversions = try ConversionPlan(
        inputs,
        hasSeveral: paths.count > 2 || namesFolder,
        to: output,
        isFolder: output != "-" && FileKind(of: output) == .folder,
        kind: to?.lowercased()
      ).conversions
    } catch {
      Terminal.note(error.message)
      throw ExitCode.failure
    }
    let summary = Batch(options: options, mode: dryRun ? .describe : .convert, jobs: jobs).run(conversions)
    if hasFailure || summary.hasFailure { throw ExitCode.failure }
    if strict, summary.hasTruncatedInput { throw ExitCode(2) }
  }
}
