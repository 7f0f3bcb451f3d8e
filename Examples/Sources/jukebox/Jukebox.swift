import ArgumentParser
import GameAudio
import Stage

@main
struct Jukebox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jukebox",
    abstract: "Plays an introduction and its loop, a jingle at the end of the loop, and a crossfade to another player.",
    discussion: """
      Plays where an output device opens, and renders to jukebox.wav where none does, unless that is there already. Prints \
      each half second; offline also the level of the mix.
      """
  )

  @OptionGroup var output: OutputOptions

  func run() async throws {
    try output.offline?.prepare()
    let recording = try await output.play(orRenderAs: "jukebox") { context in try await play(in: context) }
    if let recording { try render(to: recording) }
  }

  /// Plays the evening in real time on an output device.
  private func play(in context: AudioContext) async throws {
    print(Evening.heading)
    let evening = try Evening(in: context)
    await evening.theme.prepareToPlay()
    let clock = ContinuousClock()
    let start = clock.now
    for step in 0..<Evening.steps {
      evening.begin(step)
      print(evening.line(of: step))
      try await clock.sleep(until: start + Evening.step * (step + 1))
    }
    print(evening.report)
  }

  /// Renders the evening offline, and measures the mix.
  private func render(to output: OutputFile) throws {
    let recording = try Recording(to: output)
    print(Evening.heading + "  mix")
    for line in recording.lines { print(line) }
    print(recording.report)
    print("\nWrote \(output)")
  }
}
