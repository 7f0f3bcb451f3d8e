internal import AudioSupport
internal import Spatial3D

/// The sound of a bus as a sequence of chunks, from the call that returned it on.
///
/// The sequence keeps the newest chunks that nobody has taken, for the time that it was made with. Two loops over one
/// sequence share the chunks. The sequence ends with the world, after the last chunks. A loop ends when its task is
/// cancelled, and other loops continue.
public struct BusSamples: AsyncSequence, Sendable {
  /// The sequence throws no errors.
  public typealias Failure = Never

  private let inbox: SampleInbox
  private let token: NotificationToken

  init(_ inbox: SampleInbox, token: NotificationToken) { (self.inbox, self.token) = (inbox, token) }

  /// An iterator over the chunks that nobody has taken.
  public func makeAsyncIterator() -> Iterator { Iterator(samples: self) }

  /// An iterator that takes one chunk after the other.
  public struct Iterator: AsyncIteratorProtocol, Sendable {
    fileprivate let samples: BusSamples

    /// The next chunk; `nil` at the end.
    public mutating func next() async -> MixChunk? { await samples.inbox.next() }

    /// The next chunk, awaited on an actor; `nil` at the end.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> MixChunk? { await samples.inbox.next() }
  }
}

/// The tasks that wait for the chunks of a tap.
final class SampleInbox: TapReader {
  private struct State: AwaitedElements {
    let ring: TapRing?
    var waiting = WaitingTasks<MixChunk>()
    var isOver = false

    mutating func takeNext() -> MixChunk?? {
      if let chunk = ring?.take() { return .some(chunk) }
      return isOver ? .some(nil) : nil
    }
  }

  /// Guards the reading end of the ring, too.
  private let state: Lock<State>

  /// An inbox of a ring; of no ring an inbox that is over.
  init(_ ring: TapRing?) { state = Lock(State(ring: ring, isOver: ring == nil)) }

  func next() async -> MixChunk? { await state.next() }

  func read(_ ring: TapRing) { while resumeNext() {} }

  func end(_ ring: TapRing) {
    state.withLock { $0.isOver = true }
    read(ring)
  }

  /// Resumes the task that waits longest, if there is something for it.
  private func resumeNext() -> Bool {
    let (task, chunk) = state.withLock { state -> (WaitingTasks<MixChunk>.Continuation?, MixChunk?) in
      guard !state.waiting.isEmpty, let answer = state.takeNext() else { return (nil, nil) }
      return (state.waiting.popFirst(), answer)
    }
    task?.resume(returning: chunk)
    return task != nil
  }
}
