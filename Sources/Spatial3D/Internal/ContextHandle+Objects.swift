internal import CSpatial3DShim

extension ContextHandle {
  /// What the library answers for want of memory, and of sources.
  private static let outOfMemory: s3d_error = 0xA005

  /// Uploads samples into a new buffer of the library.
  func createBuffer<Sample: PCMSample>(_ pcm: PCMBuffer<Sample>) throws(AudioError) -> UInt32 {
    let operation = "create a sound buffer"
    let format = pcm.format
    guard let layout = s3d_layout(format.layout), Ranges.bufferRate.contains(format.sampleRate) else {
      throw AudioError(
        code: .formatUnsupported,
        operation: operation,
        message: "\(format) cannot be played. Use mono, stereo, quad or 5.1 to 7.1 surround, at 1,000 to 768,000 Hz.",
        underlying: nil
      )
    }
    guard let byteCount = Int32(exactly: pcm.samples.count * MemoryLayout<Sample>.size) else {
      throw AudioError(
        code: .bufferTooLarge,
        operation: operation,
        message: "\(pcm.frameCount) frames of \(format) are more than the 2 GiB that a buffer holds. Stream the sound.",
        underlying: nil
      )
    }
    if let samples = pcm.samples as? [Float], let index = samples.firstIndex(where: { !$0.isFinite }) {
      throw AudioError(
        code: .invalidSamples,
        operation: operation,
        message: "sample \(index) is \(samples[index]), which would spoil the whole mix. Use finite samples.",
        underlying: nil
      )
    }
    let sample = Sample.self == Int16.self ? S3D_INT16 : S3D_FLOAT32
    return try creating(
      operation,
      .context,
      s3d_buffer(),
      failure: { error in
        if error == S3D_NOT_IN_LIBRARY {
          return (.notInLibrary, "the loaded OpenAL library does not play \(format) of \(Sample.self) samples.")
        }
        guard error == Self.outOfMemory else {
          return (.refusedByLibrary, "the library would not take \(byteCount) bytes of \(format).")
        }
        return (.outOfMemory, "\(byteCount) bytes of \(format) could not be stored. Drop buffers that no sound needs.")
      },
      { created in
        // The library copies the samples before the shim returns; the array keeps them in place until then.
        unsafe pcm.samples.withUnsafeBytes { bytes in
          unsafe s3d_buffer_create(
            pointer,
            layout,
            sample,
            Int32(format.sampleRate),
            bytes.baseAddress,
            byteCount,
            &created
          )
        }
      }
    ).id
  }

  func destroyBuffer(_ id: UInt32) {
    unsafe s3d_buffer_destroy(pointer, s3d_buffer(id: id))
  }

  /// A new source of the library that holds a buffer.
  func createSource(buffer: UInt32, sourceCount: Int) throws(AudioError) -> UInt32 {
    try creating(
      "create a source",
      .context,
      s3d_source(),
      failure: { error in
        guard error == Self.outOfMemory else { return (.refusedByLibrary, "the library would not make another.") }
        return (
          .sourceLimitReached,
          "the library has no more than the \(sourceCount) sources in use. Drop those that are not heard."
        )
      },
      { created in unsafe s3d_source_create(pointer, s3d_buffer(id: buffer), &created) }
    ).id
  }

  func destroySource(_ id: UInt32) {
    unsafe s3d_source_destroy(pointer, s3d_source(id: id))
  }
}
