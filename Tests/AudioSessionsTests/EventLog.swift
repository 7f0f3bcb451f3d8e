import AudioSessions
import Synchronization

/// The events of a session, in order.
final class EventLog: Sendable {
  private let record = Mutex<[SessionEvent]>([])
  private let token = Mutex<NotificationToken?>(nil)

  init(_ session: AudioSession) {
    let token = session.observe { [weak self] event in self?.record.withLock { $0.append(event) } }
    self.token.withLock { $0 = token }
  }

  var events: [SessionEvent] { record.withLock { $0 } }
}

/// Values that handlers append, in order.
final class Record<Value: Sendable>: Sendable {
  private let storage = Mutex<[Value]>([])

  var values: [Value] { storage.withLock { $0 } }

  func append(_ value: Value) { storage.withLock { $0.append(value) } }
}
