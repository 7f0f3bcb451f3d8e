public import ArgumentParser
public import Spatial3D

/// Where an example is heard: on an output device, or in a sound file.
public struct OutputOptions: ParsableArguments {
  /// The file to render to, if any.
  @Option(help: ArgumentHelp("Render to a sound file instead of playing.", valueName: "OUT.wav"))
  public var offline: OutputFile?

  /// The device to play on, if not the default one.
  @Option(help: ArgumentHelp("Play on this output device instead of the default one.", valueName: "NAME"))
  public var device: String?

  /// The default device.
  public init() {}

  /// Refuses a device where nothing is played.
  public func validate() throws {
    guard offline == nil || device == nil else {
      throw ValidationError("--device plays and --offline renders instead: leave one of them out.")
    }
  }

  /// Plays on a device, or says which file to render to instead: the one that was asked for, or NAME.wav where no device
  /// opens.
  ///
  /// That file is not put in the place of another: then the program ends, and says how to go on.
  public func play(
    orRenderAs name: String,
    _ play: (AudioContext) async throws -> Void
  ) async throws -> OutputFile? {
    if let offline { return offline }
    let context: AudioContext
    do {
      context = try AudioContext(device: AudioDevice(named: device))
    } catch {
      let fallback = OutputFile("\(name).wav")
      guard !fallback.exists else {
        Terminal.note("\(error)\n\(fallback) is there already: name the file to render to with --offline.")
        throw ExitCode.failure
      }
      Terminal.note("\(error)\nRendering to \(fallback) instead.")
      return fallback
    }
    try await play(context)
    return nil
  }
}
