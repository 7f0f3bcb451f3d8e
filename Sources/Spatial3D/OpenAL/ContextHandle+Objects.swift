internal import CSpatial3DShim

extension ContextHandle {
  /// The library's error for lack of memory, and of sources.
  static let outOfMemory: s3d_error = 0xA005

  /// Creates a source of the library with a buffer.
  func createSource(buffer: UInt32, sourceCount: Int) throws(AudioError) -> UInt32 {
    try creating(
      "create a source",
      s3d_source(),
      failure: { error in
        guard error == Self.outOfMemory else { return (.refusedByLibrary, "the library would not make another.") }
        return (
          .sourceLimitReached,
          "the library has no more than the \(sourceCount) sources in use. Drop those that are inaudible."
        )
      },
      { created in unsafe s3d_source_create(pointer, s3d_buffer(id: buffer, borrowed: 0), &created) }
    ).id
  }

  func destroySource(_ id: UInt32) {
    unsafe s3d_source_destroy(pointer, s3d_source(id: id))
  }
}
