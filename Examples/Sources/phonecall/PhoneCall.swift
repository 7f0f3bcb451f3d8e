import ArgumentParser
import Foundation
import GameAudio
import Stage

@main
struct PhoneCall: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "phonecall",
    abstract: "Interrupts a game by a call, by another program, by pulled headphones and by a locked screen.",
    discussion: """
      Plays where an output device opens, and renders to phonecall.wav where none does, unless that is there already. \
      Ends with a table of what happened and of the levels in the mix.
      """
  )

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Draw the levels over time.", valueName: "OUT.svg"))
  var plot: OutputFile?

  @Flag(help: "Follow this desktop for a minute: its calls, headphones, sleep and locked screen.")
  var live = false

  func run() async throws {
    if live { return try await followDesktop() }
    for file in [output.offline, plot].compactMap(\.self) { try file.prepare() }
    let file = try await output.play(orRenderAs: "phonecall") { context in try await play(in: context) }
    let recording = try Recording(to: file)
    print(recording)
    try plot?.write(CallPlot(of: recording).markup)
    for file in [file, plot].compactMap(\.self) { print("Wrote \(file)") }
  }

  /// Plays the story in real time on an output device.
  private func play(in context: AudioContext) async throws {
    let game = try Game(in: context, following: AudioSession())
    let clock = ContinuousClock()
    let start = clock.now
    for second in 0..<Story.seconds {
      for happening in Story.happenings(in: second) {
        game.take(happening)
        Terminal.note("\(second) s: \(happening.name)")
      }
      try await clock.sleep(until: start + .seconds(second + 1))
    }
  }

  /// Plays for a minute, and prints the events of the desktop.
  private func followDesktop() async throws {
    let session: AudioSession
    do throws(SessionError) {
      session = try AudioSession(.desktop, onDiagnostic: { Terminal.note("\($0)") })
    } catch {
      Terminal.note("\(error)")
      throw ExitCode.failure
    }
    let token = session.observe { print($0) }
    let context = try AudioContext(device: AudioDevice(named: output.device))
    let game = try Game(in: context, following: session)
    try await Task.sleep(for: .seconds(60))
    withExtendedLifetime((game, token)) {}
  }
}
