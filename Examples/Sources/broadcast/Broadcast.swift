import ArgumentParser
import GameAudio
import Stage

@main
struct Broadcast: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "broadcast",
    abstract: "Sends a programme at the loudness of EBU R 128, with a loudness meter and a recording.",
    discussion: """
      Plays where an output device opens, and renders to broadcast.wav where none does, unless that is there already. \
      Prints the loudness each two seconds. --record writes what is played to a file.
      """
  )

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Record what is played to a sound file.", valueName: "FILE"))
  var record: OutputFile?

  func validate() throws {
    guard record == nil || output.offline == nil else {
      throw ValidationError("--offline writes the mix already: leave --record out.")
    }
  }

  func run() async throws {
    try output.offline?.prepare()
    try record?.prepare()
    let file = try await output.play(orRenderAs: "broadcast", processed: true) { context in
      try await play(in: context)
    }
    if let file { try render(to: file) }
  }

  /// Plays the programme in real time on an output device.
  private func play(in context: AudioContext) async throws {
    let programme = try Programme(in: context)
    let take = try record.map { try programme.world.recordMix(to: $0.path) }
    print(Programme.heading)
    let clock = ContinuousClock()
    let start = clock.now
    for step in 0..<Programme.steps {
      programme.begin(step)
      try await clock.sleep(until: start + Programme.step * (step + 1))
      print(programme.line(of: step))
    }
    print(programme.report)
    if let take {
      try await take.stop()
      print("\nWrote \(take.path)")
    }
  }

  /// Renders the programme offline, and records it.
  private func render(to output: OutputFile) throws {
    let recording = try Recording(to: output)
    print(Programme.heading)
    for line in recording.lines { print(line) }
    print(recording.report)
    print("\nWrote \(output)")
  }
}
