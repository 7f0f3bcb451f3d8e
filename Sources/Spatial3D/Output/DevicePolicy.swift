/// The behaviour of a device when outputs come, go and change.
///
/// Under every policy a device reconnects after the loss of its output, and playback goes on: see
/// ``AudioDevice/keepsTimeWithoutOutput``. The policy decides on which output it goes on.
public enum DevicePolicy: String, Hashable, Sendable, CaseIterable, Codable {
  /// The device plays on the system's default output, and moves when the default changes.
  ///
  /// This suits a player who plugs in headphones.
  case follow

  /// The device plays on the output that it was opened on or moved to, and waits for it after a loss.
  ///
  /// This suits a player who has chosen an output in the game's settings. Open the device by name, or
  /// ``AudioDevice/move(to:)`` it there. PulseAudio moves a device that was opened as the default along with the
  /// default, and the package cannot detect that. If a sound server moves playback to another output by itself, the
  /// device leaves that output as soon as it detects the move.
  ///
  /// PipeWire's session manager WirePlumber also moves a device that was opened by name, once its output has been the
  /// default one: OpenAL Soft before 1.20 forbids that, and later versions need a setting. With their PulseAudio backend
  /// it is `allow-moves = false` in the section `[pulse]` of `alsoft.conf`; with their PipeWire backend, the environment
  /// variable `PIPEWIRE_PROPS='{ node.dont-reconnect = true }'` before the program starts.
  case stay

  /// The device moves as with ``follow``, and pauses all sources first if the output was lost or taken away.
  ///
  /// This suits a player whose headphones were pulled out. Observed sources report ``SourceState/paused`` with the
  /// device as the cause; the game resumes them.
  case pauseOnOutputLoss
}
