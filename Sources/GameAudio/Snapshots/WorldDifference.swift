internal import Spatial3D

/// The differences between two snapshots of a world.
///
/// The time of the mix, the positions in sounds, the positions of clocks and the predicted levels are left out: they
/// change in every tick. Other values that the world derives are compared: voices and reasons for silence, the weights
/// and levels of zones, duckings, paths, and velocities. The description has a line for each change.
///
/// ```text
/// bus music: gain 0.0 dB → -6.0 dB
/// emitter 7 (torch.ogg): voice 3 → none
/// added emitter 12 (door.ogg)
/// ```
public struct WorldDifference: Hashable, Sendable, Codable {
  /// One difference.
  public struct Change: Hashable, Sendable, Codable {
    /// The kind of a difference.
    public enum Kind: String, Hashable, Sendable, CaseIterable, Codable {
      /// The subject is new.
      case added
      /// The subject is gone.
      case removed
      /// A property of the subject has another value.
      case changed
    }

    /// The kind.
    public var kind: Kind
    /// The subject in words, such as `emitter 7 (torch.ogg)`.
    public var subject: String
    /// The number of the emitter or of the player; `nil` for other subjects.
    public var number: Int?
    /// The name of the property; `nil` for a subject that is new or gone.
    public var property: String?
    /// The value before; `nil` where there was none.
    public var old: Value?
    /// The value after; `nil` for no value.
    public var new: Value?
  }

  /// The value of a property.
  public enum Value: Hashable, Sendable {
    /// A number.
    case number(Double)
    /// A level in decibels.
    case level(Decibels)
    /// A gain.
    case gain(Gain)
    /// A text.
    case text(String)
    /// A yes or no.
    case flag(Bool)
    /// Several numbers, such as a position.
    case numbers([Double])
    /// Several gains, such as the gains of sends.
    case gains([Gain])
  }

  /// The differences: first of the world, then of listeners, zones, portals, buses, emitters, players and clocks.
  public var changes: [Change]

  /// Whether the snapshots are the same in what is compared.
  public var isEmpty: Bool { changes.isEmpty }
}

extension WorldDifference: CustomStringConvertible {
  /// A line for each change; `no difference` for none.
  ///
  /// More than three emitters or players with the same change have one line, at the position of the first.
  public var description: String {
    var counts: [Change: Int] = [:]
    for change in changes { if let shared = change.withoutSubject { counts[shared, default: 0] += 1 } }
    var lines: [String] = []
    for change in changes {
      guard let shared = change.withoutSubject, let count = counts[shared], count > 3 || count == 0 else {
        lines.append(change.description)
        continue
      }
      guard count > 0 else { continue }
      counts[shared] = 0
      var line = shared
      line.subject = "\(count) \(shared.subject)s"
      lines.append(line.description)
    }
    return lines.isEmpty ? "no difference" : lines.joined(separator: "\n")
  }
}

extension WorldDifference.Change {
  /// The change of an emitter or of a player with the kind of its subject alone; `nil` for other changes.
  fileprivate var withoutSubject: Self? {
    guard kind == .changed, number != nil else { return nil }
    var change = self
    change.number = nil
    change.subject = String(subject.prefix { $0 != " " })
    return change
  }
}

extension WorldDifference.Change: CustomStringConvertible {
  /// The change in words.
  public var description: String {
    guard kind == .changed else { return "\(kind.rawValue) \(subject)" }
    return "\(subject): \(property ?? "") \(old?.description ?? "none") → \(new?.description ?? "none")"
  }
}

extension WorldDifference.Value: CustomStringConvertible {
  /// The value, to three decimals.
  public var description: String {
    func text(_ number: Double) -> String {
      let rounded = (number * 1_000).rounded() / 1_000
      return rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
    }
    switch self {
    case .number(let number): return text(number)
    case .level(let level): return level.rounded
    case .gain(let gain): return gain.decibels.rounded
    case .text(let text): return text
    case .flag(let flag): return flag ? "yes" : "no"
    case .numbers(let numbers): return "(" + numbers.map { text($0) }.joined(separator: ", ") + ")"
    case .gains(let gains): return "(" + gains.map(\.decibels.rounded).joined(separator: ", ") + ")"
    }
  }
}

extension WorldDifference.Value: Codable {
  private struct Level: Codable { let level: Decibels }
  private struct OneGain: Codable { let gain: Gain }
  private struct Gains: Codable { let gains: [Gain] }

  /// Decodes a number, a text, a Boolean, a list of numbers, or an object with a level, a gain or a list of gains.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let flag = try? value.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let numbers = try? value.decode([Double].self) {
      self = .numbers(numbers)
    } else if let gain = try? value.decode(OneGain.self) {
      self = .gain(gain.gain)
    } else if let gains = try? value.decode(Gains.self) {
      self = .gains(gains.gains)
    } else {
      self = .level(try value.decode(Level.self).level)
    }
  }

  /// Encodes the value as itself, and levels and gains as an object.
  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .number(let number): try value.encode(number)
    case .level(let level): try value.encode(Level(level: level))
    case .gain(let gain): try value.encode(OneGain(gain: gain))
    case .text(let text): try value.encode(text)
    case .flag(let flag): try value.encode(flag)
    case .numbers(let numbers): try value.encode(numbers)
    case .gains(let gains): try value.encode(Gains(gains: gains))
    }
  }
}
