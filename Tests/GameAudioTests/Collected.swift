import Synchronization

/// Values that a handler collects.
final class Collected<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  var all: [Value] { values.withLock { $0 } }

  func removeAll() { values.withLock { $0 = [] } }

  func append(_ value: Value) { values.withLock { $0.append(value) } }
}
