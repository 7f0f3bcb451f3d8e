import ArgumentParser
import FileDecode
import Spatial3D
import Stage

@main
struct LongMusic: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "longmusic",
    abstract: "Streams a sound file over and over, and counts the laps.",
    discussion: """
      The file is decoded 400 ms ahead of what is heard, in memory that does not depend on its length, and starts over \
      without a gap. Plays where an output device opens, and renders to longmusic.wav where none does, unless that is there \
      already.
      """
  )

  @Argument(help: "A sound file of any length; without it, one that comes along.")
  var file: String?

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("How often the file is heard, from 1 to 1000.", valueName: "N"))
  var laps = 3

  func validate() throws {
    guard (1...1_000).contains(laps) else { throw ValidationError("A file is heard from 1 to 1000 times.") }
  }

  func run() async throws {
    let recording = try await output.play(orRenderAs: "longmusic") { context in
      let music = try music(in: context)
      let counter = LapCounter(of: music, until: laps)
      music.play()
      await music.waitUntilStopped()
      withExtendedLifetime(counter) {}
    }
    if let recording { try render(to: recording) }
  }

  /// The file, streamed; the library reads it only as far as it plays.
  private func music(in context: AudioContext) throws -> SoundSource {
    let music = try SoundSource(streaming: AudioFile(opening: file ?? ExampleSounds.bell), in: context)
    music.isLooping = true
    return music
  }

  /// Renders the same offline; the notifications of loops arrive while it renders.
  private func render(to recording: OutputFile) throws {
    try recording.prepare()
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let music = try music(in: renderer.context)
    let counter = LapCounter(of: music, until: laps)
    var writer = try AudioFileWriter(creating: recording.path, format: renderer.format)
    music.play()
    while music.state == .playing { try writer.write(renderer.render(.milliseconds(100))) }
    try writer.close()
    withExtendedLifetime(counter) {}
    print("Wrote \(recording)")
  }
}
