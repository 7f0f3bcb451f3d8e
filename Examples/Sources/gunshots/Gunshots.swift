import ArgumentParser
import Foundation
import Spatial3D
import Stage

@main
struct Gunshots: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gunshots",
    abstract: "Fires one buffer from two hundred sources.",
    discussion: """
      Each shot is heard as late as it is far away. Plays where an output device opens, and renders to gunshots.wav where \
      none does, unless that is there already. Ends with a table of the seconds.
      """
  )

  @Argument(help: "The shot, as a sound file; without it, one that is made of arithmetic.")
  var file: String?

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("How many guns there are, from 1 to 250.", valueName: "N"))
  var guns = 200

  func validate() throws {
    guard (1...250).contains(guns) else { throw ValidationError("There are from 1 to 250 guns.") }
  }

  func run() async throws {
    let shot = try file.map { try MonoSound(opening: $0).pcm } ?? Gunshot.pcm()
    try output.offline?.prepare()
    let battle = Battle(of: guns)
    let recording = try await output.play(orRenderAs: "gunshots") { context in
      try await play(battle, firing: shot, in: context)
    }
    let rendering = try Rendering(of: battle, firing: shot, recordingTo: recording)
    let bytes = Double(rendering.byteCount)
    print(
      """
      \(guns) sources share one buffer of \(String(format: "%.1f s and %.0f kB", rendering.duration / .seconds(1), bytes / 1e3)); \
      one each would take \(String(format: "%.1f MB", bytes * Double(guns) / 1e6)).
      Shots of each second, the most sources that sounded at once, and the level at each ear re full scale.


      """ + rendering.description
    )
    if let recording { print("Wrote \(recording)") }
  }

  /// Fires in real time on an output device.
  private func play(_ battle: Battle, firing shot: PCMBuffer<Float>, in context: AudioContext) async throws {
    let guns = try Guns(of: battle, firing: shot, in: context)
    var progress = ProgressLine()
    let clock = ContinuousClock()
    let start = clock.now
    for update in 0..<Battle.updateCount {
      guns.update(update)
      progress.show("Playing", done: Double(update) / Double(Battle.updateCount))
      try await clock.sleep(until: start + .seconds(Double(update + 1) / Double(Battle.updateRate)))
    }
  }
}
