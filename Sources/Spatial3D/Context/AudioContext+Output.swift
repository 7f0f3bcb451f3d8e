extension AudioContext {
  /// What the output granted of ``settings``, as it is now.
  ///
  /// The contexts of a device share its output. Asks the library, which may wait for a mix to end.
  public var output: GrantedOutput {
    handle.output(askedFor: settings, sendLimit: sendLimit)
  }

  /// Frames per second of the mix, in hertz, as the device granted it.
  ///
  /// The OpenAL counterpart is `ALC_FREQUENCY`.
  public var sampleRate: Int { handle.sampleRate }

  /// What the loaded library offers.
  ///
  /// Asks the library for some thirty names: keep the value where it is needed often.
  public var capabilities: Capabilities { handle.capabilities }
}
