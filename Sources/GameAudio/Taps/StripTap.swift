internal import AudioSupport
internal import PCM
internal import Synchronization

/// A reader of the chunks of a tap; the tap calls it on one thread at a time.
protocol TapReader: AnyObject, Sendable {
  /// Takes the chunks that the ring has.
  func read(_ ring: TapRing)

  /// Takes the last chunks: no further ones come.
  func end(_ ring: TapRing)
}

/// A tap of a strip: the ring that the strip writes to, and the thread of its reader.
///
/// The thread sleeps between the chunks, and ends with the tap. Offline, the thread that renders calls the reader.
final class StripTap: Sendable {
  let point: TapPoint
  let ring: TapRing
  private let flow: Flow
  private let readsInline: Bool
  private let loop = BackgroundLoop()
  /// Stored, because the thread that mixes must not allocate its context.
  private let step: @Sendable () -> BackgroundLoop.Next

  init(_ point: TapPoint, _ ring: TapRing, readsInline: Bool, _ reader: any TapReader) {
    (self.point, self.ring, self.readsInline) = (point, ring, readsInline)
    let flow = Flow(ring, reader)
    self.flow = flow
    step = { flow.run() ? .onSignal : .end }
  }

  /// Starts the thread of the reader, before the strip has the tap.
  func begin() { if !readsInline { loop.begin(step) } }

  /// Appends a piece of the mix; called under the lock of the strip.
  ///
  /// It wakes the thread of the reader, and starts the thread if the system had none.
  func write(_ piece: Span<Float>, at frame: Int) {
    if ring.write(piece, at: frame), !readsInline { loop.begin(wakes: true, step) }
  }

  /// Lets the reader take what there is; on the thread that renders offline.
  func read() { if readsInline { _ = flow.run() } }

  /// Lets the reader take the rest and end; the strip does not write any more.
  func end() {
    flow.end()
    if readsInline { _ = flow.run() } else { loop.begin(wakes: true, step) }
  }

  /// The calls of a reader, one after the other.
  private final class Flow: Sendable {
    private let ring: TapRing
    private let reader: any TapReader
    private let isEnding = Atomic(false)
    /// The calls of ``run()`` that are not over: the first of them serves the others.
    private let requests = Atomic(0)

    init(_ ring: TapRing, _ reader: any TapReader) { (self.ring, self.reader) = (ring, reader) }

    func end() { isEnding.store(true, ordering: .releasing) }

    /// Calls the reader, unless a call is in progress: the caller of that one then calls it again.
    ///
    /// The reader may end the tap. Returns whether more chunks may come.
    func run() -> Bool {
      guard requests.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0 else { return true }
      var (isOver, served) = (false, 0)
      repeat {
        served = requests.load(ordering: .acquiring)
        isOver = isEnding.load(ordering: .acquiring)
        if isOver { reader.end(ring) } else { reader.read(ring) }
      } while requests.wrappingSubtract(served, ordering: .acquiringAndReleasing).newValue > 0
      return !isOver
    }
  }
}

/// A closure of the program as the reader of a tap.
final class TapHandler: TapReader {
  private let handler: Lock<Handler?>

  /// The struct avoids one more wrapper each time that the lock returns the closure.
  private struct Handler: Sendable {
    let call: @Sendable (MixChunk) -> Void
  }

  init(_ call: @escaping @Sendable (MixChunk) -> Void) { handler = Lock(Handler(call: call)) }

  func read(_ ring: TapRing) {
    while let handler = handler.withLock({ $0 }), let chunk = ring.take() { handler.call(chunk) }
  }

  func end(_ ring: TapRing) {
    read(ring)
    cancel()
  }

  /// Ends the calls; releases the captures of the closure without the lock.
  func cancel() {
    var gone: Handler?
    handler.withLock { swap(&$0, &gone) }
    withExtendedLifetime(gone) {}
  }
}
