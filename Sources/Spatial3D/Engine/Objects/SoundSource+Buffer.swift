internal import AudioSupport
internal import Synchronization

extension SoundSource {
  /// The buffer that the source plays; `nil` for a queue, a stream and a source without a sound.
  ///
  /// A new buffer ends the source as ``rewind()`` does, and replaces its queue. All other properties stay, so that a
  /// pool of sources plays any sound. With `nil` the source has an empty queue. A buffer of another device, and any
  /// buffer for a stream, leaves the property unchanged; ``AudioContext/onDiagnostic`` reports it once.
  ///
  /// ```swift
  /// let voices = try (0..<8).map { _ in try SoundSource(in: context) }
  /// if let voice = voices.first(where: { $0.state != .playing }) {
  ///   voice.buffer = impact
  ///   voice.play()
  /// }
  /// ```
  ///
  /// The OpenAL counterpart is `AL_BUFFER`.
  public var buffer: SoundBuffer? {
    get { hasQueue ? nil : heldBuffers.withLock { $0.first } }
    set {
      // A stream has no buffer to remove.
      if stream != nil, newValue == nil { return }
      guard stream == nil, newValue.map({ $0.context.sharesBuffers(with: context) }) ?? true else {
        let value = stream != nil ? "one while it plays a stream" : "one of another device"
        return complain(about: .buffer, "buffer", value: value)
      }
      let (old, unplaced) = context.withState { $0.setBuffer(newValue, of: self) }
      // The old buffers are released without the lock.
      withExtendedLifetime(old) {}
      if let unplaced { context.report(unplaced: unplaced) }
    }
  }

  /// The buffers that the source plays: its one buffer, or the buffers of its queue in their order.
  ///
  /// Empty for a stream.
  public var buffers: [SoundBuffer] { heldBuffers.withLock { $0 } }

  /// The library's buffers of the sound.
  var heldHandles: [BufferHandle] {
    heldBuffers.withLock { $0.map(\.handle) } + (stream?.buffers.withLock { $0.map(\.handle) } ?? [])
  }
}
