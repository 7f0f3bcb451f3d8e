import ArgumentParser
import FileDecode
import Foundation
import Stage

@main
struct AudioInfo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audioinfo",
    abstract: "Says what sound files hold: container, codec, packets, loops.",
    discussion: "Exits with 1 where a file could not be read; the others are printed all the same."
  )

  @Argument(help: "Sound files.")
  var files: [String]

  @Flag(help: "Print an array of JSON objects, one a file.")
  var json = false

  @Flag(help: "Advise what to change about the files as assets of a game.")
  var lint = false

  func validate() throws {
    guard !(json && lint) else { throw ValidationError("--json and --lint print different things: leave one out.") }
  }

  func run() throws {
    if lint {
      let report = LintReport(of: files)
      print(report)
      if report.hasFailures { throw ExitCode.failure }
      return
    }
    let descriptions = files.map(FileDescription.init)
    if json {
      print(try FileDescription.json(descriptions))
    } else {
      for description in descriptions { print(description) }
    }
    if descriptions.contains(where: { $0.error != nil }) { throw ExitCode.failure }
  }
}
