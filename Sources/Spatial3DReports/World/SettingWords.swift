internal import GameAudio

// The settings that are no default, in words.

extension WorldSnapshot.Emitter {
  /// The settings of the emitter, such as `gain −6.0 dB, occlusion −18.0 dB`; empty for the defaults.
  var settingWords: String {
    var words: [String] = []
    if gain != .unity { words.append("gain \(gain.decibels.words)") }
    if let pitch { words.append("pitch \(Double(pitch).text(decimals: 2))") }
    if let priority { words.append("priority \(priority)") }
    if let occlusion { words.append("occlusion \(occlusion.words)") }
    if let obstruction { words.append("obstruction \(obstruction.words)") }
    if let occlusion = rays?.occlusion { words.append("rays \(occlusion.words)") }
    if let obstruction = rays?.obstruction { words.append("rays to the direct path \(obstruction.words)") }
    if let muffling = path?.muffling { words.append("muffled by its way \(muffling.words)") }
    if let length = path?.length { words.append("way of \(Double(length).text(decimals: 1)) m") }
    return words.joined(separator: ", ")
  }
}

extension WorldSnapshot.Player {
  /// The settings of the player; empty for the defaults.
  var settingWords: String {
    var words: [String] = []
    if volume != .unity { words.append("volume \(volume.decibels.words)") }
    if let pan { words.append("pan \(Double(pan).text(decimals: 2))") }
    if let pitch { words.append("pitch \(Double(pitch).text(decimals: 2))") }
    return words.joined(separator: ", ")
  }
}

extension WorldSnapshot.Bus {
  /// The settings and the state of the bus; empty for the defaults.
  var settingWords: String {
    var words: [String] = []
    if gain != .unity { words.append("gain \(gain.decibels.words)") }
    if let duck { words.append("ducked by \(duck.words)") }
    if let pitch { words.append("pitch \(Double(pitch).text(decimals: 2))") }
    if let filter { words.append("low \(filter.low.words), high \(filter.high.words)") }
    if isMuted == true { words.append("muted") }
    if isSoloed == true { words.append("soloed") }
    if isPaused == true { words.append("paused") }
    if let inserts { words.append(inserts.map(\.description).joined(separator: " → ")) }
    return words.joined(separator: ", ")
  }
}

extension Decibels {
  /// The level to a tenth, or `silence`.
  var words: String { rawValue <= -160 ? "silence" : Double(rawValue).text(decimals: 1) + " dB" }
}
