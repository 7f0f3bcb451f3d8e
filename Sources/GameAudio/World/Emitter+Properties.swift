public import Spatial3D

extension Emitter {
  /// The position, in metres.
  ///
  /// Range: components of -10⁹ to 10⁹, clamped. An emitter that ``AudioWorld/playOnce(_:at:gain:on:)`` has made without
  /// a position stays unplaced. Default: the origin.
  public var position: SIMD3<Float> {
    get { world.withState { $0.playback.scene.emitters.position(of: slot) } }
    set {
      guard let place = newValue.usable else {
        return reportUnusablePosition(newValue)
      }
      world.perform(.position(place), of: key)
      if place != newValue { reportClamped("position", newValue, used: place) }
    }
  }

  /// The velocity, in metres a second, for the Doppler effect.
  ///
  /// Range: components of -10⁹ to 10⁹, clamped. Default: zero.
  public var velocity: SIMD3<Float> {
    get { read { $0.velocity } }
    set {
      guard let velocity = newValue.usable else { return reportUnusable("velocity", .vector(newValue)) }
      world.perform(.velocity(velocity), of: key)
      if velocity != newValue { reportClamped("velocity", newValue, used: velocity) }
    }
  }

  /// Whether the velocity comes from the changes of the position, in the time of the mix.
  ///
  /// It is smoothed over 100 ms. A change of the position at more than 150 m/s is a teleport, and leaves the velocity
  /// unchanged. Default: `false`.
  public var derivesVelocity: Bool {
    get { world.withState { $0.playback.scene.emitters.derivesVelocity(of: slot) } }
    set { world.perform(.derivesVelocity(newValue), of: key) }
  }

  /// The gain of the emitter.
  ///
  /// Range: 0 (silence) to 24 dB, clamped. Default: 1. A gain that is negative or not finite leaves it unchanged. A new
  /// value ends a fade. The gains of an emitter, of its sound and of its buses together end at 24 dB.
  public var gain: Gain {
    get { Gain(read { $0.gain }) }
    set {
      setNearest("gain", newValue, in: Self.gainRange) { world.perform(.gain($0), of: key) }
    }
  }

  /// The factor of the frequency.
  ///
  /// Range: 0.01 to 100, clamped. Default: 1. The mixer takes at most 10 frames of the sound for one of the mix. The
  /// pitches of an emitter, of its sound and of its buses together end at 0.001.
  public var pitch: Float {
    get { read { $0.pitch } }
    set {
      setNearest("pitch", newValue, in: Self.pitchRange) { world.perform(.pitch($0), of: key) }
    }
  }

  /// The importance in the choice of the voices.
  ///
  /// Range: 0 to 100, clamped by ``Priority``. Default: ``Priority/normal``.
  public var priority: Priority {
    get { read { $0.priority } }
    set { world.perform(.priority(newValue), of: key) }
  }

  /// How often the sound repeats after it has played once.
  ///
  /// Range: 0 to 2³¹ - 1 times, clamped, or forever. Default: not at all.
  ///
  /// A change while it plays counts the laps that are over: `.times(0)` ends a loop with its present lap.
  public var repeats: Repeats {
    get { read { $0.clock.course.repeats } }
    set {
      let repeats = newValue.mapTimes { Self.repeatsRange.nearest(to: $0) }
      world.perform(.repeats(repeats), of: key)
      if case .times(let count) = newValue { check("repeats", count, in: Self.repeatsRange) }
    }
  }

  /// The position in the sound at which the emitter returns to a voice.
  ///
  /// Default: ``VirtualBehavior/elapsedTime``.
  public var virtualBehavior: VirtualBehavior {
    get { read { $0.behavior } }
    set { world.perform(.behavior(newValue), of: key) }
  }

  /// The direction that the emitter faces, for its ``cone``; zero, the default, for none.
  ///
  /// Range: components of -10⁹ to 10⁹. A longer vector is shortened.
  public var direction: SIMD3<Float> {
    get { world.withState { $0.playback.scene.emitters[rare: slot].direction } }
    set {
      guard newValue.isFinite else { return reportUnusable("direction", .vector(newValue)) }
      let direction = newValue.clamped
      world.perform(.direction(direction), of: key)
      if direction != newValue { report(ValueFault("direction", newValue, used: direction)) }
    }
  }

  /// The dependence of the loudness on the side that faces the listener.
  ///
  /// Range: the ranges of `Cone`, clamped. Default: none.
  public var cone: Cone {
    get { world.withState { $0.playback.scene.emitters[rare: slot].cone } }
    set {
      guard newValue.isFinite else {
        let part = UnusablePart(of: newValue, named: "cone")
        return reportUnusable(part.name, .words(part.value))
      }
      let cone = newValue.clamped
      world.perform(.cone(cone), of: key)
      if cone != newValue { report(newValue.clamps) }
    }
  }

  /// The radius, in metres, of a sound that comes from a whole sphere.
  ///
  /// Range: 0 to 10⁹, clamped. Default: 0.
  public var radius: Float {
    get { world.withState { $0.playback.scene.emitters[rare: slot].radius } }
    set {
      setNearest("radius", newValue, in: Self.radiusRange) { world.perform(.radius($0), of: key) }
    }
  }

