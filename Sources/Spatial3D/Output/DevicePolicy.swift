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
  /// ``AudioDevice/move(to:)`` it there. If a sound server moves playback because its output is taken away, the device
  /// leaves the other output as soon as it detects the move.
  ///
  /// Some servers also move playback along with the default: PulseAudio where the device was opened as the default
  /// output, and PipeWire's session manager WirePlumber where its output has been the default. OpenAL Soft does not
  /// report this move, and versions before 1.20 forbid it. With ``Capabilities/systemEvents`` the device opens its
  /// output again when the default changes away from it, and reports ``ContextEvent/Kind/outputChanged``: the other
  /// output plays for a moment. Versions in between need the setting `allow-moves = false` in the section `[pulse]` of
  /// `alsoft.conf`.
  case stay

  /// The device moves as with ``follow``, and pauses all sources first if the output was lost or taken away.
  ///
  /// This suits a player whose headphones were unplugged (pulled out). Observed sources report ``SourceState/paused``
  /// with the device as the cause; the game resumes them.
  ///
  /// It is for a program without an `AudioWorld` of the module GameAudio, whose emitters and players go on. A world
  /// that begins to follow an audio session replaces the policy by ``follow``, and `SessionLink.OutputLoss` decides
  /// what pauses.
  case pauseOnOutputLoss
}
