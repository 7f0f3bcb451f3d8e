internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// The parts of the scene with reverbs of their own.
  ///
  /// The two zones with the largest weights at any listener sound, for the sounds of each listener as it has them
  /// alone. Zones of a lower ``ReverbZone/priority`` share the weight that the higher zones leave. Zones with an equal
  /// reverb sound as a single zone. The levels share the power: for the weights v and w, the gain of the first is
  /// √(W·v/(v+w)) with W = v + w, at most 1. A zone replaces a zone that sounds when its weight is larger by 0.1. A
  /// level moves from nothing to all in 0.34 s, and more slowly where it is low. Two zones that replace two others are
  /// there after 0.9 s. These times hold at 48,000 Hz, and with mixes of up to 1,024 frames.
  ///
  /// A zone that was left rings out for its decay time, 8 s at most, and fades out in 0.17 s then. With three units in
  /// use, a fourth zone begins 0.17 s after one of the others is left: the unit that would end first fades out. A zone
  /// that moves or changes its reverb goes on with its unit. It is recognised by its name, or without one by its shape
  /// or its index.
  ///
  /// Emitters with a position send to the zones that sound, beside the sends of the game and up to the number of sends
  /// that the output grants. An emitter inside of a zone that sounds at -12 dB feeds it at -6 dB. The emitters of buses
  /// of the kind `Bus.Kind.direct`, and emitters without a position, have no zone.
  ///
  /// The zones use up to three effects of the context. `AudioContext.reverb` is for the game's own sources: no emitter
  /// and no player feeds it, it takes sends away from the zones, and `AudioContext.onDiagnostic` reports it once. Every
  /// zone stays at its index. One with a number that is not finite or is negative, or without points, keeps the value
  /// of the zone that had its name and index, and is silent if there was none: `AudioContext.onDiagnostic` reports it
  /// once. Default: none.
  public var zones: [ReverbZone] {
    get { withState { $0.playback.scene.space.zones.zones } }
    set {
      perform(.zones(newValue))
    }
  }

  /// Makes the effect of a zone.
  func openZone(_ unit: UnitIndex) {
    guard let reverb = withState({ $0.playback.scene.space.zones.reverb(of: unit) }) else { return }
    var effect: EffectUnit?
    do {
      effect = try EffectUnit(.reverb(reverb), in: context)
    } catch {
      context.report(.zonesUnavailable("\(error)"))
    }
    let limit = context.sendLimit
    let made = effect
    let unneeded = state.withLock { $0.playback.zoneOpened(unit, made, reverb, sendLimit: limit) }
    withExtendedLifetime(unneeded) {}
  }

  /// Releases the effect of a zone that has rung out, and takes it from the sources that have played for it.
  func closeZoneUnit(_ unit: UnitIndex) {
    guard let effect = state.withLock({ $0.playback.scene.space.zones.takeEffect(of: unit) }) else { return }
    let (sources, mirrors) = (sources.withLock { Array($0.all) }, mirrors.withLock { $0.remove(effect) })
    for source in sources { for unit in [effect] + mirrors { source.endSend(to: unit) } }
  }

  /// Reports once that the context has a reverb, which no sound of the world feeds.
  func reportReverbOfContext() {
    guard withState({ !$0.playback.scene.space.zones.hasReportedReverb }), context.reverb != nil else { return }
    withState { $0.playback.scene.space.zones.setReverbReported() }
    context.report(.contextReverbUnused)
  }
}
