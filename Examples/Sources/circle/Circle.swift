import ArgumentParser
import FileDecode
import Foundation
import Spatial3D
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

  @Option(help: ArgumentHelp("Render to a sound file instead of playing.", valueName: "OUT.wav"))
  var offline: String?

  @Option(help: ArgumentHelp("Draw the walk and the levels.", valueName: "OUT.svg"))
  var plot: String?

  @Option(help: ArgumentHelp("How long the walk takes, from 1 to 3600 seconds.", valueName: "N"))
  var seconds = 24.0

  @Option(help: ArgumentHelp("Play on this output device instead of the default one.", valueName: "NAME"))
  var device: String?

  func validate() throws {
    guard files.count <= Scene.largestSoundCount else {
      throw ValidationError("\(files.count) files are too many: name at most \(Scene.largestSoundCount).")
    }
    guard (1...3_600).contains(seconds) else {
      throw ValidationError("A walk takes from 1 to 3600 seconds.")
    }
    for (option, path) in [("--offline", offline), ("--plot", plot)] where path == "" {
      throw ValidationError("\(option) needs the name of a file.")
    }
    guard offline == nil || device == nil else {
      throw ValidationError("--device plays and --offline renders instead: leave one of them out.")
    }
  }

  func run() async throws {
    let paths = files.isEmpty ? ExampleSounds.all : files
    let sounds = try paths.map { path in
      try MonoSound(AudioFile(opening: path).readAll(), from: path)
    }
    for note in sounds.compactMap(\.note) { Terminal.note(note) }
    let scene = Scene(of: sounds, seconds: seconds)
    for path in [offline, plot].compactMap(\.self) { try OutputFile(path).prepare() }

    var recording = offline
    if recording == nil {
      do {
        try await play(scene)
      } catch let error as AudioError {
        let fallback = "circle.wav"
        guard !FileManager.default.fileExists(atPath: fallback) else {
          Terminal.note("\(error)\n\(fallback) is there already: name the file to render to with --offline.")
          throw ExitCode.failure
        }
        Terminal.note("\(error)\nRendering to \(fallback) instead.")
        recording = fallback
      }
    }

    let measurement = try Measurement(of: scene, recordingTo: recording)
    print(LevelTable(of: measurement, in: scene), terminator: "")
    if let plot { try OutputFile(plot).write(WalkPlot(of: measurement, in: scene).markup) }
    print()
    for path in [recording, plot].compactMap(\.self) { print("Wrote \(path.withoutControlCharacters)") }
  }

  /// Walks through the scene by the clock, heard on an output device.
  private func play(_ scene: Scene) async throws {
    let context = try AudioContext(device: AudioDevice(named: device))
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
  /// Puts a looping source for each sound into a context and starts it; or for one sound alone.
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

  /// Moves the listener to where they are after a number of seconds: all of a frame's changes are heard at once.
  func update(_ context: AudioContext, at time: Double) {
    context.withDeferredUpdates {
      context.listener = walk.listener(at: time)
    }
  }
}
