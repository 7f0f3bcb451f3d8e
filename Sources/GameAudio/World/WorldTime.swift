internal import Spatial3D

/// The time of the mix, as a world has read it last, and the ticks.
struct WorldTime: Sendable {
  var physics: MixPhysics
  /// Whether a tick ends a mix exactly at its frame.
  let mixesByFrames: Bool
  /// Whether a sound starts at its frame from every position.
  let startsExactly: Bool
  /// The number of updates that are open, and of ticks that waited for them.
  var openUpdates = 0
  var waitedTicks = 0
  var ticks = 0
  /// The frame of the last tick.
  var lastTick = 0

  init(physics: MixPhysics, mixesByFrames: Bool, startsExactly: Bool) {
    self.physics = physics
    self.mixesByFrames = mixesByFrames
    self.startsExactly = startsExactly
  }
}
