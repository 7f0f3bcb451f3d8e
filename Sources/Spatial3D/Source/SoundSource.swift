/// A sound at a place: a buffer or a queue of them, where it is, how it moves, and whether it plays.
///
/// Dropping a source stops it: keep it, in a property or a collection, for as long as it should be heard. It may be used
/// from any thread, and keeps its buffers and its context alive.
///
/// Setting a property never fails: a value out of its range becomes the nearest in it, and one that is not finite leaves the
/// property as it was, which ``AudioContext/onDiagnostic`` is told once for each property and source.
///
/// The OpenAL counterpart is a source.
public final class SoundSource: Sendable {
  /// The scene that the source belongs to.
  public let context: AudioContext

  let id: UInt32
  /// The source's place in the context's scene.
  let key: SourceKey
  /// Whether the source plays a queue, and no buffer of its own.
  let hasQueue: Bool
  /// What feeds the source, where it is streamed.
  let stream: Stream?
  /// What the library plays, in order.
  ///
  /// Its lock is taken after the context's where both are.
  let heldBuffers: Lock<[SoundBuffer]>
  /// The effects that the source feeds; its lock as that of the buffers.
  let heldSends = Lock<[EffectSend]>([])

  /// A source that plays a buffer, at the origin and not yet playing.
  ///
  /// - Throws: ``AudioError`` with the code `wrongDevice` for a buffer of another device, `sourceLimitReached` where the
  ///   context has no source left (256 by default).
  ///
  /// The OpenAL counterparts are `alGenSources` and `AL_BUFFER`.
  public convenience init(playing buffer: SoundBuffer, in context: AudioContext) throws(AudioError) {
    try Self.check([buffer], for: context, "create a source")
    try self.init(buffer, context)
  }

  /// A source with an empty queue, at the origin and not yet playing: give it buffers with ``queue(_:)``.
  ///
  /// - Throws: ``AudioError`` with the code `sourceLimitReached` where the context has no source left (256 by default).
  ///
  /// The OpenAL counterpart is `alGenSources`.
  public convenience init(in context: AudioContext) throws(AudioError) {
    try self.init(nil, context)
  }

  convenience init(stream: Stream, _ context: AudioContext) throws(AudioError) {
    try self.init(nil, stream: stream, context)
    context.noting { state in
      if state.scene.setChannelFactor(context.channelFactor(of: stream.format), of: key) {
        context.handle.apply([.gain, .gainLimits], of: key, in: &state.scene)
      }
      let place = context.watch(self, &state)
      state.watch[place].sound.sampleRate = stream.format.sampleRate
      state.watch[place].sound.isMono = stream.format.layout == .mono
      context.listen(&state)
    }
  }

  private init(_ buffer: SoundBuffer?, stream: Stream? = nil, _ context: AudioContext) throws(AudioError) {
    (id, key) = try context.state.withLock { state throws(AudioError) in
      let id = try context.handle.createSource(buffer: buffer?.id ?? 0, sourceCount: state.scene.sourceCount)
      let key = state.scene.addSource(id: id, channelFactor: context.channelFactor(of: buffer?.format))
      state.scene.setFlatSound(buffer?.flatSound, of: key)
      // The library's own model is known; another is the context's to pass on.
      if state.scene.distanceModel != .inverseClamped {
        context.handle.apply(.attenuation, of: key, in: &state.scene)
      }
      return (id, key)
    }
    self.context = context
    hasQueue = buffer == nil && stream == nil
    self.stream = stream
    heldBuffers = Lock(buffer.map { [$0] } ?? [])
    if context.needsMarks {
      var sound = QueuedSound(buffer.map { [$0] } ?? [], isQueue: hasQueue)
      if let stream { (sound.sampleRate, sound.isMono) = (stream.format.sampleRate, stream.format.layout == .mono) }
      context.state.withLock { $0.marks[key] = MarkedSource(sound: sound, isStream: stream != nil) }
    }
  }

  deinit {
    guard !context.handle.isInherited else { return }
    stream?.end()
    context.noting { state in
      context.endWatching(key, &state)
      context.performing(&state) { state in
        // What it plays goes after it.
        let leadIn = state.schedule.takeLeadIn(of: key)
        state.schedule.remove(key)
        withExtendedLifetime(leadIn) { context.handle.destroySource(id) }
      }
      if !state.marks.isEmpty { state.marks[key] = nil }
      state.scene.removeSource(key)
      state.kept.sources[key] = nil
    }
    // A reader that is held up keeps the stream, and with its buffers would keep the context. Released without the lock.
    _ = stream?.buffers.withLock { buffers in
      defer { buffers = [] }
      return buffers
    }
  }

  /// What the source plays: its buffer, or those of its queue in their order.
  ///
  /// None of a stream, whose buffers come and go.
  public var buffers: [SoundBuffer] { heldBuffers.withLock { $0 } }

  /// How many frames all buffers or the stream have.
  var frameCount: Int { stream?.frameCount ?? heldBuffers.withLock { $0.reduce(0) { $0 + $1.frameCount } } }

  /// The format of all buffers; `nil` where there are none yet.
  var format: PCMFormat? { stream?.format ?? heldBuffers.withLock { $0.first?.format } }

  static func check(_ buffers: [SoundBuffer], for context: AudioContext, _ operation: String) throws(AudioError) {
    guard let stranger = buffers.first(where: { $0.context.device !== context.device }) else { return }
    throw AudioError(
      code: .wrongDevice,
      operation: operation,
      message: "the buffer is on the device \"\(stranger.context.device.name)\" and the context on"
        + " \"\(context.device.name)\". Create the buffer in a context of the same device.",
      underlying: nil
    )
  }
}
