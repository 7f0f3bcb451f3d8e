/// What a device does when outputs come, go and change.
///
/// Whatever it is, an output that is lost is waited for, and what plays goes on: see ``AudioDevice/keepsTimeWithoutOutput``.
/// The policy says where it goes on.
public enum DevicePolicy: Hashable, Sendable, CaseIterable {
  /// On the default output of the system, whichever that is: where another becomes it, the device goes there.
  ///
  /// What a player expects who plugs in headphones.
  case follow

  /// On the output that the device was opened on or moved to, and no other: it is waited for.
  ///
  /// What a player expects who has chosen an output in the game's settings. Open the device by name, or ``AudioDevice/move(to:)`` it
  /// there: PulseAudio takes what was opened as the default along when that changes, and this is not seen. Where a sound server moves
  /// what plays to another output by itself, the device leaves that one as soon as it is seen.
  case stay

  /// As ``follow``, and where the output is lost or was taken away, all that plays is paused first.
  ///
  /// What a player expects whose headphones were pulled out. Sources that are observed tell that they are
  /// ``SourceState/paused`` by the device; resuming them is the game's.
  case pauseOnOutputLoss
}
