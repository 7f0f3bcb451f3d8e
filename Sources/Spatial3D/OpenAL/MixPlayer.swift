internal import AudioSupport
internal import CSpatial3DShim

/// The owner of the shim's player of a mix on an output.
///
/// It is `Sendable` because its pointer is set once. One thread at a time calls the functions of the player: the mixing
/// thread, and `deinit` behind it. Any thread reads the counters. The device of the context frees the memory when it
/// closes, and the player retains the context.
@safe final class MixPlayer: @unchecked Sendable {
  /// Whether the output asks for frames by a callback; else it plays a queue of buffers.
  let usesCallback: Bool

  private let pointer: OpaquePointer
  private let context: ContextHandle
  private let wake: Semaphore

  /// A player of a mix of loudspeakers; `nil` where there is no memory, or the layout is another.
  ///
  /// The player signals `wake` where the output has taken frames, if it uses a callback.
  init?(on context: ContextHandle, format: PCMFormat, mostAhead: Int, wake: Semaphore) {
    guard let layout = s3d_layout(format.layout) else { return nil }
    let made = unsafe s3d_player_create(
      context.pointer,
      layout,
      Int32(format.sampleRate),
      mostAhead,
      wake.pointer
    )
    guard let made = unsafe made else { return nil }
    unsafe pointer = made
    usesCallback = unsafe s3d_player_uses_callback(made)
    (self.context, self.wake) = (context, wake)
  }

  deinit {
    unsafe s3d_player_stop(pointer)
  }

  /// Whether it plays on the present output: a replacement of the library's device ends the source.
  var isStarted: Bool { unsafe s3d_player_is_started(pointer) }

  /// Plays from the next block on; returns whether the library made a source.
  func start() -> Bool { unsafe s3d_player_start(pointer) }

  /// Stops, and discards all frames that were not played.
  func stop() { unsafe s3d_player_stop(pointer) }

  /// Sets the number of frames with which a queue begins to play.
  func setAhead(_ frames: Int) { unsafe s3d_player_set_ahead(pointer, frames) }

  /// The number of frames that the output has not taken yet.
  var queuedFrames: Int { unsafe s3d_player_queued(pointer) }

  /// The number of frames that the output asked for, and that were not there.
  var missedFrames: Int { unsafe Int(s3d_player_missed(pointer)) }

  /// The number of gaps that these frames were.
  var underrunCount: Int { unsafe Int(s3d_player_underruns(pointer)) }

  /// Plays a block; returns `false` for a block without room, which it drops.
  func write(_ mix: PCMBuffer<Float>) -> Bool {
    precondition(mix.frameCount == Int(S3D_PLAYER_BLOCK))
    // The array has the samples of a block, and the shim copies them before it returns.
    return unsafe mix.samples.withUnsafeBufferPointer { samples in
      guard let first = samples.baseAddress else { return false }
      return unsafe s3d_player_write(pointer, first)
    }
  }
}
