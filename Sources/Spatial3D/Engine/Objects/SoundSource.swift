internal import AudioSupport
internal import Synchronization

/// A sound at a position: it plays a buffer, a queue of buffers or a stream.
///
/// Releasing a source stops it: keep it, in a property or a collection, for the time that it is to be audible. It may
/// be used from any thread, and keeps its buffers and its context alive.
///
/// Setting a property never fails. A value out of its range becomes the nearest in it. A value that is not finite
/// leaves the property unchanged, and ``AudioContext/onDiagnostic`` reports it once for each property and source.
///
/// The OpenAL counterpart is a source.
public final class SoundSource: Sendable {
  /// The context that the source belongs to.
  public let context: AudioContext

  /// The library's name of the source.
  ///
  /// It changes under the context's lock, in a change of the schedule: a read without the lock is repeated then.
  var id: UInt32 {
    @inline(__always) get { currentID.load(ordering: .acquiring) }
  }
  private let currentID: Atomic<UInt32>
  /// The key of the source's record in the context.
  let key: SourceKey
  /// Whether the source has a buffer of its own; changes under the context's lock.
  let ownsBuffer: Atomic<Bool>
  /// The stream that feeds the source; `nil` for a source of buffers.
  let stream: Stream?
  /// The buffers that the library plays, in order.
  ///
  /// Lock order: the context's lock first, then this lock.
  let heldBuffers: Lock<[SoundBuffer]>
  /// The effects that the source feeds; the same lock order.
  let heldSends = Lock<[EffectSend]>([])

  /// A source that plays a buffer, at the origin and not yet playing.
  ///
  /// - Throws: ``AudioError`` with the code `wrongDevice` for a buffer of another device, `sourceLimitReached` if the
  ///   context has no source left (256 by default).
  ///
  /// The OpenAL counterparts are `alGenSources` and `AL_BUFFER`.
  public convenience init(playing buffer: SoundBuffer, in context: AudioContext) throws(AudioError) {
    try Self.check([buffer], for: context, "create a source")
    try self.init(buffer, context)
  }

  /// A source with an empty queue, at the origin and not yet playing: append buffers with ``queue(_:)``.
  ///
  /// - Throws: ``AudioError`` with the code `sourceLimitReached` if the context has no source left (256 by default).
  ///
  /// The OpenAL counterpart is `alGenSources`.
  public convenience init(in context: AudioContext) throws(AudioError) {
    try self.init(nil, context)
  }

  convenience init(stream: Stream, _ context: AudioContext) throws(AudioError) {
    try self.init(nil, stream: stream, context)
    context.withState { $0.begin(stream, of: self) }
  }

  private init(_ buffer: SoundBuffer?, stream: Stream? = nil, _ context: AudioContext) throws(AudioError) {
    let id: UInt32
    (id, key) = try context.state.withLock { state throws(AudioError) in try state.addSource(playing: buffer) }
    currentID = Atomic(id)
    self.context = context
    ownsBuffer = Atomic(buffer != nil)
    self.stream = stream
    heldBuffers = Lock(buffer.map { [$0] } ?? [])
    guard context.handle.recordsPositions else { return }
    context.state.withLock { $0.beginRecording(self) }
  }

  deinit {
    guard !context.handle.isInherited else { return }
    stream?.end()
    if let values = context.withState({ $0.removeSource(key, playing: heldHandles) }) { reportRelease(with: values) }
    // A blocked reader keeps the stream alive, and the stream's buffers would keep the context. Released without the
    // lock.
    _ = stream?.buffers.withLock { buffers in
      defer { buffers = [] }
      return buffers
    }
  }

  /// Takes over another source of the library.
  func rename(to id: UInt32) { currentID.store(id, ordering: .releasing) }

  /// The number of frames of all buffers or of the stream.
  var frameCount: Int { stream?.frameCount ?? heldBuffers.withLock { $0.reduce(0) { $0 + $1.frameCount } } }

  /// The format of all buffers; `nil` while there are none.
  package var format: PCMFormat? { stream?.format ?? heldBuffers.withLock { $0.first?.format } }

  /// Whether the source plays a queue, and has no buffer of its own.
  var hasQueue: Bool { stream == nil && !ownsBuffer.load(ordering: .acquiring) }

  static func check(_ buffers: [SoundBuffer], for context: AudioContext, _ operation: String) throws(AudioError) {
    guard let stranger = buffers.first(where: { !$0.context.sharesBuffers(with: context) }) else { return }
    throw .wrongDevice(of: stranger.context.device, for: context.device, operation)
  }
}
