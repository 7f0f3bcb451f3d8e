internal import CSpatial3DShim

/// The only owner of a buffer of the library, and of the samples that the library plays without a copy; deletes both,
/// in this order.
///
/// It is `Sendable` because its contents are set once and freed in `deinit` alone, and no code writes to borrowed
/// samples.
@safe final class BufferHandle: @unchecked Sendable {
  let context: ContextHandle
  private let buffer: s3d_buffer

  var id: UInt32 { buffer.id }

  /// The address of the samples that the library plays without a copy; 0 where it has a copy.
  var borrowed: UInt { buffer.borrowed }

  /// A buffer with a copy of samples.
  init<Sample: PCMSample>(
    _ sound: SoundDescription<Sample>,
    copying samples: [Sample],
    in context: ContextHandle
  ) throws(AudioError) {
    self.context = context
    buffer = try sound.creating { sound, created in
      // The library copies the samples before the shim returns; the array keeps their address valid until then.
      unsafe samples.withUnsafeBytes { bytes in
        unsafe s3d_buffer_create(context.pointer, &sound, bytes.baseAddress, &created)
      }
    }
  }

  /// A buffer that plays samples without a copy, if the library supports it; otherwise the library copies them.
  init<Sample: PCMSample>(
    _ sound: SoundDescription<Sample>,
    owning samples: consuming SampleMemory<Sample>,
    in context: ContextHandle
  ) throws(AudioError) {
    self.context = context
    // The shim takes the memory once it is called; this function frees it if the description is refused before that.
    let given = unsafe samples.release()
    var isTaken = false
    defer { if !isTaken { unsafe SampleMemory<Sample>.free(given) } }
    buffer = try sound.creating { sound, created in
      isTaken = true
      return unsafe s3d_buffer_create_owning(context.pointer, &sound, given, &created)
    }
  }

  /// A buffer with the samples of another, which may have another context, after frames of silence.
  init<Sample: PCMSample>(
    _ sound: SoundDescription<Sample>,
    after silence: Int,
    of other: BufferHandle,
    in context: ContextHandle
  ) throws(AudioError) {
    self.context = context
    let byteCount = silence * sound.format.channelCount * MemoryLayout<Sample>.size
    let (source, buffer) = (other.context, other.buffer)
    self.buffer = try sound.creating { sound, created in
      // The shim reads the other buffer's samples before it returns, and the caller retains that buffer.
      unsafe s3d_buffer_create_after_silence(
        context.pointer,
        &sound,
        source.pointer,
        buffer,
        Int32(byteCount),
        &created
      )
    }
  }

  /// Throws where the library does not support a layout, or a rate is out of range.
  static func checkPlayable(_ format: PCMFormat) throws(AudioError) {
    guard s3d_layout(format.layout) != nil, Ranges.bufferRate.contains(format.sampleRate) else {
      throw .unplayable(format)
    }
  }

  deinit {
    unsafe s3d_buffer_destroy(context.pointer, buffer)
  }
}

extension SoundDescription {
  /// Calls a function of the shim that creates a buffer, and throws its error.
  fileprivate func creating(_ create: (inout s3d_sound, inout s3d_buffer) -> s3d_error) throws(AudioError) -> s3d_buffer
  {
    guard let layout = s3d_layout(format.layout) else { throw .unplayable(format) }
    var sound = s3d_sound(self, layout: layout)
    return try Spatial3D.creating(
      AudioError.creatingBuffer,
      s3d_buffer(),
      failure: failure,
      { created in create(&sound, &created) }
    )
  }

  private func failure(_ error: s3d_error) -> (code: AudioError.Code, message: String) {
    if error == S3D_NOT_IN_LIBRARY {
      let loop = isWholeLoop ? "" : " with a loop range"
      return (.notInLibrary, "the loaded OpenAL library does not play \(format) of \(Sample.self) samples\(loop).")
    }
    guard error == ContextHandle.outOfMemory else {
      return (.refusedByLibrary, "the library would not take \(byteCount) bytes of \(format).")
    }
    return (.outOfMemory, "\(byteCount) bytes of \(format) could not be stored. Drop buffers that no sound needs.")
  }
}

extension s3d_sound {
  fileprivate init<Sample>(_ sound: SoundDescription<Sample>, layout: s3d_layout) {
    // The description has checked that the numbers fit.
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
