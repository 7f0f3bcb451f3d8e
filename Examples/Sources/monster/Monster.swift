import ArgumentParser
import Spatial3D
import Spatial3DReports
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

  @Argument(help: "The monster's voice, as a sound file; without it, one that is made of arithmetic.")
  var file: String?

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Draw the levels of direct sound and room.", valueName: "OUT.svg"))
  var plot: OutputFile?

  @Option(help: ArgumentHelp("Write a page to look and listen.", valueName: "OUT.html"))
  var page: OutputFile?

  func run() async throws {
    let voice = try file.map { try MonoSound(opening: $0).pcm } ?? Growl.pcm()
    for file in [output.offline, plot, page].compactMap(\.self) { try file.prepare() }
    let recording = try await output.play(orRenderAs: "monster") { context in try await play(voice, in: context) }
    let levels = try Levels(of: voice, recordingTo: recording, forPage: page != nil)
    print(StoryTable(of: levels), terminator: "")
    try plot?.write(StoryPlot(of: levels).markup)
    if let page, let sound = levels.sound { try page.write(ListeningPage(of: levels, with: sound).markup) }
    print()
    for file in [recording, plot, page].compactMap(\.self) { print("Wrote \(file)") }
  }

  /// Plays the story in real time on an output device, with captions.
  private func play(_ voice: PCMBuffer<Float>, in context: AudioContext) async throws {
    let theatre = try Theatre(of: voice, in: context)
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
