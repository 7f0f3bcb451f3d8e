/// The batches of the threads that change a context's values inside `withDeferredUpdates`.
struct BatchPool: Sendable {
  /// The address of the context, which identifies the batches of its threads.
  var contextAddress = 0
  /// Closed batches, kept for their memory; as many as were ever open at once.
  private var spare: [Batch] = []

  /// Takes a closed batch; `nil` where all are open.
  mutating func take() -> Batch? { spare.popLast() }

  /// Keeps a batch that was closed.
  mutating func store(_ batch: Batch) { spare.append(batch) }
}
