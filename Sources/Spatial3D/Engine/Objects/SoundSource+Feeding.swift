internal import AudioSupport

extension SoundSource {
  /// The next request to the reader; `nil` if no request is due now.
  func nextRequest(for stream: Stream) -> StreamState.Request? {
    context.withState { state in
      guard state.records.isObserved(key), !state.handle.isLost else { return nil }
      // The library's count comes before the count of laps: the mixer continues, and buffers that it plays meanwhile
      // stay in the queue until their laps are counted.
      let played = context.handle.processedBuffers(id)
      state.updateStream(stream, key, context.handle.state(id))
      let count = stream.state.withLock { $0.isStarted ? min(played, $0.queue.countedChunks) : 0 }
      if count > 0 {
        state.performing { state in
          state.handle.unqueue(count, from: id)
          // The padding was the first buffer.
          state.records[key].library.removePadding(of: key, &state.schedule)
        }
        stream.buffers.withLock { $0.removeFirst(min(count, $0.count)) }
        stream.state.withLock { $0.queue.removeFirst(count) }
        state.recordPosition(key)
      }
      let length = state.lookAhead(of: stream, key)
      return stream.state.withLock { $0.nextRequest(queueLength: length) }
    }
  }

  /// Appends a delivery of the reader to the queue; returns the error that ended the stream, if any.
  ///
  /// Called without a lock.
  func take(
    _ delivery: StreamDelivery,
    askedFor generation: Int,
    by stream: Stream
  ) -> AudioError? {
    var failure = delivery.failure
    var buffer: SoundBuffer?
    if delivery.samples.frameCount > 0 {
      do throws(AudioError) {
        buffer = try SoundBuffer(delivery.samples, in: context)
      } catch {
        failure = failure ?? error
      }
    }
    let isWanted = context.withState { state in
      guard state.records.isObserved(key) else { return false }
      state.updateStream(stream, key, context.handle.state(id))
      guard let order = stream.state.withLock({ $0.accept(generation) }) else { return false }
      if order.flushes { state.flush(stream, key, of: self) }
      if let buffer {
        do throws(AudioError) {
          try state.append(buffer, delivery.chunk, to: stream, of: self, key)
        } catch {
          failure = failure ?? error
        }
      }
      // If the source ended meanwhile, the reader already has a new target.
      let isStillWanted = stream.state.withLock { $0.generation == generation }
      if isStillWanted, delivery.isEnd || failure != nil {
        stream.state.withLock { $0.readerEnded(failed: failure != nil, inEmptyLap: delivery.isEmptyLap) }
        state.observation.endIfNothingIsLeft(of: stream, key, in: &state.records)
      }
      return true
    }
    return isWanted ? failure : nil
  }
}
