import FuzzSupport
import Foundation
import Spatial3D

/// A source and its model, which every call and every mix compares.
final class ModelledSource: Sendable {
  let source: SoundSource
  let run: Run
  private let name: String
  private let state: Lock<State>

  private struct State: Sendable {
    var model: SourceModel
    var observers: [ModelObserver] = []
  }

  init(_ source: SoundSource, model: SourceModel, name: String, run: Run) {
    (self.source, self.name, self.run) = (source, name, run)
    state = Lock(State(model: model))
  }

  /// The present model.
  var model: SourceModel { state.withLock { $0.model } }

  /// Performs a call of the source on the model.
  func change<Result: Sendable>(_ body: (inout sending SourceModel) -> Result) -> Result {
    state.withLock { body(&$0.model) }
  }

  /// Observes the source from now on.
  func observe(_ kinds: SourceNotification.Kinds) {
    let observer = ModelObserver(source, kinds)
    state.withLock { $0.observers.append(observer) }
  }

  /// Ends the oldest observation.
  func unobserve() {
    let gone = state.withLock { $0.observers.isEmpty ? nil : $0.observers.removeFirst() }
    withExtendedLifetime(gone) {}
  }

  var observerCount: Int { state.withLock { $0.observers.count } }

  /// Requires that every observer received the notes of the model since the last comparison, and that the states are
  /// equal.
  func compare() {
    let comparison = state.withLock {
      Comparison(name: name, run: run, model: $0.model, notes: $0.model.takeNotes(), observers: $0.observers)
    }
    comparison.compare()
    let model = comparison.model
    run.require(source.state == model.state, "\(name): \(source.state) instead of \(model.state), \(model)")
  }

  /// Ends the model, and returns the comparison that follows the release of the source.
  func end() -> Comparison {
    state.withLock { state in
      state.model.end()
      return Comparison(
        name: name,
        run: run,
        model: state.model,
        notes: state.model.takeNotes(),
        observers: state.observers
      )
    }
  }

  /// Requires that the position and the count of played buffers match the model.
  func compareDetails() {
    let model = model
    let (count, frame) = (source.processedBufferCount, source.playbackFrame)
    run.require(count == model.playedCount, "\(name): \(count) played instead of \(model.playedCount), \(model)")
    guard model.beginning == nil else { return }
    run.require(frame == model.playbackFrame, "\(name): frame \(frame) instead of \(model.playbackFrame), \(model)")
  }
}

/// The expected notifications of a source's observers.
struct Comparison: Sendable {
  let name: String
  let run: Run
  let model: SourceModel
  let notes: [SourceModel.Note]
  let observers: [ModelObserver]

  /// Requires that every observer received exactly its notifications.
  func compare() {
    for observer in observers {
      let expected = notes.filter { observer.kinds.contains($0.kind.choice) }.joined
      let (received, isContiguous) = observer.take(atLeast: expected.count)
      run.require(isContiguous, "\(name): a number is missing among \(received)")
      run.require(received.joined == expected, "\(name): received \(received.joined) instead of \(expected), \(model)")
    }
  }
}

/// The notifications of one observation.
final class ModelObserver: Sendable {
  let kinds: SourceNotification.Kinds
  private let token: NotificationToken
  private let received: Received

  private final class Received: Sendable {
    let notes = Lock<(notes: [SourceModel.Note], sequence: UInt64, isContiguous: Bool)>(([], 0, true))

    func take(_ notification: SourceNotification) {
      notes.withLock { received in
        received.notes.append(
          SourceModel.Note(
            kind: notification.kind,
            state: notification.state,
            cause: notification.cause,
            frame: notification.framePosition
          )
        )
        received.isContiguous = received.isContiguous && notification.sequence == received.sequence + 1
        received.sequence = notification.sequence
      }
    }
  }

  init(_ source: SoundSource, _ kinds: SourceNotification.Kinds) {
    let received = Received()
    (self.kinds, self.received) = (kinds, received)
    token = source.observe(kinds) { received.take($0) }
  }

  /// Returns the notifications since the last call, and whether the sequence numbers have no gap.
  ///
  /// A waiting task that calls the context may deliver the notifications of this thread's call on its own thread.
  func take(atLeast count: Int) -> (notes: [SourceModel.Note], isContiguous: Bool) {
    let end = ContinuousClock.now + .seconds(10)
    while received.notes.withLock({ $0.notes.joined.count < count }), ContinuousClock.now < end {
      Thread.sleep(forTimeInterval: 0.001)
    }
    return received.notes.withLock { received in
      defer { received.notes = [] }
      return (received.notes, received.isContiguous)
    }
  }
}

extension [SourceModel.Note] {
  /// The same notes with consecutive counts added up, because a mix divides them into pieces.
  var joined: [SourceModel.Note] {
    var all: [SourceModel.Note] = []
    for note in self {
      if let last = all.last, last.cause == note.cause, let kind = last.kind.joined(with: note.kind) {
        all[all.count - 1] = note
        all[all.count - 1].kind = kind
      } else {
        all.append(note)
      }
    }
    return all
  }
}

extension SourceNotification.Kind {
  fileprivate func joined(with later: SourceNotification.Kind) -> SourceNotification.Kind? {
    switch (self, later) {
    case (.buffersProcessed(let one), .buffersProcessed(let more)): .buffersProcessed(one + more)
    case (.looped(let one), .looped(let more)): .looped(one + more)
    default: nil
    }
  }
}
