import ArgumentParser
import Foundation
import GameAudio
import Stage

@main
struct Torches: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "torches",
    abstract: "Walks a listener among 10,000 torches, of which the most audible ones have a voice.",
    discussion: """
      Plays where an output device opens, and renders to torches.wav where none does, unless that is there already. Ends \
      with a table of the voices over time.
      """
  )

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Draw the dungeon, the voices and the cost.", valueName: "OUT.svg"))
  var plot: OutputFile?

  @Option(help: ArgumentHelp("How many torches have a voice, from 1 to 240.", valueName: "N"))
  var voices = 64

  func validate() throws {
    guard (1...240).contains(voices) else { throw ValidationError("A world here has 1 to 240 voices.") }
  }

  func run() async throws {
    for file in [output.offline, plot].compactMap(\.self) { try file.prepare() }
    let recording = try await output.play(orRenderAs: "torches") { context in try await play(in: context) }
    let measurement = try Measurement(voices: voices, recordingTo: recording)
    print(VoiceTable(of: measurement), terminator: "")
    try plot?.write(DungeonPlot(of: measurement).markup)
    print()
    for file in [recording, plot].compactMap(\.self) { print("Wrote \(file)") }
    #if DEBUG
      let build = " in a debug build"
    #else
      let build = ""
    #endif
    let speed = String(format: "%.0f", 1 / measurement.cost)
    Terminal.note("Rendered \(speed) times as fast as real time\(build).")
  }

  /// Walks through the dungeon in real time on an output device.
  private func play(in context: AudioContext) async throws {
    let light = try TorchLight(in: context, voices: voices)
    var progress = ProgressLine()
    let clock = ContinuousClock()
    let start = clock.now
    let count = Dungeon.seconds * Dungeon.updateRate
    for update in 0..<count {
      light.update(to: Double(update) / Double(Dungeon.updateRate))
      progress.show("Playing", done: Double(update) / Double(count))
      try await clock.sleep(until: start + .seconds(Double(update + 1) / Double(Dungeon.updateRate)))
    }
    withExtendedLifetime(light) {}  // An emitter that nobody holds stops.
  }
}
