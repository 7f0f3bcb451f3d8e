extension Scene {
  /// The number of frames of a sound that the mixer takes for one of the mix, by pitch, rates and the Doppler effect.
  func step(of values: SourceValues, soundRate: Int, mixRate: Int, isPlaced: Bool, by mixStep: MixStep) -> Double {
    let shift = isPlaced ? dopplerShift(of: values) : 1
    return mixStep.frames(pitch: values.pitch * Float(shift), soundRate: soundRate, mixRate: mixRate)
  }

  /// The factor of a source's frequency, by OpenAL 1.1's formula.
  func dopplerShift(of values: SourceValues) -> Double {
    let factor = libraryDopplerFactor * values.dopplerFactor
    guard factor > 0 else { return 1 }
    // A source relative to the listener moves with it, on top of its own velocity. Both are in the head's coordinates.
    let isRelative = values.isListenerRelative
    let way = isRelative ? -values.position : listener.position - values.position
    let distance = (way * way).sum().squareRoot()
    guard distance > 0 else { return 1 }
    let direction = way / distance
    let moving = isRelative ? listener.velocity.seen(by: listener.orientation) : listener.velocity
    let ofListener = (moving * direction).sum() * factor
    let ofSource = (values.velocity * direction).sum() * factor + (isRelative ? ofListener : 0)
    guard ofListener < Self.librarySpeedOfSound else { return 0 }
    guard ofSource < Self.librarySpeedOfSound else { return .infinity }
    return Double(Self.librarySpeedOfSound - ofListener) / Double(Self.librarySpeedOfSound - ofSource)
  }
}

extension SIMD3<Float> {
  /// Converts a direction of the scene to a listener's own coordinates.
  fileprivate func seen(by head: Orientation) -> SIMD3<Float> {
    [(self * head.right).sum(), (self * head.up).sum(), -(self * head.forward).sum()]
  }
}
