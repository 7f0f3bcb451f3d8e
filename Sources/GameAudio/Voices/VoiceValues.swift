internal import Spatial3D

/// The properties of a source that a world sets, without references: copies are cheap.
struct VoiceValues: Sendable, Equatable {
  var position: SIMD3<Float> = .zero
  var velocity: SIMD3<Float> = .zero
  var direction: SIMD3<Float> = .zero
  var gain: Float = 1
  var pitch: Float = 1
  var radius: Float = 0
  var occlusion: Decibels = 0
  var obstruction: Decibels = 0
  var isPlaced = true
  /// The directions of a stereo sound without a position.
  var angles = StereoAngles()
  /// Whether the channels of the sound go to the channels of the output, without a position and without HRTF.
  var isDirect = false
  var filter = ToneFilter()
  var cone = Cone()
  var law = DistanceAttenuation()
  /// The numbers of the changes that the sends of the emitter and of its bus have.
  var sendsVersion = 0
  var busSendsVersion = 0
  /// The bus whose sends the emitter has; `nil` for an emitter without them.
  var sendingBus: BusIndex?

  /// The properties that can differ.
  struct Changes: OptionSet, Sendable {
    let rawValue: UInt16

    static let position = Changes(rawValue: 1 << 0)
    static let velocity = Changes(rawValue: 1 << 1)
    static let direction = Changes(rawValue: 1 << 2)
    static let gain = Changes(rawValue: 1 << 3)
    static let pitch = Changes(rawValue: 1 << 4)
    static let radius = Changes(rawValue: 1 << 5)
    /// The occlusion and the obstruction.
    static let occlusions = Changes(rawValue: 1 << 6)
    static let place = Changes(rawValue: 1 << 7)
    static let cone = Changes(rawValue: 1 << 8)
    static let law = Changes(rawValue: 1 << 9)
    static let sends = Changes(rawValue: 1 << 10)
    static let angles = Changes(rawValue: 1 << 11)
    static let filter = Changes(rawValue: 1 << 12)
    static let all = Changes(rawValue: 1 << 13 - 1)
  }

  /// The properties that differ from other values.
  func changes(from old: VoiceValues) -> Changes {
    var changes: Changes = []
    if position != old.position { changes.insert(.position) }
    if velocity != old.velocity { changes.insert(.velocity) }
    if direction != old.direction { changes.insert(.direction) }
    if gain != old.gain { changes.insert(.gain) }
    if pitch != old.pitch { changes.insert(.pitch) }
    if radius != old.radius { changes.insert(.radius) }
    if occlusion != old.occlusion || obstruction != old.obstruction { changes.insert(.occlusions) }
    if isPlaced != old.isPlaced || isDirect != old.isDirect { changes.insert(.place) }
    if cone != old.cone { changes.insert(.cone) }
    if law != old.law { changes.insert(.law) }
    if angles != old.angles { changes.insert(.angles) }
    if sendsVersion != old.sendsVersion || busSendsVersion != old.busSendsVersion || sendingBus != old.sendingBus {
      changes.insert(.sends)
    }
    if filter != old.filter { changes.insert(.filter) }
    return changes
  }

  /// Whether the filters of other values differ.
  func glides(to other: VoiceValues) -> Bool {
    occlusion != other.occlusion || obstruction != other.obstruction || filter != other.filter
  }

  /// Moves filters by at most a step, in decibels, from the filters of other values.
  ///
  /// The library changes a filter at once: a larger step is audible as a click.
  mutating func glide(from old: VoiceValues, by step: Float) {
    guard old.glides(to: self) else { return }
    func next(_ level: Decibels, _ old: Decibels) -> Decibels {
      min(max(level, old - Decibels(step)), old + Decibels(step))
    }
    occlusion = next(occlusion, old.occlusion)
    obstruction = next(obstruction, old.obstruction)
    filter = ToneFilter(low: next(filter.low, old.filter.low), high: next(filter.high, old.filter.high))
  }

  /// Applies the direction and the level of a player's pan.
  mutating func apply(_ law: PanLaw, channelCount: Int) {
    gain *= law.gain
    angles = law.angles
    if channelCount == 1 { position = law.direction }
  }
}

extension SoundSource {
  /// Sets the properties that differ, except for the sends; the gain of a source that sounds moves without a click.
  func apply(_ values: VoiceValues, _ changes: VoiceValues.Changes) {
    if changes.contains(.position) { position = values.position }
    if changes.contains(.velocity) { velocity = values.velocity }
    if changes.contains(.direction) { direction = values.direction }
    if changes.contains(.gain) { rampGain(to: values.gain) }
    if changes.contains(.pitch) { pitch = values.pitch }
    if changes.contains(.radius) { radius = values.radius }
    if changes.contains(.occlusions) { (occlusion, obstruction) = (values.occlusion, values.obstruction) }
    if changes.contains(.place) { (isListenerRelative, usesDirectChannels) = (!values.isPlaced, values.isDirect) }
    if changes.contains(.angles) { stereoAngles = values.angles }
    if changes.contains(.filter) { filter = values.filter }
    if changes.contains(.cone) { cone = values.cone }
    if changes.contains(.law) { attenuation = values.law }
  }

  /// Sets the shares that go to effects.
  func apply(_ sends: [VoiceSend]) {
    let old = effectSends
    guard old.map({ ObjectIdentifier($0.unit) }) == sends.map({ ObjectIdentifier($0.unit) }) else {
      effectSends = sends.map { EffectSend(to: $0.unit, gain: Gain($0.gain)) }
      return
    }
    for send in sends { setSendGain(Gain(send.gain), to: send.unit) }
  }
}
