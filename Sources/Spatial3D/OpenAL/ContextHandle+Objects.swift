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
        return (.sourceLimitReached, sourceLimitReached(at: sourceCount))
      },
      { created in unsafe s3d_source_create(pointer, s3d_buffer(id: buffer, borrowed: 0), &created) }
    ).id
  }

  private func sourceLimitReached(at count: Int) -> String {
    let limit = Int(device.output.source_limit)
    // The library may fail below the limit, for lack of memory.
    guard count >= limit else { return "the library has no memory for more than the \(count) sources in use." }
    let used = "all \(limit) sources that the context can have are in use. Drop those that are inaudible"
    guard limit < Ranges.sourceLimit.upperBound else { return "\(used)." }
    return "\(used), or ask for more with OutputSettings.sourceLimit."
  }

  func destroySource(_ id: UInt32) {
    unsafe s3d_source_destroy(pointer, s3d_source(id: id))
  }
}
