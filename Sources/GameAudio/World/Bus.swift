public import Spatial3D

/// A group of sounds with a gain, a filter, a limit and effects of its own.
///
/// Each bus but the main bus is inside another bus. A value is a reference to the bus: two values of one bus are equal.
///
/// The values of a bus and of the buses above it multiply, and filters add up in decibels. A bus computes: it has no
/// samples of its own, and its settings apply to the sources that play its sounds.
///
/// A value out of the range of a property becomes the nearest value in the range. A value that is not finite leaves the
/// property unchanged. `AudioContext.onDiagnostic` reports each of the two once for each property of a bus.
///
/// A bus belongs to one world. A call of another world leaves it out, and `AudioContext.onDiagnostic` reports that once
/// for each bus and call.
///
/// ```swift
/// let mixer = world.mixer
/// let music = mixer.makeBus("music", kind: .direct)
/// let sfx = mixer.makeBus("sfx")
/// let steps = mixer.makeBus("steps", in: sfx)
/// let speech = mixer.makeBus("speech")
/// world.playOnce(sound, at: [2, 0, -1], on: steps)
/// ```
///
/// FMOD: `ChannelGroup`, `Bus`. Wwise: audio bus. Unity: `AudioMixerGroup`. AVFAudio: `AVAudioMixerNode`.
public struct Bus: Sendable {
  /// The rendering of the sounds of a bus.
  public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
    /// At their positions: by distance, by direction, and by HRTF where the output has it.
    case spatial
    /// Without a position: each channel goes to its own loudspeaker, without HRTF, and mono is in the middle.
    ///
    /// A sound with a channel that the output has no loudspeaker for, such as stereo on a mono output or 5.1 on stereo,
    /// is around the listener as on a ``spatial`` bus. All channels are then audible, apart from the low-frequency one.
    /// The rule follows each change of the output.
    ///
    /// In the middle of two loudspeakers, mono has constant power: each plays 0.707 of the sound, 3 dB less. The same
    /// holds for an emitter without a position on a spatial bus, and for a ``SoundPlayer``.
    ///
    /// An output whose layout the library does not report counts as a pair of loudspeakers for both rules: see
    /// `OutputConfiguration.layout`.
    ///
    /// A ``SoundPlayer`` with a ``SoundPlayer/pan`` has directions, and HRTF where the output has it.
    case direct
  }

  /// The world of the bus.
  public let world: AudioWorld
  let index: BusIndex

  init(_ index: BusIndex, in world: AudioWorld) { (self.index, self.world) = (index, world) }

  /// The name of the bus; the root has the name `main`.
  public var name: BusName { BusName(read { $0.name }) }

  /// The bus that contains this bus; `nil` for the root.
  public var parent: Bus? { read { $0.parent }.map { Bus($0, in: world) } }

  /// The rendering of the emitters on the bus; a bus inside it has a rendering of its own.
  public var kind: Kind { read { $0.isDirect } ? .direct : .spatial }

  /// Reads a value of the bus.
  func read<Value: Sendable>(_ body: (BusRecord) -> Value) -> Value {
    world.withState { body($0.playback.scene.mixer.buses[index]) }
  }
}

extension Bus: Hashable {
  /// Whether two references name one bus.
  public static func == (left: Bus, right: Bus) -> Bool { left.world === right.world && left.index == right.index }

  /// Hashes the identity of the bus.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(world))
    hasher.combine(index)
  }
}

extension Bus: CustomStringConvertible {
  /// The ``name``.
  public var description: String { name.name }
}

// MARK: - Levels

extension Bus {
  /// The ranges of the gain and the pitch.
  @inline(__always)
  static var gainRange: ClosedRange<Gain> { BusRecord.gainRange }
  @inline(__always)
  static var pitchRange: ClosedRange<Float> { BusRecord.pitchRange }

  /// The gain of the bus.
  ///
  /// Range: 0 (silence) to 12 dB, clamped. Default: 1. A gain that is negative or not finite leaves it unchanged. A new
  /// value ends a fade.
  public var gain: Gain {
    get { Gain(read { $0.gain }) }
    nonmutating set {
      setNearest("gain", newValue, in: Self.gainRange) { world.perform(.gain($0), ofBus: index) }
    }
  }

  /// Fades the ``gain`` to a new value in its range, from the gain in force.
  public func fade(to gain: Gain, _ fade: Fade) {
    guard gain.isUsable else { return reportUnusable("gain", .gain(gain)) }
    let target = Self.gainRange.nearest(to: gain)
    world.perform(.fade(target, fade), ofBus: index)
    check("gain", gain, in: Self.gainRange)
    check(fade)
  }

  /// The factor of the pitch of all sounds of the bus.
  ///
  /// Range: 0.25 to 4, clamped. Default: 1. A value that is not finite leaves it unchanged. A new value ends a fade.
  public var pitch: Float {
    get { read { $0.pitch } }
    nonmutating set {
      setNearest("pitch", newValue, in: Self.pitchRange) { world.perform(.pitch($0), ofBus: index) }
    }
  }

