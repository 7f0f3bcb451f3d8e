import ArgumentParser
import Foundation
import GameAudio
import Spatial3DReports
import Stage

@main
struct House: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "house",
    abstract: "Walks through four rooms with doors, past monsters behind walls.",
    discussion: """
      Plays where an output device opens, steered by the keys of the terminal: arrows walk, 1 to \(Plan.doors.count) and O \
      open and close doors, Q quits. Without a terminal it plays the scripted walk, and ends with a table of how each \
      monster is heard. Renders that walk to house.wav where no device opens, unless that is there already.
      """
  )

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Draw the house, the walk and the levels of the monsters.", valueName: "OUT.svg"))
  var plot: OutputFile?

  @Option(help: ArgumentHelp("Write a page of the recorded world.", valueName: "OUT.html"))
  var page: OutputFile?

  func run() async throws {
    for file in [output.offline, plot, page].compactMap(\.self) { try file.prepare() }
    var isSteered = false
    let file = try await output.play(orRenderAs: "house") { context in
      let house = try HauntedHouse(in: context)
      isSteered = try Steered.run(house)
      if !isSteered { try await playRoute(in: house) }
    }
    // The walk of the user is not the walk of the table.
    if isSteered, plot == nil, page == nil { return }
    let recording = try Recording(to: file)
    print(LegTable(of: recording), terminator: "")
    try plot?.write(HousePlot(of: recording).markup)
    try page?.write(WorldPage(recording.world, title: "Four rooms with monsters").markup)
    print()
    for file in [file, plot, page].compactMap(\.self) { print("Wrote \(file)") }
  }

  /// Plays the scripted walk in real time.
  private func playRoute(in house: HauntedHouse) async throws {
    var progress = ProgressLine()
    let clock = ContinuousClock()
    let start = clock.now
    house.begin(at: Route.start, facing: [1, 0])
    let count = Int(Route.seconds * Double(Route.updateRate))
    for update in 0..<count {
      let time = Double(update) / Double(Route.updateRate)
      house.advance(toRouteAt: time)
      progress.show("Playing", done: time / Route.seconds)
      try await clock.sleep(until: start + .seconds(Double(update + 1) / Double(Route.updateRate)))
    }
  }
}
