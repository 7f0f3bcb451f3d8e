import ArgumentParser
import FileDecode
import Foundation
import Stage

@main
struct AudioInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audioinfo",
    abstract: "Describes sound files: format, length, size, levels, packets, loops, markers and tags.",
    discussion: """
      One file is described in detail, several are rows of a table. The program reads each file to its end: the peak is \
      that of the samples in dBFS, the loudness is integrated after ITU-R BS.1770-4 in LUFS. The exit status is 1 if a \
      file could not be read; the others are described all the same.

      Examples:
        audioinfo theme.ogg
        audioinfo --recursive Assets
        audioinfo --json Assets/*.wav
        audioinfo --lint --recursive Assets
      """,
    version: Tools.version
  )

  @Argument(help: "Sound files, and with --recursive also folders.")
  var files: [String]

  @Flag(name: .shortAndLong, help: "Describe the sound files in folders and below them.")
  var recursive = false

  @Flag(help: "Describe several files in detail, instead of in a table.")
  var details = false

  @Flag(help: "Print an array of JSON objects, one for each file.")
  var json = false

  @Flag(help: "Advise what to change about the files as assets of a game.")
  var lint = false

  func validate() throws {
    guard [json, lint, details].count(where: { $0 }) < 2 else {
      throw ValidationError("--json, --lint and --details print different things: use one of them.")
    }
  }

  func run() throws {
    let found = InputFile.expand(files, recursive: recursive)
    if lint {
      let report = LintReport(of: found)
      print(report)
      if report.hasFailures { throw ExitCode.failure }
      return
    }
    let descriptions = FileDescription.all(of: found)
    if json {
      print(try FileDescription.json(descriptions))
    } else if details || descriptions.count == 1 {
      for description in descriptions { print(description) }
    } else {
      print(FileTable(descriptions))
    }
    if descriptions.contains(where: { $0.error != nil }) { throw ExitCode.failure }
  }
}
