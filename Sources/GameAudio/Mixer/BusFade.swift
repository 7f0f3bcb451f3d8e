internal import Spatial3D

/// The fades of buses.
typealias BusFades = FadeTable<BusFade.Key, BusFade.Amount, BusFade.Completion>

/// A value of a bus that a fade moves.
enum BusFade {
  /// The kinds of values.
  enum Value: Hashable, Sendable {
    case gain
    case pitch
    case low
    case high
    /// The level of a pause, and the level of the buses that are muted while other programs play audio.
    case pause
    case otherAudio
    case send(ObjectIdentifier)
  }

  /// A value of one bus has one fade.
  struct Key: Hashable, Sendable {
    let bus: BusIndex
    let value: Value
  }

  /// A gain, or the level of a filter.
  enum Amount: Hashable, Sendable, FadedValue {
    case gain(Gain)
    case level(Decibels)

    func faded(to last: Amount, by fade: Fade, after time: Duration) -> Amount {
      switch (self, last) {
      case (.gain(let first), .gain(let last)): .gain(fade.gain(from: first, to: last, after: time))
      case (.level(let first), .level(let last)): .level(fade.level(from: first, to: last, after: time))
      case (.gain, .level), (.level, .gain): last
      }
    }
  }

  /// The change at the end.
  enum Completion: Sendable { case none, halt, removeSend }
}

extension BusRecord {
  /// The amount of a value in force; a pitch is a factor like a gain, so that a fade of it is straight in semitones.
  func amount(of value: BusFade.Value) -> BusFade.Amount {
    switch value {
    case .gain: .gain(Gain(gain))
    case .pitch: .gain(Gain(pitch))
    case .low: .level(filter.low)
    case .high: .level(filter.high)
    case .pause: .gain(Gain(pauseLevel))
    case .otherAudio: .gain(Gain(otherAudioLevel))
    case .send(let unit): .gain(Gain(sends.first { ObjectIdentifier($0.unit) == unit }?.gain ?? 0))
    }
  }

  mutating func set(_ value: BusFade.Value, to amount: BusFade.Amount) {
    switch (value, amount) {
    case (.gain, .gain(let new)): gain = new.rawValue
    case (.pitch, .gain(let new)): pitch = new.rawValue
    case (.low, .level(let new)): filter.low = new
    case (.high, .level(let new)): filter.high = new
    case (.pause, .gain(let new)): pauseLevel = new.rawValue
    case (.otherAudio, .gain(let new)): otherAudioLevel = new.rawValue
    case (.send(let unit), .gain(let new)):
      for index in sends.indices where ObjectIdentifier(sends[index].unit) == unit { sends[index].gain = new.rawValue }
    case (.gain, .level), (.pitch, .level), (.low, .gain), (.high, .gain), (.pause, .level), (.otherAudio, .level),
      (.send, .level):
      break
    }
  }
}
