internal import Spatial3D

/// The samples of a sound in one form.
struct LoadKey: Hashable, Sendable {
  var content: Int
  var isPlaced: Bool
  let loopRange: Range<Int>?
  /// The stem whose sources play the samples.
  var stem = StemIndex.main

  /// The key of another content in the same form.
  func with(content: Int) -> LoadKey {
    var key = self
    key.content = content
    return key
  }

  /// The key of the same content for emitters without a position, or with one.
  var otherForm: LoadKey {
    var key = self
    key.isPlaced.toggle()
    return key
  }
}

extension SoundTable {
  /// The entry of an emitter's sound, and the family of a sound with variations.
  struct Use: Sendable {
    var index: SoundIndex
    var family: FamilyIndex?
  }

  /// The work of loading a sound.
  struct Job: Sendable {
    let content: SoundContent
    let key: LoadKey
    /// Whether samples in memory get the rate of the mix.
    let convertsRate: Bool
    /// The samples of another stem, which are copied; `nil` to load them.
    var original: LoadedSound?
    /// The samples that are made anew; `nil` for samples that nobody has loaded.
    var renewed: LoadedSound?
  }
}

/// The factors of a sound in the largest score of its emitters.
struct SoundPeak: Sendable {
  /// The largest gain of its curve, and of its envelope.
  let curve: Float
  let envelope: Float
  /// Whether its law of distance has a largest gain.
  let isBounded: Bool
}

/// One use of the samples of a sound: the samples, and the settings with which emitters play them.
struct SoundEntry: Sendable {
  /// Whether a sound can be played.
  enum State: Sendable {
    case loading, ready, failed
    /// A bank has released the samples: the next play loads them.
    case released
  }

  /// The properties by which two uses differ.
  struct Key: Hashable, Sendable {
    var load: LoadKey
    let identity: Int
    let law: DistanceAttenuation
    let curve: RolloffCurve?
    let silentBeyond: Float?
    let limit: PlaybackLimit?
    let loudnessOfMany: Sound.LoudnessOfMany
    let runsWhileLoading: Bool

    init(_ sound: Sound, _ load: LoadKey) {
      self.load = load
      identity = sound.identity
      law = sound.attenuation.usable
      curve = sound.rolloffCurve
      silentBeyond = sound.silentBeyond.flatMap { $0 > 0 ? $0 : nil }
      limit = sound.limit
      loudnessOfMany = sound.loudnessOfMany
      runsWhileLoading = sound.runsWhileLoading
    }

    /// The key of the timeline of a player: limits and attenuation are for emitters.
    fileprivate init(timeline identity: Int) {
      load = LoadKey(content: identity, isPlaced: false, loopRange: nil)
      self.identity = identity
      (law, curve, silentBeyond, limit) = (DistanceAttenuation(), nil, nil, nil)
      (loudnessOfMany, runsWhileLoading) = (.added, false)
    }
  }

  private(set) var key: Key
  /// The content, for as long as an emitter has the sound.
  var content: SoundContent?
  /// The bank of the content.
  let bank: Int?
  /// Whether the content still exists.
  ///
  /// A weak reference to it could release it under the world's lock.
  private(set) var life: SoundContent.Life
  var users = 0
  var state: State
  var loaded: LoadedSound?
  /// The entry of the same sound with newer samples, for the next play or the next lap.
  var successor: SoundIndex?
  /// Whether its key was left to another entry.
  private(set) var isRetired = false
  /// The law of the sources.
  let law: DistanceAttenuation
  /// The law for the bounds of scores, re the ``peak``.
  let bound: DistanceAttenuation
  /// The largest gain of the curve.
  let peak: Float
  let silentBeyond: Float
  /// Whether it is the timeline of a player, which no other entry shares.
  let isTimeline: Bool

  init(_ key: Key, _ content: SoundContent, _ state: State, _ loaded: LoadedSound?) {
    self.key = key
    self.content = content
    (life, bank) = (content.life, content.bank)
    (self.state, self.loaded) = (state, loaded)
    law = key.curve == nil ? key.law : DistanceAttenuation(rolloffFactor: 0)
    bound = key.curve?.bound ?? key.law
    peak = key.curve?.peak ?? 1
    silentBeyond = key.silentBeyond ?? .infinity
    isTimeline = false
  }

  /// The entry of the timeline of a player, which has loaded it.
  init(timeline: LoadedSound) {
    key = Key(timeline: SoundContent.nextIdentity())
    (content, bank, life) = (nil, nil, .endless)
    (users, state, loaded) = (1, .ready, timeline)
    (law, bound, peak, silentBeyond) = (key.law, key.law, 1, .infinity)
    isTimeline = true
  }

  /// Leaves the key to another entry: no sound has the new key, and a purge removes the entry without users.
  mutating func retire() {
    let load = key.load
    key.load = load.with(content: SoundContent.nextIdentity())
    (life, isRetired) = (.over, true)
  }

  var loadKey: LoadKey { key.load }
  /// The number that the copies of the sound share.
  var identity: Int { key.identity }
  var limit: PlaybackLimit? { key.limit }
  var isCompensated: Bool { key.loudnessOfMany == .compensated }
  var isPlaced: Bool { key.load.isPlaced }
  var runsWhileLoading: Bool { key.runsWhileLoading }

  /// The content that the report of a failure names; `nil` for an entry that no emitter uses.
  var reportedContent: SoundContent? {
    isTimeline ? SoundContent(name: "A sound in memory", source: .nothing, identity: key.load.content) : content
  }

  /// The factors of the largest score, where the context has a model; `nil` until the samples are loaded.
  func peak(in contextModel: DistanceModel) -> SoundPeak? {
    guard let loaded else { return nil }
    return SoundPeak(
      curve: peak,
      envelope: loaded.envelope.peak,
      isBounded: boundModel(in: contextModel).isBounded
    )
  }

  /// The gain at a distance in metres.
  func attenuation(at distance: Float, model: DistanceModel) -> Float {
    key.curve?.level(at: distance).factor ?? law.gain(at: distance, model: model).rawValue
  }

  /// The gain at a distance that the source does not have from its law.
  func curveGain(at distance: Float) -> Float { key.curve?.level(at: distance).factor ?? 1 }

  /// The model of the bounds, where the context has a model.
  func boundModel(in contextModel: DistanceModel) -> DistanceModel {
    key.curve == nil ? law.model ?? contextModel : .inverseClamped
  }
}
