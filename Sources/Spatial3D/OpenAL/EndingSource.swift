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
