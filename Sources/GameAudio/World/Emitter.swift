internal import AudioSupport
public import Spatial3D

/// A thing of the game that plays a sound at a position.
///
/// The most audible emitters of a world have a voice. An emitter without a voice keeps its time, and costs little.
///
/// Releasing an emitter stops it within 10 ms: keep it, in a property or a collection, for as long as it is to sound.
/// `AudioContext.onDiagnostic` reports once that one was released in the tick in which it was played. The
/// emitters that ``AudioWorld/playOnce(_:at:gain:on:)`` makes play to their end in any case.
///
/// A setter stores its value, and never calls OpenAL: the next tick of the mix hands it to the mixer. A value out of
/// its range becomes the nearest value in the range. A value that is not finite leaves the property unchanged.
/// `AudioContext.onDiagnostic` reports each of the two once for each property of a world's emitters.
public final class Emitter: Sendable, Identifiable {
  /// The identity of an emitter among all that its world has ever had.
  public struct ID: Hashable, Sendable {
    let key: EmitterKey

    init(_ key: EmitterKey) { self.key = key }

    /// The number of the emitter, from 1 in the order in which the emitters of its world were made.
    public var number: Int { Int(key.number) }
  }

  /// The world of the emitter.
  public let world: AudioWorld
  /// The identity of the emitter, as in an ``EmitterNotification``.
  public let id: ID

  /// An emitter at the origin, not yet playing.
  ///
  /// The sound is loaded now, if no emitter of the world has it: offline before the return, else on a thread of this
  /// package. An emitter that is played earlier begins when the sound is loaded. A file that cannot be read is reported
  /// to `AudioContext.onDiagnostic`, and the emitter ends with the reason ``EmitterEvent/Reason/failed``. A setting of
  /// the sound outside of its range is reported once for each name of a sound.
  ///
  /// - Parameters:
  ///   - sound: The sound.
  ///   - world: The world.
  ///   - bus: A bus of the world; `nil` for the main bus.
  public convenience init(playing sound: Sound, in world: AudioWorld, on bus: Bus? = nil) {
    self.init(sound, isPlaced: true, isOnce: false, in: world, on: world.own(bus, for: .emitter))
  }

  /// An emitter that its world plays to its end.
  convenience init(once sound: Sound, isPlaced: Bool, in world: AudioWorld, on bus: Bus) {
    self.init(sound, isPlaced: isPlaced, isOnce: true, in: world, on: bus)
  }

  /// An emitter on a bus of its world.
  init(_ sound: Sound, isPlaced: Bool, isOnce: Bool, in world: AudioWorld, on bus: Bus) {
    self.world = world
    id = ID(world.makeEmitter(sound, isPlaced: isPlaced, isOnce: isOnce, on: bus.index))
  }

  deinit { world.release(key) }

  /// The identity of the emitter in its world.
  var key: EmitterKey { id.key }
  /// The slot of the emitter's values.
  var slot: EmitterSlot { key.slot }

  /// Reads a value of the emitter's record.
  func read<Value: Sendable>(_ body: (EmitterRecord) -> Value) -> Value {
    world.withState { body($0.playback.scene.emitters[slot]) }
  }
}

extension AudioWorld {
  /// Ends an emitter or a player that the program has released.
  func release(_ id: EmitterKey) {
    // A forked child lacks the threads that may hold the lock of the world.
    guard !context.isInherited else { return }
    // The fade of the release begins now, whether the time was read since the last tick or not.
    let physics = context.physics
    let (work, hasDeferredEvents) = withState { state in
      state.adopt(physics)
      state.apply(.release(id))
      return (state.takeWork(), state.playback.outbox.events.needsTick)
    }
    Carrier(world: self).carryOut(consume work)
    if hasDeferredEvents { updateTicks() }
  }
}

// MARK: - Playback

extension Emitter {
  /// Begins the sound, or resumes a paused one.
  ///
  /// A sound that plays begins again: the earlier one ends with the reason ``EmitterEvent/Reason/stopped``, in 10 ms,
  /// unless a ``PlaybackLimit/spacing`` refuses the new one. The limits of the sound and of the buses decide first, and
  /// a voice is taken at once if one is free. A paused emitter for which the limits have no room goes on without a
  /// voice until then.
  public func play() {
    world.perform(.play(at: nil), of: key)
  }

  /// Begins the sound at a moment of the context's `AudioContext.clock`, exact to the frame where
  /// `SoundSource.play` is.
  ///
  /// A moment that has passed counts as now. A voice is reserved 200 ms before. A sound that plays ends now, not at the
  /// moment.
  public func play(at moment: Duration) {
    world.perform(.play(at: moment), of: key)
  }

  /// Fades the sound out, to its end.
  ///
  /// With ``Fade/none`` it ends at once, which clicks.
  public func stop(_ fade: Fade = .declick) {
    world.perform(.stop(fade), of: key)
    check(fade)
  }

  /// Fades the sound out, and keeps its playback position for ``play()``.
  ///
  /// A paused emitter needs no voice. One whose sound is being loaded begins with ``play()``.
  public func pause(_ fade: Fade = .declick) {
    world.perform(.pause(fade), of: key)
    check(fade)
  }

  /// Fades the ``gain`` to a new value in its range, from the gain in force.
  public func fade(to gain: Gain, _ fade: Fade) {
    guard gain.isUsable else { return reportUnusable("gain", .gain(gain)) }
    let target = Self.gainRange.nearest(to: gain)
    world.perform(.fade(target, fade), of: key)
    check("gain", gain, in: Self.gainRange)
    check(fade)
  }

  /// Plays another sound once, which follows this emitter: its position, velocity, occlusion, obstruction and bus.
  ///
  /// It plays on at the last position after the release of this emitter. The gain has the range of ``gain``.
  @discardableResult
  public func playOnce(_ sound: Sound, gain: Gain = .unity) -> Emitter {
    let follower = Emitter(once: sound, isPlaced: true, in: world, on: bus)
    follower.gain = gain
    world.perform(.follow(key), of: follower.key)
    follower.play()
    return follower
  }

  /// Whether the emitter plays, with a voice or without, or waits for its sound.
  public var isPlaying: Bool {
    read { [.playing, .loading, .stopping, .pausing].contains($0.status) }
  }

  /// Whether the emitter is paused.
  public var isPaused: Bool { read { $0.isPaused || $0.status == .pausing } }

  /// Whether the emitter plays without a voice.
  public var isVirtual: Bool { read { $0.status == .playing && $0.voice == nil } }

  /// The position in the sound, at the sound's own pitch, as computed from the frames of the mix.
  ///
  /// It is the same with a voice and without, and 0 for an emitter that does not play. The getter asks the context for
  /// the frames. The setter moves an emitter that plays or is paused, with a crossfade of a tick; any other begins
  /// there at each later ``play()``. Set it before the first ``play()`` to let copies of a loop begin at different
  /// positions. Range: 0 to the last frame of the sound, clamped; the end counts when the sound is loaded.
  public var playbackTime: Duration {
    get {
      let physics = world.context.physics
      return world.withState { state in
        state.adopt(physics)
        let record = state.playback.scene.emitters[slot]
        guard record.status != .idle, let sound = state.playback.scene.sounds[record.sound].loaded else {
          return .zero
        }
        return .seconds(record.clock.place(at: state.playback.now) / Double(max(sound.sampleRate, 1)))
      }
    }
    set {
      setNearest("playbackTime", newValue, in: Duration.zero...) { world.perform(.seek($0), of: key) }
    }
  }
}
