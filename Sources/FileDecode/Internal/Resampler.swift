#if Resampling
  internal import CSpatial3DSoxr

  /// A change of sample rate by libsoxr, in one direction through a sound.
  ///
  /// The only owner of its converter, which is deleted with it and never handed out. Sendable because libsoxr binds a
  /// converter to no thread, and because what touches it is `mutating`: it takes the only owner's exclusive access.
  @safe struct Resampler: ~Copyable, @unchecked Sendable {
    private let pointer: soxr_t
    private let channelCount: Int

    /// A converter between two rates, of which only the ratio counts; `nil` where libsoxr has no memory.
    init?(_ ratio: RateRatio, channelCount: Int) {
      var quality = unsafe soxr_quality_spec(UInt(SOXR_HQ), 0)
      var types = unsafe soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
      var threads = unsafe soxr_runtime_spec(1)
      var error: soxr_error_t?
      let created = unsafe soxr_create(
        Double(ratio.input),
        Double(ratio.output),
        UInt32(channelCount),
        &error,
        &types,
        &quality,
        &threads
      )
      guard let created = unsafe created else { return nil }
      unsafe pointer = created
      self.channelCount = channelCount
    }

    deinit {
      unsafe soxr_delete(pointer)
    }

    /// Takes frames and appends what comes out, up to a number of frames; returns how many it took.
    ///
    /// No frames at all stand for the end.
    mutating func append(_ samples: Span<Float>, to output: inout OutputSpan<Float>) -> Int {
      var taken = 0
      unsafe output.withUnsafeMutableBufferPointer { memory, initialized in
        guard let start = memory.baseAddress else { return }
        let room = (memory.count - initialized) / channelCount
        var done = 0
        // There is room for `room` frames behind the samples that are initialised.
        unsafe samples.withUnsafeBufferPointer { source in
          let input = samples.isEmpty ? nil : source.baseAddress
          _ = unsafe soxr_process(
            pointer,
            input,
            source.count / channelCount,
            &taken,
            start + initialized,
            room,
            &done
          )
        }
        initialized += done * channelCount
      }
      return taken
    }
  }
#endif
