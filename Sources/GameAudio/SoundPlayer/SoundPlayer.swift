internal import AudioSupport
internal import PCM
internal import Spatial3D

/// A player for music, speech and other sounds without a position, one sound after the other.
///
/// It plays in stereo or surround if its sound is. Several sounds at once are several
/// players. A player reads its sounds, their repetitions and what is queued behind them as one stream, so that no end
/// and no start has a gap or a frame too many.
///
/// ```swift
/// let music = try SoundPlayer(playing: "theme.flac", in: world)
/// music.loopRange = 11_025..<44_100
/// music.repeats = .forever
/// await music.prepareToPlay()
/// music.play()
/// ```
///
/// It plays on one of the world's voices, like an ``Emitter``, and obeys its bus. Every method and property may be used
/// from any thread. A value out of its range becomes the nearest value in the range. A value that is not finite leaves
/// the property unchanged. `AudioContext.onDiagnostic` reports each of the two once for each property of a world's
/// players. Releasing a player stops it within 10 ms.
///
/// The counterpart in AVFAudio is AVAudioPlayer, with the schedule of AVAudioPlayerNode.
public final class SoundPlayer: Sendable {
  /// The world of the player.
  public let world: AudioWorld
  let id: EmitterKey

  /// A player of a sound, stopped at its beginning.
  ///
  /// A string literal is the sound of a file. The file is opened and described on the calling thread. A file of at most
  /// 1 MiB as decoded samples is kept in memory; any other is read while it plays, in memory that does not depend on
  /// its length.
  ///
  /// A player uses the ``Sound/loopRange`` and the first variation of the sound; limits and attenuation are for
  /// emitters. A sound that is a reader is opened once more for its description. A bus of another world counts as
  /// `nil`, which is the main bus.
  ///
  /// - Throws: ``GameAudioError`` with the code `soundUnavailable` for a sound that cannot be opened, `emptySound` for
  ///   a sound without a file or samples, and `invalidLoopRange` for a range without a frame of it.
  public init(playing sound: Sound, in world: AudioWorld, on bus: Bus? = nil) throws(GameAudioError) {
    let opened = try OpenedSound(sound)
    self.world = world
    id = world.makePlayer(sound, opened, on: world.own(bus, for: .player).index)
  }

  deinit { world.release(id) }

  /// The slot of the player's values.
  var slot: EmitterSlot { id.slot }

  /// Reads the player's state at the present frame of the mix.
  func readNow<Value: Sendable>(_ body: (inout WorldState) -> Value) -> Value {
    let physics = world.context.physics
    return world.withState { state in
      state.adopt(physics)
      return body(&state)
    }
  }
}

// MARK: - Playback

extension SoundPlayer {
  /// Plays from where the player was paused or stopped; from the beginning if that was the end.
  ///
  /// It has no effect on a player that plays. After ``prepareToPlay()`` the sound is in the next mix; otherwise a file
  /// is opened first.
  ///
  /// The counterpart is AVAudioPlayer's `play()`.
  public func play() {
    world.perform(.play(at: nil), ofPlayer: id)
  }

  /// Plays at a moment of the context's `AudioContext.clock`, exact to the frame where `SoundSource.play` is.
  ///
  /// A moment that has passed counts as now. The moment of a player that waits already is replaced; a player that plays
  /// goes on.
  ///
  /// The counterpart is AVAudioPlayer's `play(atTime:)`.
  public func play(at moment: Duration) {
    world.perform(.play(at: moment), ofPlayer: id)
  }

  /// Pauses in 10 ms.
  ///
  /// The player keeps its voice and its buffers, so that ``play()`` is in the next mix.
  public func pause() {
    world.perform(.pause, ofPlayer: id)
  }

  /// Stops in 10 ms, at a position from which ``play()`` goes on.
  ///
  /// The voice and the reader are released, with the samples that the reader has decoded. The sounds that are queued
  /// without a moment stay, and follow after the next ``play()``. The moment of ``play(at:)`` is dropped, and so are
  /// the sounds at a moment, ``SchedulePosition/at(_:)``. To start over, set ``playbackTime`` to zero.
  public func stop() {
    world.perform(.stop, ofPlayer: id)
  }

  /// Reserves a voice and decodes the first 400 ms, so that ``play()`` is in the next mix.
  ///
  /// Returns when that is done; offline, before the first suspension. The quietest emitter gives up its voice if none
  /// is free, unless ``priority`` is below ``Priority/mustBeHeard``. It has no effect on a player that plays.
  public func prepareToPlay() async {
    await withCheckedContinuation { continuation in
      world.act { state in
        guard let player = state.playback.scene.emitters[slot].player else { return continuation.resume() }
        state.playback.scene.players[player].waiting.append(continuation)
        state.apply(.prepare, toPlayer: id)
      }
    }
  }

  /// Plays several players from one frame of the mix on, so that they stay in phase.
  ///
  /// - Parameters:
  ///   - players: The players, of one context.
  ///   - moment: The moment of the context's clock, and now if that has passed; `nil` for the earliest at which all can
  ///     begin: offline now, on an output 100 ms later. Prepare files on a slow disk with ``prepareToPlay()`` before. A
  ///     player whose stream has an underrun is back in phase about a second after the last one, when a voice is free.
  ///     A player whose reader is too slow for that stays late, and its position follows what plays.
  public static func play(_ players: [SoundPlayer], at moment: Duration? = nil) {
    guard let context = players.first?.world.context else { return }
    // A source on an output that cannot delay starts plays silence from 100 ms before its start.
    let lead: Duration = context.device.mixesByFrames ? .zero : .milliseconds(100)
    let moment = moment ?? context.clock + lead
    var rest = players[...]
    while let world = rest.first?.world {
      let own = rest.filter { $0.world === world }
      world.perform(.playTogether(own.map(\.id), at: moment))
      rest.removeAll { $0.world === world }
    }
  }

  /// Fades this player out, to a stop at its position then, while another player fades in from its own position.
  ///
  /// With the curve ``Fade/Curve/equalPower``, unrelated sounds keep their power together. The ``volume`` of both
  /// stays. The scheduled moments of this player are forgotten. A player that fades out goes on from the level in force
  /// if it is the other one.
  public func crossfade(to other: SoundPlayer, _ fade: Fade = Fade(.seconds(1), .equalPower)) {
    guard other !== self else { return }
    defer { check(fade) }
    if other.world === world { return world.perform(.crossfade(to: other.id, fade), ofPlayer: id) }
    world.perform(.fadeOut(fade), ofPlayer: id)
    other.world.perform(.fadeIn(fade), ofPlayer: other.id)
  }
}
