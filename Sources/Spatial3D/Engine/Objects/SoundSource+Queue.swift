internal import AudioSupport

extension SoundSource {
  /// Appends buffers to the queue; they play one after the other without a gap.
  ///
  /// All buffers of a queue have one format and one type of sample. A source that has played its queue to the end
  /// stops: call ``play()`` after you append more. While it ``isLooping`` the whole queue repeats.
  ///
  /// A source that has stopped counts a new buffer as played at once, by OpenAL's rule. ``unqueueProcessed()`` then
  /// takes that buffer unplayed, and ``SourceNotification/Kind/buffersProcessed(_:)`` reports it. ``play()`` right
  /// after queueing plays it. After ``rewind()`` a source counts nothing as played, and a later ``play()`` plays all of
  /// its queue.
  ///
  /// - Throws: ``AudioError`` with the code `sourceHasBuffer` for a source that was created with a buffer,
  ///   `formatMismatch` for a buffer that differs from those in the queue, `wrongDevice` for one of another device. No
  ///   buffer is appended then.
  ///
  /// The OpenAL counterpart is `alSourceQueueBuffers`.
  public func queue(_ buffers: [SoundBuffer]) throws(AudioError) {
    let operation = "queue buffers"
    try checkQueue(operation)
    guard let first = buffers.first else { return }
    try Self.check(buffers, for: context, operation)
    let unplaced = try context.withState { state throws(AudioError) in
      // Another thread may have given the source a buffer meanwhile.
      try checkQueue(operation)
      let head = heldBuffers.withLock { $0.first } ?? first
      if let other = buffers.first(where: { $0.format != head.format || $0.bytesPerSample != head.bytesPerSample }) {
        throw AudioError(
          code: .formatMismatch,
          operation: operation,
          message: "\(other.format) in \(8 * other.bytesPerSample) bits does not go behind \(head.format) in"
            + " \(8 * head.bytesPerSample) bits. Convert one, or use another source."
        )
      }
      try state.changing(self) { state throws(AudioError) in
        try context.handle.queue(buffers.map(\.id), on: id)
        heldBuffers.withLock { $0 += buffers }
      }
      state.setFormat(head.format, of: key)
      state.setMultichannelWarning(first.multichannelWarning, of: self)
      return state.records[key].scene.takeUnplacedSound()
    }
    if let unplaced { context.report(unplaced: unplaced) }
  }

  /// Throws where the source plays no queue.
  private func checkQueue(_ operation: String) throws(AudioError) {
    guard !hasQueue else { return }
    let what = stream == nil ? "a buffer of its own" : "a stream"
    throw AudioError(
      code: .sourceHasBuffer,
      operation: operation,
      message: "the source plays \(what). Create one with SoundSource(in:) for a queue."
    )
  }

  /// The number of buffers at the head of the queue that were played to their end; 0 while the queue loops.
  ///
  /// For a source that has stopped it counts all buffers, also those that were queued after it stopped: see
  /// ``queue(_:)``.
  ///
  /// The OpenAL counterpart is `AL_BUFFERS_PROCESSED`.
  public var processedBufferCount: Int {
    guard hasQueue else { return 0 }
    let count = read {
      context.handle.processedBuffers(id)
    } scheduled: {
      $0.records[key].library.processedBufferCount(by: context.handle)
    }
    // The library reports all buffers of a lost device as played.
    return context.handle.isLost ? 0 : count
  }

  /// Takes the buffers that were played to their end from the queue, and returns them in their order.
  ///
  /// A source that has stopped returns all buffers, also those that were queued after it stopped and were never
  /// audible: see ``queue(_:)``. The result is empty while the queue loops, and for a source with a buffer of its own.
  ///
  /// The OpenAL counterpart is `alSourceUnqueueBuffers`.
  public func unqueueProcessed() -> [SoundBuffer] {
    guard hasQueue else { return [] }
    return context.withState { state in
      state.changing(self) { state in state.takePlayed(of: self) }
    }
  }
}
