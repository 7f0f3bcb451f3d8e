internal import Spatial3D

/// Numbers between which the scores of the emitters of a copy lie, without a score of each.
///
/// The upper bounds are the bounds that the choice of the voices computes, in one loop over columns. An upper bound
/// counts the highest level of the emitter's sound. The lowest level of the sound gives a lower
/// bound where all other factors are exact.
struct ScoreBounds: Sendable {
  private let copy: WorldCopy
  private let bounds: [Float]
  private let loudest: Float
  /// Whether bounds are exact for sounds at their largest level: one listener, and straight paths.
  private let isExact: Bool
  private let plainBuses: [Bool]
  /// The least level of each sound that has been asked for, re its peak; 0 for a sound whose bound is not exact.
  private var floors: [Float?]

  /// A bound and a score differ by rounding errors of a few ulps: 0.01 % is more.
  static let margin: Float = 0.0001

  init(_ copy: WorldCopy) {
    self.copy = copy
    var selector = VoiceSelector()
    selector.computeBounds(
      of: copy.scene.emitters.columns,
      at: copy.scene.space.listeners,
      buses: copy.scene.mixer.buses.bounds
    )
    bounds = selector.bounds
    loudest = copy.scene.space.listeners.rendered.gain.rawValue
    isExact = copy.scene.space.listeners.countWithRemoved == 1 && copy.scene.space.portals.isEmpty
    plainBuses = copy.scene.mixer.buses.indices.map { bus in
      let totals = copy.scene.mixer.buses[bus].totals
      return totals.low == 0 && totals.high == 0 && totals.sends.isEmpty
    }
    floors = Array(repeating: nil, count: copy.scene.sounds.entries.count)
  }

  /// The number above which no score of an emitter lies.
  ///
  /// It is `nil` for an emitter that the choice does not consider, such as an emitter with a voice.
  @inline(__always)
  func upper(of slot: EmitterSlot) -> Float? {
    copy.scene.emitters.weight(of: slot) > 0 ? bounds[slot.position] * loudest * (1 + Self.margin) : nil
  }

  /// The number below which the score of an emitter without a voice does not lie.
  ///
  /// It is computed only for sounds that repeat as a whole: any other sound may end with silence.
  @inline(__always)
  mutating func lower(of slot: EmitterSlot) -> Float {
    guard isExact, !copy.scene.emitters[slot].hasRareSettings,
      plainBuses[copy.scene.emitters.bus(of: slot).position]
    else { return 0 }
    let course = copy.scene.emitters[slot].clock.course
    guard course.repetitions == nil, course.loopRange.count == course.frameCount else { return 0 }
    return bounds[slot.position] * loudest * floor(of: copy.scene.emitters[slot].sound) * (1 - Self.margin)
  }

  @inline(__always)
  private mutating func floor(of sound: SoundIndex) -> Float {
    if let known = floors[sound.position] { return known }
    let floor = copy.scene.sounds[sound].floor(in: copy.scene.time.physics.distanceModel)
    floors[sound.position] = floor
    return floor
  }
}

extension SoundEntry {
  /// The least level re the peak, where the bound of a score is the score at the peak; 0 elsewhere.
  fileprivate func floor(in model: DistanceModel) -> Float {
    guard let loaded, key.curve == nil, silentBeyond == .infinity, boundModel(in: model) == .inverseClamped,
      law.maximumDistance >= law.referenceDistance, law.referenceDistance > 0, loaded.envelope.peak > 0
    else { return 0 }
    return loaded.envelope.floor / loaded.envelope.peak
  }
}
