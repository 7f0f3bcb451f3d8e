internal import CSpatial3DShim
internal import Synchronization

extension ContextHandle {
  /// A call for sources, which applies to all of them at the same frame of the mix.
  enum Verb {
    case play
    case pause
    case stop
    case rewind
  }

  func perform(_ verb: Verb, _ ids: [UInt32]) {
    guard !ids.isEmpty else { return }
    countStart(verb)
    // The shim reads the array before it returns.
    unsafe s3d_sources_perform(pointer, s3d_verb(verb), ids, Int32(ids.count))
  }

  /// Performs a call for one source, without an array.
  func perform(_ verb: Verb, _ id: UInt32) {
    countStart(verb)
    // The shim reads the name before it returns.
    unsafe withUnsafePointer(to: id) { unsafe s3d_sources_perform(pointer, s3d_verb(verb), $0, 1) }
  }

  private func countStart(_ verb: Verb) { if verb == .play { startCount.add(1, ordering: .releasing) } }

  /// Whether the library can delay starts until a time of the clock.
  var canDelay: Bool { unsafe s3d_context_can_delay(pointer) }

  /// Whether sources play silence ahead of a scheduled start.
  var usesPadding: Bool { !canDelay && device.kind == .output }

  /// Plays sources, none of them paused, at a time of the clock.
  func play(_ ids: [UInt32], at nanoseconds: Int64) {
    guard !ids.isEmpty else { return }
    countStart(.play)
    // The shim reads the array before it returns.
    unsafe s3d_sources_play_at(pointer, ids, Int32(ids.count), nanoseconds)
  }

  /// Rewinds a paused or waiting source, so that it starts at its position instead of resuming.
  func rewindInPlace(_ id: UInt32) {
    let frame = position(id).frame
    perform(.rewind, id)
    seek(id, to: frame)
  }

  /// The reads of a source's numbers, for a caller that keeps the handle alive.
  ///
  /// A call of the handle itself retains the handle until the call ends, for a tenth of the time of a read.
  @inline(__always)
  var reads: SourceReads { unsafe SourceReads(pointer: pointer) }

  /// The state of a source.
  @inline(__always)
  func state(_ id: UInt32) -> SourceState { reads.state(id) }

  /// Appends buffers to a source's queue.
  func queue(_ buffers: [UInt32], on id: UInt32) throws(AudioError) {
    _ = try creating(
      "queue buffers",
      (),
      failure: { _ in (.refusedByLibrary, "the library would not take \(buffers.count) buffers.") },
      { _ in
        // The shim reads the array before it returns.
        unsafe s3d_source_queue(pointer, s3d_source(id: id), buffers, Int32(buffers.count))
      }
    )
  }

  func unqueue(_ count: Int, from id: UInt32) { unsafe s3d_source_unqueue(pointer, s3d_source(id: id), Int32(count)) }

  /// Removes all buffers from a source's queue, played or not, and resets the source to its initial state.
  func clearQueue(_ id: UInt32) { unsafe s3d_source_clear_queue(pointer, s3d_source(id: id)) }

  /// Replaces the buffers of a source that does not play.
  func hold(_ buffers: [UInt32], asQueue: Bool, on id: UInt32) {
    guard asQueue || buffers.count == 1 else { return }
    // The shim reads the array before it returns. It reads one element where this is no queue, and the array has one.
    unsafe s3d_source_set_buffers(pointer, s3d_source(id: id), buffers, Int32(buffers.count), asQueue)
  }

  /// Plays a source from a frame of its buffers; the frame may have a fraction.
  func restart(_ id: UInt32, at frame: Double) { unsafe s3d_source_restart(pointer, s3d_source(id: id), Float(frame)) }

  /// Sets whether a source loops, regardless of the scene.
  func setLooping(_ isLooping: Bool, _ id: UInt32) {
    var update = s3d_source_update()
    update.source = s3d_source(id: id)
    update.changed = SourceProperties.looping.rawValue
    update.is_looping = isLooping
    // The shim reads the update before it returns. It reads no details for this property.
    unsafe s3d_source_apply(pointer, &update, nil)
  }

  @inline(__always)
  func processedBuffers(_ id: UInt32) -> Int { unsafe Int(s3d_source_processed(pointer, s3d_source(id: id))) }

