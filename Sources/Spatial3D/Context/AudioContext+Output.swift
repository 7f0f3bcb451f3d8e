extension AudioContext {
  /// The output's present values for what ``settings`` asked.
  ///
  /// The contexts of a device share its output. The getter asks the library, which may wait for a mix to end.
  public var output: OutputConfiguration {
    handle.output(askedFor: settings, sendLimit: sendLimit)
  }

  /// Frames per second of the mix, in hertz, as the device granted it.
  ///
  /// The OpenAL counterpart is `ALC_FREQUENCY`.
  public var sampleRate: Int { handle.sampleRate }

  /// The loaded library, by its version and names.
  public var library: LoadedLibrary { handle.library }

  /// The capabilities of the loaded library.
  ///
  /// The getter asks the library for some thirty names: keep the value if you need it often.
  public var capabilities: Capabilities { handle.capabilities }
}
