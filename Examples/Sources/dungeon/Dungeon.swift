import ArgumentParser
import Foundation
import GameAudio
import Stage

@main
struct Dungeon: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dungeon",
    abstract: "Plays a small game: two rooms, 400 torches, steps, shots, speech, music and a pause menu.",
    discussion: """
      Plays where an output device opens, and renders to dungeon.wav where none does, unless that is there already. Ends \
      with a table of the levels of the buses.
      """
  )

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Draw the rooms and the levels of the buses.", valueName: "OUT.svg"))
  var plot: OutputFile?

  func run() async throws {
    for file in [output.offline, plot].compactMap(\.self) { try file.prepare() }
    let file = try await output.play(orRenderAs: "dungeon") { context in try await play(in: context) }
    let recording = try Recording(to: file)
    print(recording)
    try plot?.write(DungeonPlot(of: recording).markup)
    for file in [file, plot].compactMap(\.self) { print("Wrote \(file)") }
  }

  /// Plays the game in real time on an output device.
  private func play(in context: AudioContext) async throws {
    let game = try Game(in: context)
    let clock = ContinuousClock()
    let start = clock.now
    for update in 0..<Script.seconds * Script.updateRate {
      let time = Double(update) / Double(Script.updateRate)
      for entry in Script.actions where Double(entry.second) == time {
        game.take(entry.action)
        Terminal.note("\(entry.second) s: \(entry.name)")
      }
      game.update(at: time)
      try await clock.sleep(until: start + .seconds(Double(update + 1) / Double(Script.updateRate)))
    }
  }
}
