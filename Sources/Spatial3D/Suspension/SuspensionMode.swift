/// What happens to a scene while it is suspended, from the weakest to the strongest.
public enum SuspensionMode: Hashable, Sendable, CaseIterable, Comparable {
  /// Nothing is heard, and time goes on: sources end, streams are read, and notifications come.
  ///
  /// The sound fades within a mix, that of effects too, and comes back so; ``Listener/gain`` stays what it is. Wwise does so while it
  /// is interrupted.
  case mute

  /// Time stands still: nothing is heard, every source stays where it is, and so does the ``AudioContext/clock``.
  ///
  /// Calls count at once: a source that is stopped meanwhile is stopped, and its observers are told.
  ///
  /// The OpenAL counterpart is `alcDevicePauseSOFT`.
  case freeze

  /// Time stands still, and sources are kept from being played, paused, stopped, rewound and moved until the scene goes on.
  ///
  /// What they were told to do they then do at once, before time goes on, and their observers are told then of what is different.
  /// ``SoundSource/state`` and ``SoundSource/playbackFrame`` tell meanwhile what they will be. Of a source's calls is kept what
  /// they come to, so that a game may go on calling for hours. Everything else counts at once, and is heard afterwards. Wwise does
  /// so in the background.
  case queue
}
