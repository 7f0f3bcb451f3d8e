internal import Spatial3D

// The values of emitters and voices that belong to the space.

extension VoiceValues {
  /// Moves the values from around the listener of the emitter to around the first one.
  mutating func moveToFirst(of listeners: ListenerSet, from index: ListenerIndex) {
    listeners.moveToFirst(
      from: index,
      gain: &gain,
      position: &position,
      velocity: &velocity,
      direction: &direction
    )
  }
}

extension EmitterTable {
  /// An emitter as the space reads it; `nil` for an emitter without a position.
  @inline(__always)
  func placed(_ slot: EmitterSlot) -> PlacedEmitter? {
    guard self[slot].isPlaced else { return nil }
    return PlacedEmitter(slot: slot, position: position(of: slot), listener: self[slot].listener)
  }
}

extension RareSettings {
  /// The occlusion that the game has set, plus the occlusion by the rays.
  @inline(__always)
  var wholeOcclusion: Decibels { max(occlusion + Decibels(rays.occlusion), -100) }
  @inline(__always)
  var wholeObstruction: Decibels { max(obstruction + Decibels(rays.obstruction), -100) }

  /// The occlusion and obstruction by the game, the rays and a path; without the rays behind a wall.
  @inline(__always)
  func occlusion(on path: SoundPath?) -> (occlusion: Decibels, obstruction: Decibels) {
    let isBehindWall = path?.course == .wall
    let whole = Decibels(path?.occlusion ?? 0) + (isBehindWall ? occlusion : wholeOcclusion)
    return (max(whole, -100), max(isBehindWall ? obstruction : wholeObstruction, -100))
  }
}
