import ArgumentParser
import Foundation
import Spatial3D
import Stage

@main
struct Explore: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Walks among sounds by the keys of a terminal.",
    discussion: """
      Plays where an output device opens, and is silent where none does. --script, --offline and --plot render a walk by a \
      script of keys instead, without a terminal and without a device, and print its screens.
      """
  )

  @Argument(help: "Sound files, at most \(Plan.house.places.count); without any, three loops that come along.")
  var files: [String] = []

  @OptionGroup var output: OutputOptions

  @Option(
    help: ArgumentHelp(
      "Press these keys offline: up, left, 1, up*20 to repeat, 0.5s to wait.",
      valueName: "KEYS"
    ),
    transform: { try KeyScript($0) }
  )
  var script: KeyScript?

  @Option(
    help: ArgumentHelp("How many screens of a script to print, from 1 to 1000; by default the last.", valueName: "N")
  )
  var frames: Int?

  @Option(help: ArgumentHelp("The size of a script's screens, by default 80x24.", valueName: "COLUMNSxROWS"))
  var size: Screen.Size?

  @Option(help: ArgumentHelp("Draw the last screen of a script.", valueName: "OUT.svg"))
  var plot: OutputFile?

  @Option(help: ArgumentHelp("How many sounds have a voice, from 1 to 6.", valueName: "N"))
  var voices = World.voices

  @Flag(help: "Draw with ASCII characters alone, as in a locale without UTF-8.")
  var ascii = false

  /// Whether a script replaces the keyboard.
  private var isScripted: Bool { script != nil || output.offline != nil || plot != nil }

  func validate() throws {
    guard files.count <= Plan.house.places.count else {
      throw ValidationError("\(files.count) files are too many: name at most \(Plan.house.places.count).")
    }
    guard (1...1_000).contains(frames ?? 1) else { throw ValidationError("There are from 1 to 1000 screens.") }
    guard (1...World.voices).contains(voices) else {
      throw ValidationError("There are from 1 to \(World.voices) voices.")
    }
    guard isScripted || (frames == nil && size == nil) else {
      throw ValidationError("--frames and --size are for a script: add --script KEYS, or leave them out.")
    }
    guard output.device == nil || !isScripted else {
      throw ValidationError("--device plays, and --script and --plot render instead: leave --device out.")
    }
  }

  func run() throws {
    let sounds = try (files.isEmpty ? ExampleSounds.all : files).map(MonoSound.init(opening:))
    if isScripted { try render(sounds) } else { try explore(sounds) }
  }

  /// Performs the script offline, and prints its screens.
  private func render(_ sounds: [MonoSound]) throws {
    for file in [output.offline, plot].compactMap(\.self) { try file.prepare() }
    let run = try ScriptedRun(
      of: sounds,
      by: script ?? KeyScript(KeyScript.tour),
      frameCount: frames ?? 1,
      size: size ?? Screen.Size(columns: 80, rows: 24),
      ascii ? .ascii : .unicode,
      voices: voices,
      recordingTo: output.offline
    )
    for frame in run.frames { print(frame.screen.text) }
    if let plot, let last = run.frames.last { try plot.write(ScreenDrawing(of: last.screen).markup) }
    for file in [output.offline, plot].compactMap(\.self) { print("Wrote \(file)") }
  }

  /// Explores on the terminal, until the user quits.
  private func explore(_ sounds: [MonoSound]) throws {
    let (context, isSilent) = try openOutput()
    let traits = TerminalTraits(ProcessInfo.processInfo.environment)
    let terminal = try RawTerminal(traits, for: Self.terminalUse)
    let session = LiveSession(
      of: try Exploration(of: sounds, in: context, voices: voices),
      on: context.device,
      isSilent: isSilent,
      ascii || !traits.hasUnicode ? .ascii : .unicode
    )
    TerminalLoop(on: terminal, traits.palette, updateRate: World.updateRate).run(session)
  }

  /// The words of an error about the terminal.
  static let terminalUse = RawTerminalError.Use(
    program: "explore",
    remedy: "Run it in a terminal, or render a walk with a script of keys: explore --script \"up*20 left 1\"."
  )

  /// The output of the user's choice, or the default one, or a silent device where no output opens.
  private func openOutput() throws -> (context: AudioContext, isSilent: Bool) {
    do throws(AudioError) {
      return (try AudioContext(device: AudioDevice(named: output.device)), false)
    } catch {
      guard output.device == nil, error.code == .deviceUnavailable else { throw error }
      return (try AudioContext(device: .silent), true)
    }
  }
}

extension Screen.Size: ExpressibleByArgument {
  /// A size such as `80x24`: from 1x1 to ``largest``.
  init?(argument: String) {
    let numbers = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard numbers.count == 2, (1...Self.largest.columns).contains(numbers[0]),
      (1...Self.largest.rows).contains(numbers[1])
    else { return nil }
    self.init(columns: numbers[0], rows: numbers[1])
  }
}
