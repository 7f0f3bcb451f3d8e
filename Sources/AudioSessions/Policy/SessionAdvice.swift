/// A hint to the program about its category or mode, which it may ignore.
public enum SessionAdvice: Hashable, Sendable, CaseIterable {
  /// The category uses the microphone.
  case onlyWithMicrophone

  /// The category ``SessionCategory/playback`` is for programs that play in the background, and this program does not.
  case onlyForBackground

  /// A limiter of the output changes the levels of a measurement.
  case turnLimiterOff

  /// HRTF changes the spectrum of a measurement.
  case turnHRTFOff

  /// A voice chat needs echo cancelling.
  case processVoice

  /// Options for the route have no effect on Linux.
  case routeIsNotChosen
}

extension SessionAdvice: CustomStringConvertible {
  /// A sentence for the developer.
  public var description: String {
    switch self {
    case .onlyWithMicrophone:
      "Choose record and playAndRecord only while the game uses the microphone, because they stop the music of the user."
    case .onlyForBackground:
      "Choose playback only for sound that continues in the background, and declare that with playsInBackground."
        + " A game is ambient or soloAmbient."
    case .turnLimiterOff: "Turn the limiter of the output off: it changes the levels of a measurement."
    case .turnHRTFOff: "Turn HRTF off: it changes the spectrum of a measurement."
    case .processVoice: "Cancel the echo of the loudspeakers in the sound of the microphone."
    case .routeIsNotChosen:
      "The options allowBluetooth, allowBluetoothA2DP and defaultToSpeaker have no effect on Linux: the user chooses"
        + " the output in the settings of the system."
    }
  }
}

extension SessionAdvice {
  static func advice(for configuration: SessionConfiguration, playsInBackground: Bool) -> [SessionAdvice] {
    var advice: [SessionAdvice] = []
    if configuration.rules.records { advice.append(.onlyWithMicrophone) }
    if configuration.category == .playback, !playsInBackground { advice.append(.onlyForBackground) }
    if configuration.mode == .measurement { advice += [.turnLimiterOff, .turnHRTFOff] }
    if configuration.mode == .voiceChat { advice.append(.processVoice) }
    if !configuration.options.isDisjoint(with: SessionRules.optionsOfRoutes) { advice.append(.routeIsNotChosen) }
    return advice
  }
}
