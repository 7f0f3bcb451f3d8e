import ArgumentParser
import FileDecode
import Spatial3D
import Stage

@main
struct Growl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "growl",
    abstract: "Lets beasts around the listener answer each other's growls.",
    discussion: """
      Each beast growls when a notification reports the end of the growl before; nothing polls. Plays if an output \
      device opens; otherwise renders to growl.wav, unless that file exists.
      """
  )

  @Argument(help: "The voices of up to three beasts, as sound files; without, they have their own.")
  var files: [String] = []

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("How many growls there are, from 1 to 100.", valueName: "N"))
  var turns = 9

  func validate() throws {
    guard (1...100).contains(turns) else { throw ValidationError("There are from 1 to 100 growls.") }
    guard files.count <= 3 else { throw ValidationError("\(files.count) files are too many: there are three beasts.") }
  }

  func run() async throws {
    let beasts = Beast.all(growling: try files.map { try MonoSound(opening: $0).pcm })
    let recording = try await output.play(orRenderAs: "growl") { context in
      try await talk(Conversation(of: beasts, turns: turns, in: context))
    }
    if let recording { try await render(beasts, to: recording) }
  }

  /// Starts the conversation, and prints each notification until the last growl has ended.
  private func talk(_ conversation: Conversation) async throws {
    conversation.begin()
    for await line in conversation.lines { print(line) }
  }

  /// Renders the same offline; all notifications arrive while it renders, and are printed after that.
  private func render(_ beasts: [Beast], to recording: OutputFile) async throws {
    try recording.prepare()
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let conversation = try Conversation(of: beasts, turns: turns, in: renderer.context)
    conversation.begin()
    var file = try AudioFileWriter(creating: recording.path, format: renderer.format)
    // A growl starts with the first part of the mix after the end of the growl before, up to about 20 ms later.
    for beast in beasts.cycle(turns) {
      try file.write(renderer.render(beast.growl.duration + .milliseconds(22)))
    }
    try file.write(renderer.render(.milliseconds(100)))
    try file.close()
    for await line in conversation.lines { print(line) }
    print("Wrote \(recording)")
  }
}
