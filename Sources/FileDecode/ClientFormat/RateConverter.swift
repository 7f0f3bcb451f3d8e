#if Resampling
  internal import CSpatial3DSoxr

  /// A change of sample rate by libsoxr, in one direction through a sound.
  ///
  /// The only owner of its converter: it deletes the converter at its own end and never hands it out. Sendable because
  /// libsoxr binds a converter to no thread, and because every use of it is `mutating`, with the only owner's exclusive
  /// access.
  @safe struct RateConverter: ~Copyable, @unchecked Sendable {
    private let pointer: soxr_t
    private let channelCount: Int

    /// The reason of a failed conversion, in libsoxr's words.
    struct Failure: Error {
      let report: String

      init(_ error: soxr_error_t?) {
        // The texts of libsoxr are constants.
        report = unsafe error.map { unsafe String(cString: $0) } ?? "no converter"
      }

      private init(report: String) { self.report = report }

      /// The converter accepts no input and returns no output.
      static let stuck = Failure(report: "the converter is stuck")
    }

    /// A converter between two rates; only their ratio counts.
    init(_ ratio: RateRatio, channelCount: Int) throws(Failure) {
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
      guard let created = unsafe created else { throw unsafe Failure(error) }
      unsafe pointer = created
      self.channelCount = channelCount
    }

    deinit {
      unsafe soxr_delete(pointer)
    }

    /// Converts frames and appends up to a number of output frames; returns the number of input frames.
    ///
    /// An empty input stands for the end. After a failure every call fails.
    mutating func append(_ samples: Span<Float>, to output: inout OutputSpan<Float>) throws(Failure) -> Int {
      var taken = 0
      var error: soxr_error_t?
      let countBefore = output.count
      unsafe output.withUnsafeMutableBufferPointer { memory, initialized in
        guard let start = memory.baseAddress else { return }
        let room = (memory.count - initialized) / channelCount
        var done = 0
        // There is room for `room` frames behind the samples that are initialised.
        unsafe samples.withUnsafeBufferPointer { source in
          let input = samples.isEmpty ? nil : source.baseAddress
          unsafe error = soxr_process(
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
      if unsafe error != nil { throw unsafe Failure(error) }
      guard taken > 0 || samples.isEmpty || output.count > countBefore else { throw .stuck }
      return taken
    }
  }
#else
  internal import AudioSupport

  /// A change of sample rate by the package's own filter, in one direction through a sound.
  struct RateConverter: ~Copyable, Sendable {
    private var converter: SampleRateConverter

    /// The reason of a failed conversion, of which the own filter has none.
    struct Failure: Error {
      let report: String
    }

    /// A converter between two rates; only their ratio counts.
    init(_ ratio: RateRatio, channelCount: Int) throws(Failure) {
      converter = SampleRateConverter(ratio, channelCount: channelCount, filter: Self.filter(of: ratio))
    }

    /// Converts frames and appends up to a number of output frames; returns the number of input frames.
    ///
    /// An empty input stands for the end.
    mutating func append(_ samples: Span<Float>, to output: inout OutputSpan<Float>) throws(Failure) -> Int {
      converter.append(samples, to: &output)
    }

    /// The filters of the last ratios.
    ///
    /// A computation takes 2 to 20 ms, and each seek has a converter of its own. Files of a game have few rates, and a
    /// filter takes up to 1 MiB.
    private static let filters = Lock(RecentFilters(limit: 4))

    private static func filter(of ratio: RateRatio) -> ResamplingFilter {
      let shape = ResamplingFilter.Shape(ratio)
      if let known = filters.withLock({ $0.filter(of: shape) }) { return known }
      // Outside of the lock: threads that convert at other ratios do not wait.
      let filter = ResamplingFilter(shape)
      return filters.withLock { $0.keep(filter) }
    }
  }
#endif

extension RateConverter {
  /// A converter for a file or a sound with a name.
  init(_ ratio: RateRatio, channelCount: Int, of name: String) throws(AudioFileError) {
    do throws(Failure) { try self.init(ratio, channelCount: channelCount) } catch { throw .resampling(name, error) }
  }

  /// Converts frames and appends up to a number of output frames; returns the number of input frames.
  ///
  /// An empty input stands for the end.
  mutating func append(
    _ samples: Span<Float>,
    _ frameCount: Int,
    to buffer: inout PCMBuffer<Float>,
    of name: String
  ) throws(AudioFileError) -> Int {
    var taken = 0
    do throws(Failure) {
      try buffer.append(frames: frameCount) { (output) throws(Failure) in taken = try append(samples, to: &output) }
    } catch {
      throw .resampling(name, error)
    }
    return taken
  }
}

extension AudioFileError {
  static func resampling(_ path: String, _ failure: RateConverter.Failure) -> AudioFileError {
    AudioFileError(
      .conversionFailed,
      path: path,
      message: "\(path) could not be converted to another rate. Free memory, or ask for the file's own rate.",
      underlying: failure.report
    )
  }
}
