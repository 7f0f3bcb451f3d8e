/// The use of a category that needs special treatment.
///
/// Every mode but ``default`` needs a session that does not mix with others.
public enum SessionMode: Hashable, Sendable, CaseIterable {
  /// No special treatment. Every category allows it.
  case `default`

  /// Voice over a network, with ``SessionCategory/playAndRecord``.
  ///
  /// It implies ``SessionOptions/allowBluetooth``, and recommends processing of the microphone's sound.
  case voiceChat

  /// Recording of a film, with ``SessionCategory/record`` or ``SessionCategory/playAndRecord``.
  ///
  /// The choice of the microphone belongs to the hardware; the mode changes nothing else.
  case videoRecording

  /// Measurement of sound, with ``SessionCategory/playback``, ``SessionCategory/record`` or
  /// ``SessionCategory/playAndRecord``.
  ///
  /// It recommends an output without a limiter and without HRTF.
  case measurement

  /// Speech such as a podcast, with ``SessionCategory/playback`` or ``SessionCategory/playAndRecord``.
  ///
  /// A prompt of another program interrupts it instead of lowering it. Players rewind by two seconds when they resume.
  case spokenAudio
}
