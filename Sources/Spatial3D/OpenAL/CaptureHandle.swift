internal import CSpatial3DShim

/// The only owner of an open input of the library; closes it.
///
/// It is `Sendable` because the pointer is set once and freed in `deinit` alone, and any thread may call every function
/// that takes it.
@safe struct CaptureHandle: ~Copyable, @unchecked Sendable {
  private let pointer: OpaquePointer

  init(opening name: String?, format: PCMFormat, frameCapacity: Int) throws(AudioError) {
    let operation = "open an audio input"
    guard ChannelLayout.loudspeakers.contains(format.layout), let layout = s3d_layout(format.layout),
      Ranges.captureRate.contains(format.sampleRate)
    else {
      throw AudioError(
        code: .formatUnsupported,
        operation: operation,
        message: "\(format) cannot be recorded. Use mono, stereo, quad or surround, at 8,000 to 192,000 Hz."
      )
    }
    // The library takes an empty name, and some of its own, for the default input.
    if let name, !Self.inputNames.contains(name) {
      throw AudioError(
        code: .deviceUnavailable,
        operation: operation,
        message: "there is no input named \"\(name.prefix(100))\". \(knownInputs())"
      )
    }
    unsafe pointer = try unsafe creatingPointer(
      operation,
      failure: { _ in (.deviceUnavailable, refusal(name, format)) },
      { created in
        let (rate, capacity) = (Int32(format.sampleRate), Int32(frameCapacity))
        // The shim copies the name before it returns.
        return unsafe s3d_capture_open(name, rate, layout, capacity, &created)
      }
    )
  }

  deinit {
    unsafe s3d_capture_close(pointer)
  }

  var name: String { unsafe takeName(s3d_capture_copy_name(pointer)) ?? "" }

  var availableFrameCount: Int { unsafe max(Int(s3d_capture_available(pointer)), 0) }

  var isConnected: Bool { unsafe s3d_capture_is_connected(pointer) }

  func start() { unsafe s3d_capture_start(pointer) }

  func stop() { unsafe s3d_capture_stop(pointer) }

  /// Replaces the contents of a buffer with available frames.
  func read(frameCount: Int, format: PCMFormat, into buffer: inout PCMBuffer<Float>) {
    buffer.removeAll(adopting: format)
    guard frameCount > 0 else { return }
    buffer.append(frames: frameCount) { span in
      // The span has room for exactly the requested frames, of the channels that the input was opened with. Only the
      // owner reads: the frames are still available, and the shim writes all of them.
      unsafe span.withUnsafeMutableBufferPointer { room, initializedCount in
        guard let samples = room.baseAddress else { return }
        let count = frameCount * format.channelCount
        unsafe samples.initialize(repeating: 0, count: count)
        unsafe s3d_capture_read(pointer, samples, Int32(frameCount))
        initializedCount = count
      }
    }
  }

  static var inputNames: [String] { unsafe takeNames(s3d_copy_input_names()) }

  static var defaultInputName: String? { unsafe takeName(s3d_copy_default_input_name()) }
}

/// The message about an input that would not open.
private func refusal(_ name: String?, _ format: PCMFormat) -> String {
  let failed = name.map { "the input \"\($0)\"" } ?? "the default input"
  return "\(failed) would not open as \(format). Connect one or start the sound server. \(knownInputs())"
}

private func knownInputs() -> String { knownNames(CaptureHandle.inputNames, of: "input") }
