internal import Spatial3D

/// The stem of a bus: its part of the mix, and the strip that processes it.
final class BusStem: Sendable {
  /// The frames of the sounds of the bus.
  let mix: MixStem
  let strip: BusStrip

  init(_ mix: MixStem, _ strip: BusStrip) { (self.mix, self.strip) = (mix, strip) }

  /// Whether the stem adds nothing to a sum: nothing plays in it, and its strip is idle.
  var isIdle: Bool { mix.isResting && strip.isIdle }
}
