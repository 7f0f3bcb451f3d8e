internal import Spatial3D

/// The listeners of a world: the first, and up to three more for a split screen.
struct ListenerSet: Sendable {
  private(set) var first: Listener
  /// The listeners beside the first.
  private(set) var others: [Listener] = []
  /// Listeners that were removed, while voices still belong to them; their indices follow the indices of the others.
  private(set) var removed: [Listener] = []
  /// Whether the context has still to receive the listener.
  private(set) var isChanged = false

  init(_ first: Listener = Listener()) { self.first = first }

  /// The number of listeners.
  var count: Int { others.count + 1 }

  /// The number of listeners, with the removed listeners that still have voices.
  var countWithRemoved: Int { count + removed.count }

  /// The listeners, without the removed listeners.
  var all: [Listener] { [first] + others }

  /// The listener of the context: the first one, at the level of the loudest.
  var rendered: Listener {
    var rendered = first
    for other in others { rendered.gain = max(rendered.gain, other.gain) }
    return rendered
  }

  /// The velocity of some listener is not zero.
  var isMoving: Bool {
    for position in 0..<countWithRemoved where self[ListenerIndex(position)].velocity != .zero { return true }
    return false
  }

  /// A listener by its index; without one it is the first.
  subscript(index: ListenerIndex) -> Listener {
    let position = index.position
    guard position > 0, position < countWithRemoved else { return first }
    return position < count ? others[position - 1] : removed[position - count]
  }

  /// The index, or the index of the last listener for an index beyond it.
  func nearest(to index: ListenerIndex) -> ListenerIndex { min(index, ListenerIndex(countWithRemoved - 1)) }

  /// Replaces the listeners; returns whether some of them were removed.
  ///
  /// An empty list has no effect, and listeners after the fourth are left out.
  mutating func set(_ listeners: [Listener]) -> Bool {
    guard let first = listeners.first else { return false }
    setFirst(first)
    let otherCount = min(listeners.count, ListenerChoice.capacity) - 1
    let before = (others, rendered)
    let areFewer = others.count > otherCount
    if areFewer {
      removed.insert(contentsOf: others[otherCount...], at: 0)
      others.removeLast(others.count - otherCount)
    }
    for index in 0..<otherCount {
      if index == others.count {
        others.append(Listener())
        if !removed.isEmpty { removed.removeFirst() }
      }
      others[index] = listeners[index + 1].usable(after: others[index])
    }
    if before != (others, rendered) { isChanged = true }
    return areFewer
  }

  /// Takes over the usable parts of the first listener.
  mutating func setFirst(_ new: Listener) {
    let next = new.usable(after: first)
    guard next != first else { return }
    first = next
    isChanged = true
  }

  /// The listener that the context has still to receive; `nil` for none.
  mutating func takeChange() -> Listener? {
    guard isChanged else { return nil }
    isChanged = false
    return rendered
  }

  /// Forgets the removed listeners: no voice belongs to them any more.
  mutating func forgetRemoved() { removed.removeAll(keepingCapacity: true) }

  /// Moves the values of a source from around its listener to around the first one.
  func moveToFirst(
    from index: ListenerIndex,
    gain: inout Float,
    position: inout SIMD3<Float>,
    velocity: inout SIMD3<Float>,
    direction: inout SIMD3<Float>
  ) {
    guard countWithRemoved > 1 else { return }
    let listener = self[index]
    gain *= listener.gain.rawValue / max(rendered.gain.rawValue, .leastNormalMagnitude)
    guard index > 0 else { return }
    let (own, other) = (HeadFrame(listener), HeadFrame(first))
    position = own.position(position, around: other)
    velocity = own.direction(velocity - listener.velocity, around: other) + first.velocity
    direction = own.direction(direction, around: other)
  }
}

extension Listener {
  /// The listener, with the parts of the old listener where its own cannot be used.
  fileprivate func usable(after old: Listener) -> Listener {
    var next = self
    next.position = position.usable ?? old.position
    next.velocity = velocity.usable ?? old.velocity
    next.gain = gain.isUsable ? Self.gainRange.nearest(to: gain) : old.gain
    if orientation.forward == .zero { next.orientation = old.orientation }
    return next
  }
}
