import FuzzSupport

/// A kind of call: its name, its weight in the draw, and its body.
struct Operation: Sendable {
  let name: String
  let weight: Int
  let body: @Sendable (inout Caller) -> Void

  init(_ name: String, _ weight: Int, _ body: @escaping @Sendable (inout Caller) -> Void) {
    (self.name, self.weight, self.body) = (name, weight, body)
  }

  /// All kinds that the options allow.
  static func all(for options: Options) -> [Operation] {
    let all =
      playback + places + queues + scalars + space + room + effects + context + suspension + device + buffers + emitters
      + notifications + waits + offline + capture + modelled
    return all.filter { options.allows($0.name) }
  }
}

/// Operations, drawn in proportion to their weights.
struct Lottery: Sendable {
  private let tickets: [Operation]

  init(_ operations: [Operation]) {
    precondition(!operations.isEmpty, "no operation is left")
    tickets = operations.flatMap { Array(repeating: $0, count: $0.weight) }
  }

  func draw(using random: inout SplitMix64) -> Operation {
    tickets[Int.random(in: 0..<tickets.count, using: &random)]
  }
}
