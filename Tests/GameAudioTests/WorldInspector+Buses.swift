import Spatial3D

@testable import GameAudio

/// The tests write an index of a bus as a number.
extension BusIndex: ExpressibleByIntegerLiteral {
  /// The index of a number.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension WorldState {
  /// Changes the settings of a bus.
  mutating func changeBus(_ bus: BusIndex, _ body: (inout BusRecord) -> Void) {
    carryOut(playback.scene.mixer.change(bus) { body(&$0) })
  }

  /// Begins a fade of any value of a bus.
  mutating func beginFade(ofBus bus: BusIndex, _ value: BusFade.Value, to amount: BusFade.Amount, _ fade: Fade) {
    carryOut(playback.scene.mixer.beginFade(of: bus, value, to: amount, fade, at: playback.scene.time.mix))
  }
}
