internal import AudioSupport
public import Spatial3D

extension SoundBank {
  /// Plays the sound of a key, in addition to the emitters of the key that already play.
  ///
  /// The world keeps the emitter until its end: the result may be ignored, also for a loop, which ``stop(_:_:)`` ends.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - position: The position, as ``Emitter/position``; `nil` plays the sound without a position.
  ///   - gain: The gain, as ``Emitter/gain``; a gain that is not usable is reported, and 1 is used.
  ///   - repeats: How often the sound repeats after it has played once, as ``Emitter/repeats``.
  ///   - bus: A bus of the bank's world; `nil` for the main bus.
  /// - Returns: The emitter, to change it.
  /// - Throws: ``GameAudioError`` with the code `unknownKey`; with `notLoaded` if samples of the key are not in memory,
  ///   and the key is not ``Loading/onDemand``.
  @discardableResult
  public func play(
    _ key: SoundKey,
    at position: SIMD3<Float>? = nil,
    gain: Gain = .unity,
    repeats: Repeats = 0,
    on bus: Bus? = nil
  ) throws(GameAudioError) -> Emitter {
    let definition = try definition(of: key)
    if definition.loading == .beforehand, !isLoaded(definition.sound) { throw .notLoaded(key) }
    let bus = world.own(bus, for: .bank)
    let emitter = Emitter(once: definition.sound, isPlaced: position != nil, in: world, on: bus)
    if let position { emitter.position = position }
    emitter.gain = gain
    emitter.repeats = repeats
    emitter.play()
    return emitter
  }

  /// Fades out all emitters of a key, to their ends.
  ///
  /// An unknown key has none.
  public func stop(_ key: SoundKey, _ fade: Fade = .declick) {
    act(on: key) { state, slot in state.apply(.stop(fade), to: state.playback.scene.emitters.id(of: slot)) }
    check(fade)
  }

  /// Lets all emitters of a key that play or are paused begin again, with a crossfade of a tick.
  public func rewind(_ key: SoundKey) {
    act(on: key) { state, slot in state.apply(.seek(.zero), to: state.playback.scene.emitters.id(of: slot)) }
  }

  /// Whether an emitter of a key plays, with a voice or without, or waits for its samples.
  public func isPlaying(_ key: SoundKey) -> Bool { playingCount(key) > 0 }

  /// The number of emitters of a key that play, with a voice or without, or wait for their samples.
  ///
  /// An emitter that fades out counts no more.
  public func playingCount(_ key: SoundKey) -> Int {
    guard let identity = identity(of: key) else { return 0 }
    return world.withState { state in
      state.playback.scene.slots(of: identity).count { state.playback.scene.emitters[$0].counts }
    }
  }

  private func identity(of key: SoundKey) -> Int? { catalog.withLock { $0.definitions[key]?.sound.identity } }

  private func act(on key: SoundKey, _ body: (inout WorldState, EmitterSlot) -> Void) {
    guard let identity = identity(of: key) else { return }
    world.act { state in
      for slot in state.playback.scene.slots(of: identity) { body(&state, slot) }
    }
  }
}
