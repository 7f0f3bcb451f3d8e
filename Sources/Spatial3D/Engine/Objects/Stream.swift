internal import AudioSupport

/// The feed of a source from a reader.
///
/// On an audible context it runs on a thread of its own; offline, on the thread that renders or calls.
final class Stream: Sendable {
  let format: PCMFormat
  /// The reader's name; `nil` if it has none.
  let name: String?
  /// The length of the reader in frames; `nil` if the reader does not know it.
  let frameCount: Int?
  /// The number of frames in a chunk.
  let chunkLength: Int

  /// Lock order: the context's lock first, then this lock.
  let state: Lock<StreamState>
  /// The buffers in the library's queue, in order; inside this lock only the shim takes locks.
  let buffers = Lock<[SoundBuffer]>([])
  /// The thread that fills the queue, signalled when the queue may have room.
  private let loop = BackgroundLoop()

  /// Signalled at the end of a thread's turn at filling the queue, if another thread waits for it.
  private let turn = Semaphore()
  private let reader: any StreamReading
  private let fed = Lock(Fed())

  private struct Fed: Sendable {
    weak var source: SoundSource?
    var isOver = false
  }

  /// The feed of a reader, with a loop range instead of the reader's own.
  init<Reader: PCMReader & Sendable & ~Copyable>(
    _ reader: consuming Reader,
    loopRange: Range<Int>?,
    ahead lookAhead: LookAhead
  ) throws(AudioError) {
    format = reader.format
    chunkLength = lookAhead.chunkLength(at: format.sampleRate)
    name = reader.name
    frameCount = reader.frameCount
    try BufferHandle.checkPlayable(format)
    if let loopRange, !StreamState.isUsable(loopRange, in: frameCount) {
      throw .loopRange(loopRange, frameCount: frameCount, AudioError.streamingSound)
    }
    state = Lock(StreamState(frameCount: frameCount, loopRange: loopRange ?? reader.loopRange))
    self.reader = StreamReader(reader, chunkLength: chunkLength)
  }

  /// Begins to feed a source; on a thread of its own, unless it is offline.
  ///
  /// The first chunk is in the queue when it returns.
  func begin(feeding source: SoundSource) throws(AudioError) {
    fed.withLock { $0.source = source }
    if let failure = fill(atMost: 1) { throw failure }
    guard !source.context.device.mixesOnRequest else { return }
    let isStarted = loop.begin { [self] in
      guard !fed.withLock({ $0.isOver }) else { return .end }
      fill()
      return .onSignal
    }
    guard isStarted else { throw .streaming("there is no thread to be had for it.") }
  }

  /// Puts silence ahead of the queue.
  func prepend(silence: SoundBuffer) {
    buffers.withLock { $0.insert(silence, at: 0) }
    state.withLock { $0.queue.prepend(silence: silence.frameCount) }
  }

  /// Forgets the first buffer of the queue.
  func removeFirst() {
    let first = buffers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    if first != nil { state.withLock { $0.queue.removeFirst(1) } }
  }

  /// Lets the stream's thread fill the queue.
  func refill() { loop.signal() }

  /// Ends the feed, because the source was released.
  func end() {
    fed.withLock { $0.isOver = true }
    refill()
  }

  /// Fills the queue; returns the error of the reader, if any.
  ///
  /// Does nothing if this thread is already filling the queue. If another thread is, it does nothing or waits for that
  /// one. Called without a lock, because the reader may do anything. The source is not kept alive during a read.
  @discardableResult
  func fill(atMost limit: Int = .max, afterOthers waits: Bool = false) -> AudioError? {
    guard let mine = beginFilling(afterOthers: waits) else { return nil }
    var failure: AudioError?
    var left = limit
    while left > 0, let request = fed.withLock({ $0.source })?.nextRequest(for: self) {
      let delivery = reader.read(request)
      let source = fed.withLock { $0.source }
      let problem = source?.take(delivery, askedFor: request.generation, by: self)
      if limit > 1, let problem { source?.context.report(.streamFailed(problem)) }
      failure = problem ?? failure
      left -= 1
    }
    if state.withLock({ $0.endFilling(mine) }) { turn.signal() }
    return failure
  }

  private func beginFilling(afterOthers waits: Bool) -> StreamState.Filling? {
    let thread = currentThread()
    while true {
      let (mine, isOthers) = state.withLock { state in
        (state.beginFilling(on: thread), waits && state.awaitsFilling(on: thread))
      }
      guard isOthers else { return mine }
      turn.wait()
    }
  }
}
