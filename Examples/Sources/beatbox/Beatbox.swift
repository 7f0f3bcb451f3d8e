import ArgumentParser
import GameAudio
import Stage

@main
struct Beatbox: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "beatbox",
    abstract: "Plays drums on the beats of a clock, with a fill each fourth bar and a tempo change.",
    discussion: """
      Plays where an output device opens, and renders to beatbox.wav where none does, unless that is there already. Prints \
      each bar; offline also by how many frames the mix has it late.
      """
  )

  @OptionGroup var output: OutputOptions

  func run() async throws {
    try output.offline?.prepare()
    let recording = try await output.play(orRenderAs: "beatbox") { context in try await play(in: context) }
    if let recording { try render(to: recording) }
  }

  /// Plays the song in real time on an output device, and prints each bar as it begins.
  private func play(in context: AudioContext) async throws {
    print(Score.heading)
    let drummer = try Drummer(in: context)
    let token = drummer.start(at: context.clock + .milliseconds(300)) { [weak drummer] tick in
      guard let drummer, tick.bar <= Song.bars else { return }
      print(Score.line(of: tick.bar, at: tick.moment, tempo: drummer.beats.tempo))
    }
    while drummer.beats.position < Song.length { try await Task.sleep(for: .milliseconds(50)) }
    token.cancel()
  }

  /// Renders the song offline, and compares the mix with the clock.
  private func render(to output: OutputFile) throws {
    let recording = try Recording(to: output)
    print(Score.heading + "  frames late")
    for bar in recording.bars {
      print("\(Score.line(of: bar.tick.bar, at: bar.tick.moment, tempo: bar.tempo))  \(recording.lateness(of: bar))")
    }
    print("\nWrote \(output)")
  }
}
