import ArgumentParser
import GameAudio
import Stage

@main
struct Keyed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keyed",
    abstract: "Plays sounds by key from a bank, also over each other.",
    discussion: """
      A key is the name of a file without its extension. The first sound is a loop. Plays where an output device opens, and \
      renders to keyed.wav where none does, unless that is there already. Prints what is done and what sounds after it.
      """
  )

  @Argument(help: "Sound files; without any, three that come along.")
  var files: [String] = []

  @OptionGroup var output: OutputOptions

  func validate() throws {
    for (key, paths) in Dictionary(grouping: files, by: Session.key(of:)) where paths.count > 1 {
      let paths = paths.map(\.withoutControlCharacters).joined(separator: " and ")
      throw ValidationError("\(paths) have the same key, \(key): name files whose names differ.")
    }
  }

  func run() async throws {
    let files = files.isEmpty ? ExampleSounds.all : files
    let recording = try await output.play(orRenderAs: "keyed") { context in
      try await play(Session(with: files, in: context))
    }
    if let recording { try await render(files, to: recording) }
  }

  /// Performs the steps in real time on an output device.
  private func play(_ session: Session) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    for step in session.steps {
      try await clock.sleep(until: start + .seconds(step.time))
      print(await session.perform(step))
    }
    try await clock.sleep(until: start + .seconds(Session.seconds))
    print(session.balance)
  }

  /// Performs the steps offline.
  private func render(_ files: [String], to recording: OutputFile) async throws {
    try recording.prepare()
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let session = Session(with: files, in: renderer.context)
    var file = try AudioFileWriter(creating: recording.path, format: renderer.format)
    var frame = 0
    for step in session.steps {
      let due = Int(step.time * Double(renderer.format.sampleRate))
      try file.write(renderer.render(frameCount: due - frame))
      frame = due
      print(await session.perform(step))
    }
    try file.write(renderer.render(frameCount: Int(Session.seconds * Double(renderer.format.sampleRate)) - frame))
    try file.close()
    print(session.balance)
    print("Wrote \(recording)")
  }
}