  /// The levels of the low and the high frequencies of all sounds of the bus.
  ///
  /// Range: -60 to 0 dB each, clamped; silence is -60 dB, and the sum of a path ends at -60 dB. Default: 0. A level
  /// that is NaN leaves both unchanged. A filter makes each voice of the bus several times as expensive to mix. The
  /// voices follow a change by half a decibel a tick, and up to OpenAL Soft 1.24 by a quarter of a decibel: those
  /// versions change a filter at once, and a larger step would click. A new value ends a fade.
  public var filter: ToneFilter {
    get { read { $0.filter } }
    nonmutating set {
      guard let filter = newValue.busFilter else { return reportUnusable("filter", .filter(newValue)) }
      world.perform(.filter(filter), ofBus: index)
      if filter != newValue { report(newValue.busClamps) }
    }
  }

  /// Whether the bus is silent; its sounds go on without a voice.
  ///
  /// Default: `false`. A change fades over a tick.
  public var isMuted: Bool {
    get { read { $0.isMuted } }
    nonmutating set { world.perform(.mute(newValue), ofBus: index) }
  }

  /// Whether only this bus, the buses inside it, and other soloed buses sound.
  ///
  /// Default: `false`. A muted bus stays silent. A change fades over a tick.
  public var isSoloed: Bool {
    get { read { $0.isSoloed } }
    nonmutating set { world.perform(.solo(newValue), ofBus: index) }
  }

  /// The predicted level of the bus and of those inside it, at the listener.
  ///
  /// In decibels re full scale, at least -160. It is the sum of the powers of all emitters and players with a voice. A
  /// power follows from the level of the sound at its present playback position, and from the gains in force. The level
  /// is a prediction, as the mixer returns no samples of a bus. An emitter that streams counts as a sine at full scale.
  /// Sounds that are alike, and rooms, make a difference; `Docs/Measurements.md` has its size.
  public var level: Decibels {
    let physics = world.context.physics
    return world.withState { state in
      state.adopt(physics)
      return state.playback.voices.level(ofBus: index, in: state.playback.scene)
    }
  }

  /// The largest number of emitters that play on the bus and on those inside it; `nil`, the default, for none.
  ///
  /// Range: the ranges of ``PlaybackLimit``, clamped.
  public var limit: PlaybackLimit? {
    get { read { $0.limit } }
    nonmutating set {
      let limit = newValue?.clamped
      world.perform(.limit(limit), ofBus: index)
      if let newValue, newValue != limit { report(newValue.clamps) }
    }
  }
}

// MARK: - Pauses, effects and duckers

extension Bus {
  /// Whether the bus is paused, by itself or by a bus above it; also during the fade of the pause.
  public var isPaused: Bool {
    world.withState { state in
      state.playback.scene.mixer.buses.path(from: index).contains { state.playback.scene.mixer.buses[$0].pauses > 0 }
    }
  }

  /// Fades all sounds of the bus out, and stops their time.
  ///
  /// Each call needs its own ``resume(_:)``, so that a menu and a cut scene can pause independently. Sounds that begin
  /// meanwhile wait. A paused sound needs no voice, and goes on exactly where it was.
  public func pause(_ fade: Fade = .declick) {
    world.perform(.pause(fade), ofBus: index)
    check(fade)
  }

  /// Takes a ``pause(_:)`` back; the last one lets the sounds go on with a fade.
  ///
  /// It has no effect on a bus that is not paused.
  public func resume(_ fade: Fade = .declick) {
    world.perform(.resume(fade), ofBus: index)
    check(fade)
  }

  /// Sends a share of all sounds of the bus to an effect; `nil` ends that.
  ///
  /// Range of the gain: 0 to 1, clamped. The share is a share of the level that a sound has behind all of its gains.
  /// The strongest of several buses' sends to one effect counts, and ``Emitter/send(to:gain:_:)`` to that effect
  /// replaces them. An output grants a source a number of sends, two by default: the strongest sends count. An effect
  /// of another context is reported to `AudioContext.onDiagnostic`, and has no effect.
  public func send(to unit: EffectUnit, gain: Gain?, _ fade: Fade = .none) {
    if let gain, !gain.isUsable { return reportUnusable("send gain", .gain(gain)) }
    guard unit.context === world.context else {
      return reportForeignEffect()
    }
    let used = gain.map { VoiceSend.gainRange.nearest(to: $0) }
    world.perform(.send(CallEffect(unit), used, fade), ofBus: index)
    if let gain { check("send gain", gain, in: VoiceSend.gainRange) }
    check(fade)
  }

  /// Lowers this bus while sounds of another bus play; `nil` ends that with the release.
  ///
  /// The decibels of several duckers add up, to -96 at most. A later call for the same two buses changes the settings.
  /// A bus cannot duck under itself, under a bus above or inside it, under a bus that it lowers itself, or under a bus
  /// of another world: the call has no effect then, and `AudioContext.onDiagnostic` reports that. A number out of the
  /// ranges of ``Ducking`` is reported once for each property of a bus.
  public func duck(under other: Bus, _ ducking: Ducking?) {
    guard world.owns(other, for: .duck) else { return }
    let isAccepted = world.duck(index, under: other.index, ducking)
    if let ducking { report(ducking.faults) }
    if !isAccepted { world.context.report(.duckingCycle(name.name, under: other.name.name)) }
  }
}
