import ArgumentParser
import Foundation
import Spatial3D
import Stage

@main
struct Monster: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monster",
    abstract: "Growls dry, in a chamber, in a basement, behind a door, behind a pillar, and from the stairs.",
    discussion: """
      Plays where an output device opens, and renders to monster.wav where none does, unless that is there already. Ends \
      with a table of the chapters.
      """
  )

  @Option(help: ArgumentHelp("Render to a sound file instead of playing.", valueName: "OUT.wav"))
  var offline: String?

  @Option(help: ArgumentHelp("Draw the levels of direct sound and room.", valueName: "OUT.svg"))
  var plot: String?

  @Option(help: ArgumentHelp("Play on this output device instead of the default one.", valueName: "NAME"))
  var device: String?

  func validate() throws {
    for (option, path) in [("--offline", offline), ("--plot", plot)] where path == "" {
      throw ValidationError("\(option) needs the name of a file.")
    }
    guard offline == nil || device == nil else {
      throw ValidationError("--device plays and --offline renders instead: leave one of them out.")
    }
  }

  func run() async throws {
    for path in [offline, plot].compactMap(\.self) { try OutputFile(path).prepare() }
    var recording = offline
    if recording == nil {
      do {
        try await play()
      } catch let error as AudioError {
        let fallback = "monster.wav"
        guard !FileManager.default.fileExists(atPath: fallback) else {
          Terminal.note("\(error)\n\(fallback) is there already: name the file to render to with --offline.")
          throw ExitCode.failure
        }
        Terminal.note("\(error)\nRendering to \(fallback) instead.")
        recording = fallback
      }
    }
    let levels = try Levels(recordingTo: recording)
    print(StoryTable(of: levels), terminator: "")
    if let plot { try OutputFile(plot).write(StoryPlot(of: levels).markup) }
    print()
    for path in [recording, plot].compactMap(\.self) { print("Wrote \(path.withoutControlCharacters)") }
  }

  /// Plays the story by the clock on an output device, with captions.
  private func play() async throws {
    let context = try AudioContext(device: AudioDevice(named: device))
    let theatre = try Theatre(in: context)
    let clock = ContinuousClock()
    let start = clock.now
    for update in 0..<Story.updateCount {
      let time = Story.time(ofUpdate: update)
      if let chapter = Story.chapters.first(where: { $0.start == time }) { Terminal.note(chapter.caption) }
      theatre.update(to: time)
      try await clock.sleep(until: start + .seconds(Story.time(ofUpdate: update + 1)))
    }
  }
}