  @inline(__always)
  func frame(_ id: UInt32) -> Int { reads.frame(id) }

  /// Moves a source to a frame of its buffers; the frame may have a fraction.
  func seek(_ id: UInt32, to frame: Double) {
    // The library takes no higher frame.
    unsafe s3d_source_seek(pointer, s3d_source(id: id), min(frame, Double(Int32.max)))
  }

  /// The frame that is mixed next, and the latency of that mix.
  func frameAndLatency(_ id: UInt32) -> (frame: Int, latency: Duration) {
    let position = unsafe s3d_source_read_position(pointer, s3d_source(id: id))
    let latency = unsafe s3d_context_read_latency(pointer)
    // The upper half is whole frames.
    let frame = Int(position.fixed_frame >> 32)
    guard latency.clock >= 0 else { return (frame, .zero) }
    let reading = LatencyReading(
      frameClock: position.clock,
      latencyClock: latency.clock,
      latency: latency.nanoseconds
    )
    return (frame, .nanoseconds(reading.latencyOfFrame))
  }
}

extension s3d_verb {
  fileprivate init(_ verb: ContextHandle.Verb) {
    switch verb {
    case .play: self = S3D_PLAY
    case .pause: self = S3D_PAUSE
    case .stop: self = S3D_STOP
    case .rewind: self = S3D_REWIND
    }
  }
}

// MARK: - Sources that end

extension ContextHandle {
  /// Whether the library ends a sound within one sample.
  var cutsSounds: Bool {
    device.lacksStopFades || version.map { $0 < LibraryVersion(1, 21, 1) } ?? false
  }

  /// Creates a source with the buffers of another, and with default values.
  func createSource(withBuffersOf other: UInt32) -> UInt32? {
    var created = s3d_source()
    guard unsafe s3d_source_create(pointer, s3d_buffer(id: 0, borrowed: 0), &created) == S3D_OK else { return nil }
    unsafe s3d_source_copy_buffers(pointer, s3d_source(id: other), created)
    return created.id
  }

  /// Gives a new source of the library the state that a verb leads to, without a sound; the caller applies its values.
  func bring(_ id: UInt32, to verb: Verb, at frame: Double) {
    guard verb == .pause || verb == .stop else { return }
    silenceWithoutEnd(id)
    perform(.play, id)
    perform(verb, id)
    if verb == .pause { seek(id, to: frame) }
  }

  /// Sets the gains of sources, without a lower limit, all in the same mix.
  func setGains(_ gains: some Sequence<(id: UInt32, gain: Float)>) {
    let transaction = unsafe s3d_transaction_begin(pointer)
    for (id, gain) in gains { s3d_transaction_gain(s3d_source(id: id), gain) }
    unsafe s3d_transaction_end(pointer, transaction)
  }

  /// Ends the sends of sources to effects.
  func endSends(of ids: some Sequence<UInt32>, limit: Int) {
    let transaction = unsafe s3d_transaction_begin(pointer)
    for id in ids {
      for index in 0..<Int32(limit) {
        unsafe s3d_transaction_send(pointer, s3d_source(id: id), index, s3d_effect_slot(id: 0), s3d_filter())
      }
    }
    unsafe s3d_transaction_end(pointer, transaction)
  }
}

// MARK: - Sources on a lost device

extension ContextHandle {
  /// Silences a source until its gain is applied again.
  func silence(_ id: UInt32) { unsafe s3d_source_set_gain(pointer, s3d_source(id: id), 0) }

  /// Silences a source, and keeps it from an end, until its gain and its loop flag are applied again.
  ///
  /// A source is paused only while it plays. The mixer may come between the two calls, and play a short sound to its
  /// end.
  func silenceWithoutEnd(_ id: UInt32) {
    silence(id)
    setLooping(true, id)
  }
}

/// Reads numbers of sources from the library, without a reference to the handle of the context.
@safe struct SourceReads {
  fileprivate let pointer: OpaquePointer

  /// The state of a source.
  @inline(__always)
  func state(_ id: UInt32) -> SourceState { SourceState(unsafe s3d_source_state(pointer, s3d_source(id: id))) }

  /// The frame of a source's buffers that is mixed next.
  @inline(__always)
  func frame(_ id: UInt32) -> Int { unsafe Int(s3d_source_frame(pointer, s3d_source(id: id))) }
}
