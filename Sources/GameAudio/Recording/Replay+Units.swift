internal import AudioSupport
internal import Spatial3D

// The effects of a recording, in the context of its replay.
//
// The library mixes effects in the order in which they were made, and an effect has a state from its beginning on, such
// as the phase of a modulation. A replay makes each effect at its frame, and before the calls that came after it: the
// world makes the effects of zones itself, in ticks and calls.

extension Replay {
  /// The unit that stands for a unit of the recording; `nil` where the context has no room for it.
  @discardableResult
  func makeUnit(for unit: EffectUnit) -> EffectUnit? {
    if let known = objects.withLock({ $0.units[ObjectIdentifier(unit)] }) { return known }
    guard let context = world.object?.context else { return nil }
    do throws(AudioError) {
      let made = try EffectUnit(unit.effect, gain: unit.gain, in: context)
      objects.withLock { $0.units[ObjectIdentifier(unit)] = made }
      return made
    } catch {
      return nil
    }
  }

  /// Makes the effects that the recording began with, and lists those that were made later.
  func makeUnits(for steps: [BeginningStep], of recording: WorldRecording) {
    var units: [(number: Int, make: () -> Void)] = []
    var later: [EffectUnit] = []
    for unit in steps.flatMap(\.units) {
      if unit.number > recording.conditions.lastEffect {
        later.append(unit)
      } else {
        units.append((unit.number, { self.makeUnit(for: unit) }))
      }
    }
    for case .space(let record) in steps {
      for unit in record.units { units.append((unit.number, { self.makeUnit(of: unit) })) }
    }
    for unit in units.sorted(by: { $0.number < $1.number }) { unit.make() }
    objects.withLock { $0.laterUnits = later.sorted { $0.number > $1.number } }
  }

  private func makeUnit(of zone: SpaceRecord.Unit) {
    guard let context = world.object?.context else { return }
    do throws(AudioError) {
      let made = try EffectUnit(zone.effect, gain: zone.gain, in: context)
      objects.withLock { $0.zoneUnits[zone.index] = made }
    } catch {
      context.report(.zonesUnavailable("\(error)"))
    }
  }

  /// The frame of the mix at which the next effect is made; `nil` if none is left.
  var nextUnitFrame: Int? { objects.withLock { $0.laterUnits.last?.firstFrame }.map { frame(for: $0) } }

  /// Makes the effects of the game up to a number of the recording.
  func makeUnits(upTo number: Int) { makeUnits { $0.number <= number } }

  /// Makes the effects of the game that are due at a frame of the mix.
  func makeUnits(dueAt frame: Int) { makeUnits { self.frame(for: $0.firstFrame) <= frame } }

  private func makeUnits(where isDue: (EffectUnit) -> Bool) {
    while let unit = objects.withLock({ $0.laterUnits.last }), isDue(unit) {
      makeUnit(for: unit)
      _ = objects.withLock { $0.laterUnits.removeLast() }
    }
  }
}

extension WorldCall {
  /// The effect units of the game that the call names.
  var units: [EffectUnit] {
    switch self {
    case .emitter(_, .send(let effect, _, _)), .bus(_, .send(let effect, _, _)): [effect.unit]
    default: []
    }
  }
}

extension BeginningStep {
  /// The effect units of the game that the step names.
  var units: [EffectUnit] {
    switch self {
    case .call(let call): call.units
    case .settings(_, let settings): settings.rare.sends.map(\.unit)
    case .settingsOfBus(_, let record): record.sends.map(\.unit)
    case .space, .duckers, .fades, .playback, .rays, .random: []
    }
  }
}