  /// The attenuation of all paths at 5 kHz, by a wall between the rooms.
  ///
  /// Range: -100 to 0 dB, clamped; silence is -100 dB. Default: 0. A voice follows a change like a change of
  /// ``Bus/filter``, without a click. The occlusions by the emitter, its path and the rays together end at -100 dB.
  public var occlusion: Decibels {
    get { world.withState { $0.playback.scene.emitters[rare: slot].occlusion } }
    set {
      setNearest("occlusion", newValue, in: OcclusionResult.range) { world.perform(.occlusion($0), of: key) }
    }
  }

  /// The attenuation of the direct path at 5 kHz, by a thing in the same room.
  ///
  /// Range: -100 to 0 dB, clamped; silence is -100 dB. Default: 0.
  public var obstruction: Decibels {
    get { world.withState { $0.playback.scene.emitters[rare: slot].obstruction } }
    set {
      setNearest("obstruction", newValue, in: OcclusionResult.range) { world.perform(.obstruction($0), of: key) }
    }
  }

  /// The bus of the emitter; a bus of another world leaves it unchanged, and is reported once.
  ///
  /// The settings of the emitter move with it: those that a bus does not use, such as the position on a bus of the kind
  /// `Bus.Kind.direct`, are kept. A sound that plays moves without a break. A stereo sound changes between stereo and
  /// mono with the next ``play()``. The same holds for a stream of several channels that moves to a bus of another
  /// kind.
  public var bus: Bus {
    get { world.bus(world.withState { $0.playback.scene.emitters.bus(of: slot) }) }
    set {
      guard world.owns(newValue, for: .busOfEmitter) else { return }
      world.perform(.bus(newValue.index), of: key)
    }
  }

  /// Sends a share of the sound to an effect; `nil` ends that.
  ///
  /// Range of the gain: 0 to 1, clamped. A share replaces the share that a bus of the emitter sends to the effect,
  /// until it ends. A unit of another context, and one beyond the number that the output grants a source, is reported
  /// to `AudioContext.onDiagnostic` and left out.
  public func send(to unit: EffectUnit, gain: Gain?, _ fade: Fade = .none) {
    if let gain, !gain.isUsable { return reportUnusable("send gain", .gain(gain)) }
    guard unit.context === world.context else {
      return reportForeignEffect()
    }
    let share = gain.map { VoiceSend.gainRange.nearest(to: $0) }
    world.perform(.send(CallEffect(unit), share, fade), of: key)
    if let gain { check("send gain", gain, in: VoiceSend.gainRange) }
    check(fade)
  }
}

extension Emitter {
  @inline(never)
  private func reportUnusablePosition(_ vector: SIMD3<Float>) {
    reportUnusable("position", .vector(vector), .keeps(.vector(position)))
  }

  @inline(never)
  private func reportClamped(_ property: String, _ vector: SIMD3<Float>, used: SIMD3<Float>) {
    report(ValueFault(property, vector, used: used))
  }

  /// The ranges of the properties; the gain ends at the mixer's own limit, 24 dB.
  // A constant of the compiler: each setter would ask whether a computed constant has its value yet.
  @inline(__always)
  static var gainRange: ClosedRange<Gain> { Gain(0)...Gain(15.848933) }
  // Chosen: beyond the use of any sound. The product with the pitches of the buses has the limits of a source.
  @inline(__always)
  private static var pitchRange: ClosedRange<Float> { 0.01...100 }
  // The range of `SoundSource.radius`.
  private static let radiusRange: ClosedRange<Float> = 0...1e9
  private static let repeatsRange = 0...LogicalClock.Course.mostRepetitions
}

extension SIMD3<Float> {
  /// Whether a source takes the vector as it is: Spatial3D clamps each component to 10⁹ m.
  @inline(__always)
  var isInRange: Bool {
    // The sum of most vectors is in the range, too: one comparison is enough, which is false for NaN.
    abs(x) + abs(y) + abs(z) <= 1e9 || isEachInRange
  }

  @inline(never)
  private var isEachInRange: Bool { abs(x) <= 1e9 && abs(y) <= 1e9 && abs(z) <= 1e9 }

  /// The nearest vector that a source takes; `nil` for a vector that is not finite.
  @inline(__always)
  var usable: SIMD3<Float>? { isInRange ? self : nearestInRange }

  @inline(never)
  private var nearestInRange: SIMD3<Float>? {
    isFinite ? clamped(lowerBound: .init(repeating: -1e9), upperBound: .init(repeating: 1e9)) : nil
  }
}

extension Cone {
  /// The numbers outside of their ranges.
  fileprivate var clamps: [ValueFault] {
    var clamps: [ValueFault] = []
    clamps.add(ValueFault("cone.innerAngle", innerAngle, in: 0...360))
    clamps.add(ValueFault("cone.outerAngle", outerAngle, in: 0...360))
    clamps.add(ValueFault("cone.outerGain", outerGain, in: Gain.silence...Gain.unity))
    clamps.add(ValueFault("cone.outerHighFrequencyGain", outerHighFrequencyGain, in: Gain.silence...Gain.unity))
    return clamps
  }
}
