internal import Spatial3D

// The zones, with the commands for their units.

extension SpaceState {
  /// Replaces the zones, and appends the commands for units with another reverb; returns the faults of the zones.
  mutating func setZones(_ new: [ReverbZone], _ commands: inout [VoiceCommand]) -> [Diagnostic] {
    let change = setZones(new)
    for unit in 0..<ZonePool.capacity {
      if let reverb = change.reverbs[unit], let effect = zones.effects[unit] {
        commands.append(.setUnitReverb(effect, reverb))
      }
    }
    return change.diagnostics
  }

  /// Moves the levels of the zones towards their values at the positions of the listeners, by some ticks.
  mutating func stepZones(at time: MixTime, ticks: Float, isSilent: Bool, _ commands: inout [VoiceCommand]) {
    let actions = zones.step(
      at: listeners,
      frame: time.frame,
      sampleRate: time.rate,
      ticks: ticks,
      isSilent: isSilent
    )
    for action in actions {
      switch action {
      case .open(let unit, _): commands.append(.openZone(UnitIndex(unit)))
      case .setGain(let unit, let gain):
        if let effect = zones.effects[unit] { commands.append(.setUnitGain(effect, gain)) }
      case .release(let unit): commands.append(.closeZone(UnitIndex(unit)))
      }
    }
  }
}
