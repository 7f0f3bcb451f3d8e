import ArgumentParser
import FileDecode
import Spatial3D
import Stage

@main
struct Column: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "column",
    abstract: "Compares a column before a sound with a wall: obstruction and occlusion, in decibels.",
    discussion: """
      Nothing, a column, a wall and both stand there for three seconds each. Plays where an output device opens, and renders \
      to column.wav where none does, unless that is there already. Ends with a table, measured with white noise.
      """
  )

  @Argument(help: "The sound, as a file; without it, a brook.")
  var file: String?

  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("Draw what is left at each frequency.", valueName: "OUT.svg"))
  var plot: OutputFile?

  func run() async throws {
    let sound = try MonoSound(opening: file ?? ExampleSounds.brook).pcm
    for file in [output.offline, plot].compactMap(\.self) { try file.prepare() }
    let recording = try await output.play(orRenderAs: "column") { context in try await play(sound, in: context) }
    if let recording { try render(sound, to: recording) }
    let remainder = try Remainder()
    print(RemainderTable(of: remainder), terminator: "")
    try plot?.write(RemainderPlot(of: remainder).markup)
    print()
    for file in [recording, plot].compactMap(\.self) { print("Wrote \(file)") }
  }

  /// Plays in real time on an output device, and prints the current obstacles.
  private func play(_ sound: PCMBuffer<Float>, in context: AudioContext) async throws {
    let stand = try Stand(of: sound, in: context)
    for between in Between.heard {
      Terminal.note("In between: \(between.name)")
      stand.put(between)
      try await Task.sleep(for: .seconds(Stand.seconds))
    }
  }

  private func render(_ sound: PCMBuffer<Float>, to recording: OutputFile) throws {
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let stand = try Stand(of: sound, in: renderer.context)
    var file = try AudioFileWriter(creating: recording.path, format: renderer.format)
    for between in Between.heard {
      stand.put(between)
      try file.write(renderer.render(.seconds(Stand.seconds)))
    }
    try file.close()
  }
}
