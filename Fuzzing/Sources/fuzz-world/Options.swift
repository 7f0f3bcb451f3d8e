import FuzzSupport
import SoundServer

/// The mixer of a round's world.
enum Output: String, CaseIterable, Sendable {
  case offline
  case silent
  /// An output of OpenAL Soft's null driver.
  case null
  /// An output of a private sound server, which is killed, stopped and changed meanwhile.
  case server
}

/// The options of the command line.
struct Options: Sendable {
  static let usage = """
    usage: fuzz-world MINUTES [--seed N] [--rounds N] [--threads 1|2|…|8] [--output offline|silent|null]
                      [--server PulseAudio|pipewire-pulse|PipeWire] [--without NAME,…] [--steps N]
                      [--skip I,J,… | --keep I,J,…] [--patience SECONDS]
    """

  var minutes = 0.0
  var seed = UInt64.random(in: 0..<1_000_000_000)
  var rounds: Int?
  var threads = [1, 1, 4, 8]
  var outputs: [Output] = [.offline, .silent, .null]
  var server: SoundServer.Kind?
  var without: Set<String> = []
  var steps: Int?
  var skipped: Set<Int> = []
  var kept: Set<Int>?
  var patience = 60.0

  init?(_ arguments: some Collection<String>) {
    var rest = Array(arguments)
    if let first = rest.first, let minutes = Double(first) {
      self.minutes = minutes
      rest.removeFirst()
    }
    while !rest.isEmpty {
      let option = rest.removeFirst()
      guard !rest.isEmpty, take(rest.removeFirst(), for: option) else { return nil }
    }
    if minutes == 0, rounds == nil { return nil }
  }

  private mutating func take(_ value: String, for option: String) -> Bool {
    let list = value.split(separator: ",").map(String.init)
    switch option {
    case "--seed": return UInt64(value).map { seed = $0 } != nil
    case "--rounds": return Int(value).map { rounds = $0 } != nil
    case "--steps": return Int(value).map { steps = $0 } != nil
    case "--patience": return Double(value).map { patience = $0 } != nil
    case "--threads":
      threads = list.compactMap { Int($0) }.filter { (1...8).contains($0) }
      return !threads.isEmpty
    case "--without": without.formUnion(list)
    case "--skip": skipped.formUnion(list.compactMap { Int($0) })
    case "--keep": kept = Set(list.compactMap { Int($0) })
    case "--output":
      outputs = list.compactMap(Output.init)
      return !outputs.isEmpty && (!outputs.contains(.server) || server != nil)
    case "--server":
      server = SoundServer.Kind.allCases.first { $0.option == value }
      outputs = [.server]
      return server != nil
    default: return false
    }
    return true
  }

  /// Whether the options allow a kind of calls, or a law, by its name or by a part of it.
  func allows(_ name: String) -> Bool {
    without.isDisjoint(with: name.split(separator: ".").map(String.init) + [name])
  }

  /// Whether the options allow a step of a round.
  func allows(step: Int) -> Bool { kept?.contains(step) ?? !skipped.contains(step) }
}

extension SoundServer.Kind {
  /// The name of the kind on the command line.
  var option: String {
    switch self {
    case .pulseAudio: "PulseAudio"
    case .pipeWirePulse: "pipewire-pulse"
    case .pipeWire: "PipeWire"
    }
  }
}
