/// The part that audio plays in a program.
///
/// The names come from `AVAudioSession` and from Wwise's `AkAudioSessionCategory`.
public enum SessionCategory: Hashable, Sendable, CaseIterable {
  /// Sound beside others', for a game whose music is optional: it always mixes.
  ///
  /// The ring switch and the screen lock silence it, and so does the background.
  case ambient

  /// Sound instead of others', for a game with music of its own. The default.
  ///
  /// The ring switch and the screen lock silence it, and so does the background.
  case soloAmbient

  /// Sound as the purpose of the program, as in a music player: the ring switch and the screen lock do not silence it.
  ///
  /// It plays in the background if the program declares that, and mixes only with an option.
  case playback

  /// The microphone alone. While the session is active, all output of the system is silent, the program's own too.
  case record

  /// Sound and the microphone, for voice chat.
  ///
  /// It plays in the background if the program declares that, and mixes only with an option.
  case playAndRecord

  /// Processing of samples, without sound or microphone. It neither interrupts others nor is interrupted by them.
  case audioProcessing

  /// The category of a game, by whether the user listens to something else when the game starts.
  ///
  /// Do not ask the user: the music that plays is the answer.
  public static func recommended(isOtherAudioPlaying: Bool) -> SessionCategory {
    isOtherAudioPlaying ? .ambient : .soloAmbient
  }
}
