internal import CSpatial3DShim

/// A source of the library that fades out, and that belongs to no source of the game any more.
///
/// OpenAL Soft before 1.21.1 ends a sound within one sample, which clicks; it changes a gain over the length of a mix.
final class EndingSource: Sendable {
  private let handle: ContextHandle
  let id: UInt32
  /// The buffers that the library plays, which outlive the source.
  private let buffers: [BufferHandle]

  init(_ id: UInt32, playing buffers: [BufferHandle], in handle: ContextHandle) {
    (self.id, self.buffers, self.handle) = (id, buffers, handle)
  }

  deinit { handle.destroySource(id) }
}

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
