internal import CSpatial3DShim

extension ContextHandle {
  /// A new buffer of the library with a copy of samples.
  func createBuffer<Sample: PCMSample>(
    _ sound: SoundDescription<Sample>,
    copying samples: [Sample]
  ) throws(AudioError) -> UInt32 {
    try creatingBuffer(sound) { sound, created in
      // The library copies the samples before the shim returns; the array keeps them in place until then.
      unsafe samples.withUnsafeBytes { bytes in
        unsafe s3d_buffer_create(pointer, &sound, bytes.baseAddress, &created)
      }
    }
  }

  func destroyBuffer(_ id: UInt32) {
    unsafe s3d_buffer_destroy(pointer, s3d_buffer(id: id))
  }

  private func creatingBuffer<Sample: PCMSample>(
    _ sound: SoundDescription<Sample>,
    _ create: (inout s3d_sound, inout s3d_buffer) -> s3d_error
  ) throws(AudioError) -> UInt32 {
    let format = sound.format
    guard let layout = s3d_layout(format.layout) else { throw .unplayable(format) }
    var described = s3d_sound(sound, layout: layout)
    return try creating(
      AudioError.creatingBuffer,
      .context,
      s3d_buffer(),
      failure: { error in
        if error == S3D_NOT_IN_LIBRARY {
          let loop = sound.isWholeLoop ? "" : " with a loop range"
          return (.notInLibrary, "the loaded OpenAL library does not play \(format) of \(Sample.self) samples\(loop).")
        }
        guard error == Self.outOfMemory else {
          return (.refusedByLibrary, "the library would not take \(sound.byteCount) bytes of \(format).")
        }
        return (
          .outOfMemory, "\(sound.byteCount) bytes of \(format) could not be stored. Drop buffers that no sound needs."
        )
      },
      { created in create(&described, &created) }
    ).id
  }
}

extension s3d_sound {
  init<Sample>(_ sound: SoundDescription<Sample>, layout: s3d_layout) {
    // The description has checked that all of it fits.
    self.init(
      layout: layout,
      sample: Sample.self == Int16.self ? S3D_INT16 : S3D_FLOAT32,
      sample_rate: Int32(sound.format.sampleRate),
      byte_count: Int32(sound.byteCount),
      has_loop_points: !sound.isWholeLoop,
      loop_start: Int32(sound.loopRange.lowerBound),
      loop_end: Int32(sound.loopRange.upperBound)
    )
  }
}
