/// What was not taken yet, in bounded memory.
///
/// Pure: no call and no lock.
struct PendingList<Element: Coalescing>: Sendable {
  /// How many are kept one by one.
  static var limit: Int { 64 }

  private var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }

  /// Appends what happened last.
  ///
  /// A count joins one right before it. With more than 64 pending, the oldest that was followed by another of its kind goes:
  /// a count into that other one, a state for good.
  mutating func append(_ next: Element) {
    if let last = elements.last, last.isCount, let sum = last.joined(with: next) {
      elements[elements.count - 1] = sum
      return
    }
    elements.append(next)
    guard elements.count > Self.limit else { return }
    for index in elements.indices {
      for later in elements.indices.dropFirst(index + 1) {
        guard let joined = elements[index].joined(with: elements[later]) else { continue }
        elements[later] = joined
        elements.remove(at: index)
        return
      }
    }
  }

  /// Takes the oldest.
  mutating func popFirst() -> Element? { elements.isEmpty ? nil : elements.removeFirst() }

  mutating func removeAll() { elements = [] }
}

/// What can stand for several of its kind.
///
/// There are fewer kinds than a list has room for.
protocol Coalescing: Sendable {
  /// Whether two in a row are as good as their sum.
  var isCount: Bool { get }

  /// One that stands for this and a later one; `nil` where they are of different kinds.
  func joined(with later: Self) -> Self?
}

extension SourceNotification: Coalescing {
  var isCount: Bool {
    switch kind {
    case .buffersProcessed, .looped: true
    case .stateChanged, .starved: false
    }
  }

  func joined(with later: SourceNotification) -> SourceNotification? {
    switch (kind, later.kind) {
    case (.buffersProcessed(let one), .buffersProcessed(let other)): later.counting(.buffersProcessed(one + other))
    case (.looped(let one), .looped(let other)): later.counting(.looped(one + other))
    case (.stateChanged, .stateChanged), (.starved, .starved): later
    default: nil
    }
  }

  private func counting(_ kind: Kind) -> SourceNotification {
    SourceNotification(
      kind: kind,
      reference: reference,
      state: state,
      sequence: sequence,
      framePosition: framePosition,
      cause: cause
    )
  }
}
