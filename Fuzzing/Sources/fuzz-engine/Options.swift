import Foundation
import FuzzSupport

/// How a round calls the engine.
enum Mode: String, CaseIterable, Sendable {
  /// One thread: every result is compared with the expected one.
  case model
  /// Four threads: every result is checked against laws that hold for any order of calls.
  case laws
}

/// The mixer of a round's contexts.
enum Output: String, CaseIterable, Sendable {
  case offline
  case silent
  /// An output of OpenAL Soft's null driver.
  case null
}

/// The options of the command line.
struct Options: Sendable {
  static let usage = """
    usage: fuzz-engine MINUTES [--seed N] [--rounds N] [--mode model|laws|all] [--output offline|silent|null|all]
                       [--only NAME,…] [--without NAME,…] [--steps N] [--skip I,J,… | --keep I,J,…]
                       [--patience SECONDS] [--list]
    """

  var minutes = 0.0
  var seed = SystemRandomNumberGenerator().firstSeed
  var rounds: Int?
  var modes = Mode.allCases
  var outputs = Output.allCases
  var only: Set<String> = []
  var without: Set<String> = []
  var steps: Int?
  var skipped: Set<Int> = []
  var kept: Set<Int>?
  var patience = 20.0
  var listsOperations = false

  init?(_ arguments: some Collection<String>) {
    var rest = Array(arguments)
    if let first = rest.first, let minutes = Double(first) {
      self.minutes = minutes
      rest.removeFirst()
    }
    while !rest.isEmpty {
      let option = rest.removeFirst()
      if option == "--list" {
        listsOperations = true
        continue
      }
      guard !rest.isEmpty, take(rest.removeFirst(), for: option) else { return nil }
    }
    if minutes == 0, rounds == nil, !listsOperations { return nil }
  }

  private mutating func take(_ value: String, for option: String) -> Bool {
    let list = value.split(separator: ",").map(String.init)
    switch option {
    case "--seed": return UInt64(value).map { seed = $0 } != nil
    case "--rounds": return Int(value).map { rounds = $0 } != nil
    case "--steps": return Int(value).map { steps = $0 } != nil
    case "--patience": return Double(value).map { patience = $0 } != nil
    case "--only": only.formUnion(list)
    case "--without": without.formUnion(list)
    case "--skip": skipped.formUnion(list.compactMap { Int($0) })
    case "--keep": kept = Set(list.compactMap { Int($0) })
    case "--mode":
      modes = value == "all" ? Mode.allCases : [Mode(rawValue: value)].compactMap(\.self)
      return !modes.isEmpty
    case "--output":
      outputs = value == "all" ? Output.allCases : [Output(rawValue: value)].compactMap(\.self)
      return !outputs.isEmpty
    default: return false
    }
    return true
  }

  /// Whether the options allow an operation of a name.
  ///
  /// A name on the command line matches the operation of that name, and every operation with that name as a part:
  /// `reverb` matches `context.reverb` and `effect.make.reverb`.
  func allows(_ name: String) -> Bool {
    let names = Set(name.split(separator: ".").map(String.init) + [name])
    return without.isDisjoint(with: names) && (only.isEmpty || !only.isDisjoint(with: names))
  }

  /// Whether the options allow a kind of values: `extremes`, the `lowRates` of a mix, or `ownRooms` that are no preset.
  func allowsValues(_ name: String) -> Bool { !without.contains(name) }

  /// Whether the options allow a step of a round.
  func allows(step: Int) -> Bool { kept?.contains(step) ?? !skipped.contains(step) }
}

extension SystemRandomNumberGenerator {
  /// A seed that is easy to type.
  fileprivate var firstSeed: UInt64 {
    var generator = self
    return generator.next() % 1_000_000_000
  }
}
