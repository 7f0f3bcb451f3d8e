public import ArgumentParser
public import Spatial3D

/// The options for the output of an example: an output device or a sound file.
public struct OutputOptions: ParsableArguments {
  /// The file to render to, if any.
  @Option(help: ArgumentHelp("Render to a sound file instead of playing.", valueName: "OUT.wav"))
  public var offline: OutputFile?

  /// The device to play on; `nil` for the default one.
  @Option(help: ArgumentHelp("Play on this output device instead of the default one.", valueName: "NAME"))
  public var device: String?

  /// Options for the default device.
  public init() {}

  /// Rejects a device together with a file, since a file needs none.
  public func validate() throws {
    guard offline == nil || device == nil else {
      throw ValidationError("--device plays and --offline renders instead: leave one of them out.")
    }
  }

  /// Plays on a device, or returns the file to render to: the requested one, or NAME.wav if there is no output.
  ///
  /// An existing NAME.wav is never replaced: the program then ends with a remedy on the terminal. The same happens if a
  /// device of the user's choice does not open. With `processed`, the context is on an `AudioDevice.processed`.
  public func play(
    orRenderAs name: String,
    processed: Bool = false,
    _ play: (AudioContext) async throws -> Void
  ) async throws -> OutputFile? {
    if let offline { return offline }
    let context: AudioContext
    do throws(AudioError) {
      let output = try processed ? AudioDevice.processed(on: device) : AudioDevice(named: device)
      context = try AudioContext(device: output)
    } catch {
      guard device == nil, error.code == .deviceUnavailable else {
        Terminal.note("\(error)")
        throw ExitCode.failure
      }
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
