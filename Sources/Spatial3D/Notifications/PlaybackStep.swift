extension Scene {
  /// How many frames of a sound the mixer takes for one of the mix: pitch, rates and the Doppler effect together.
  func step(of key: SourceKey, soundRate: Int, mixRate: Int, isPlaced: Bool, limit: Double) -> Double {
    guard soundRate > 0, mixRate > 0 else { return 0 }
    return read(key) { values in
      let shift = isPlaced ? dopplerShift(of: values) : 1
      return min(Double(values.pitch) * shift * Double(soundRate) / Double(mixRate), limit)
    }
  }

  /// The factor of a source's frequency, by OpenAL 1.1's formula.
  func dopplerShift(of values: SourceValues) -> Double {
    let factor = dopplerFactor * values.dopplerFactor
    guard factor > 0 else { return 1 }
    // What is relative to the listener moves with it.
    let way = values.isListenerRelative ? -values.position : listener.position - values.position
    let distance = (way * way).sum().squareRoot()
    guard distance > 0 else { return 1 }
    let direction = way / distance
    let ofSource = (values.velocity * direction).sum() * factor
    let ofListener = values.isListenerRelative ? 0 : (listener.velocity * direction).sum() * factor
    guard ofListener < speedOfSound else { return 0 }
    guard ofSource < speedOfSound else { return .infinity }
    return Double(speedOfSound - ofListener) / Double(speedOfSound - ofSource)
  }
}
