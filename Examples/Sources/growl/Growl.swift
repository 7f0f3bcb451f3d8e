import ArgumentParser
import FileDecode
import Foundation
import Spatial3D
import Stage

@main
struct Growl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growl",
    abstract: "Lets beasts around the listener answer each other's growls.",
    discussion: """
      Each beast growls when the one before has ended, which its source tells: nothing asks whether it has. Plays where an \
      output device opens, and renders to growl.wav where none does, unless that is there already.
      """
  )

  @Option(help: ArgumentHelp("Render to a sound file instead of playing.", valueName: "OUT.wav"))
  var offline: String?

  @Option(help: ArgumentHelp("How many growls there are, from 1 to 100.", valueName: "N"))
  var turns = 9

  func validate() throws {
    guard (1...100).contains(turns) else { throw ValidationError("There are from 1 to 100 growls.") }
    guard offline != "" else { throw ValidationError("--offline needs the name of a file.") }
  }

  func run() async throws {
    if let offline { return try await render(to: offline) }
    do {
      let context = try AudioContext()
      try await talk(Conversation(of: Beast.all, turns: turns, in: context))
    } catch let error as AudioError {
      let fallback = "growl.wav"
      guard !FileManager.default.fileExists(atPath: fallback) else {
        Terminal.note("\(error)\n\(fallback) is there already: name the file to render to with --offline.")
        throw ExitCode.failure
      }
      Terminal.note("\(error)\nRendering to \(fallback) instead.")
      try await render(to: fallback)
    }
  }

  /// Begins, and prints each growl as it is told, until the last has ended.
  private func talk(_ conversation: Conversation) async throws {
    conversation.begin()
    for await line in conversation.lines { print(line) }
  }

  /// The same with no sound card: all is told while it is rendered, and printed after it.
  private func render(to path: String) async throws {
    try OutputFile(path).prepare()
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let conversation = try Conversation(of: Beast.all, turns: turns, in: renderer.context)
    conversation.begin()
    var file = try AudioFileWriter(creating: path, format: renderer.format)
    // An answer begins with the piece of the mix after the end that it answers, some 20 ms later at most.
    for beast in Beast.all.cycle(turns) { try file.write(renderer.render(.seconds(beast.seconds + 0.022))) }
    try file.write(renderer.render(.milliseconds(100)))
    try file.close()
    for await line in conversation.lines { print(line) }
    print("Wrote \(path.withoutControlCharacters)")
  }
}
