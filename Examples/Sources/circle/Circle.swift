import ArgumentParser
import Spatial3D
import Spatial3DReports
import Stage

@main
struct Circle: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "circle",
    abstract: "Walks a listener between sounds that stand in a circle.",
    discussion: """
      Plays where an output device opens, and renders to circle.wav where none does, unless that is there already. Ends \
      with a table of where each sound was, seen from the listener's heading, and how loud it was at each ear.
      """
  )

  @Argument(help: "Sound files, at most \(Scene.largestSoundCount); without any, three loops that come along.")
  var files: [String] = []

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Draw the walk and the levels.", valueName: "OUT.svg"))
  var plot: OutputFile?

  @Option(help: ArgumentHelp("Write a page to look and listen.", valueName: "OUT.html"))
  var page: OutputFile?

  @Option(help: ArgumentHelp("How long the walk takes, from 1 to 3600 seconds, or 600 with a page.", valueName: "N"))
  var seconds = 24.0

  func validate() throws {
    guard files.count <= Scene.largestSoundCount else {
      throw ValidationError("\(files.count) files are too many: name at most \(Scene.largestSoundCount).")
    }
    guard (1...3_600).contains(seconds) else {
      throw ValidationError("A walk takes from 1 to 3600 seconds.")
    }
    // A browser decodes all sound of a page at once: every browser copes with about 230 MB of samples.
    guard page == nil || seconds <= 600 else {
      throw ValidationError("A page holds at most 600 seconds: make the walk shorter, or leave out --page.")
    }
  }

  func run() async throws {
    let sounds = try (files.isEmpty ? ExampleSounds.all : files).map(MonoSound.init(opening:))
    let scene = Scene(of: sounds, seconds: seconds)
    for file in [output.offline, plot, page].compactMap(\.self) { try file.prepare() }

    let recording = try await output.play(orRenderAs: "circle") { context in try await play(scene, in: context) }
    let measurement = try Measurement(of: scene, recordingTo: recording, forPage: page != nil)
    print(LevelTable(of: measurement, in: scene), terminator: "")
    try plot?.write(WalkPlot(of: measurement, in: scene).markup)
    if let page, let sound = measurement.sound {
      try page.write(ListeningPage(of: measurement, in: scene, with: sound).markup)
    }
    print()
    for file in [recording, plot, page].compactMap(\.self) { print("Wrote \(file)") }
  }

  /// Walks through the scene in real time on an output device.
  private func play(_ scene: Scene, in context: AudioContext) async throws {
    let sources = try scene.enter(context)
    var progress = ProgressLine()
    let clock = ContinuousClock()
    let start = clock.now
    for update in 0..<scene.updateCount {
      scene.update(context, at: scene.time(ofUpdate: update))
      progress.show("Playing", done: Double(update) / Double(scene.updateCount))
      try await clock.sleep(until: start + .seconds(scene.time(ofUpdate: update + 1)))
    }
    withExtendedLifetime(sources) {}  // A source that nobody holds stops.
  }
}

extension Scene {
  /// Adds a looping source for each sound to a context and starts it; `solo` selects one sound alone.
  func enter(_ context: AudioContext, only solo: Int? = nil) throws(AudioError) -> [SoundSource] {
    var sources: [SoundSource] = []
    for (index, placed) in placed.enumerated() where solo == nil || solo == index {
      let source = try SoundSource(playing: SoundBuffer(placed.sound.pcm, in: context), in: context)
      source.isLooping = true
      source.position = placed.place
      source.gain = gain
      source.play()
      sources.append(source)
    }
    return sources
  }

  /// Moves the listener to the position after a number of seconds, in one deferred update.
  func update(_ context: AudioContext, at time: Double) {
    context.withDeferredUpdates {
      context.listener = walk.listener(at: time)
    }
  }
}
