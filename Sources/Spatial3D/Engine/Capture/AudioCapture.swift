public import PCM

/// An audio input for recording, such as a microphone.
///
/// The system records on its own from ``start()`` to ``stop()``, and keeps the recorded frames until they are read.
/// Read more often than the capture's memory lasts: frames that arrive while it is full are lost.
///
/// The OpenAL counterpart is a capture device (`ALC_EXT_CAPTURE`).
public struct AudioCapture: ~Copyable, Sendable {
  /// The system's name of the input.
  public let name: String

  /// The rate and the channels of the read frames; the library converts the input's own format to them.
  public let format: PCMFormat

  /// Whether the input is recorded: between ``start()`` and ``stop()``.
  public private(set) var isRecording = false

  private let handle: CaptureHandle

  /// Opens an input by name, or the default one, and does not record yet.
  ///
  /// - Parameters:
  ///   - name: One of ``inputNames``; `nil` for the default input.
  ///   - format: Mono, stereo, quad or surround, at 8,000 to 192,000 Hz.
  ///   - capacity: The memory for frames that are not read yet. From 64 frames to 4,194,304, clamped.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where there is no such input, none at all, or it would
  ///   not open; `formatUnsupported` for any other format.
  ///
  /// The OpenAL counterpart is `alcCaptureOpenDevice`.
  public init(
    named name: String? = nil,
    format: PCMFormat = .mono(sampleRate: 48_000),
    capacity: Duration = .seconds(1)
  ) throws(AudioError) {
    let frames = format.frameCount(in: capacity).clamped(to: Ranges.captureCapacity)
    handle = try CaptureHandle(opening: name, format: format, frameCapacity: frames)
    self.name = handle.name
    self.format = format
  }

  /// Starts to record; does nothing while it records.
  ///
  /// The OpenAL counterpart is `alcCaptureStart`.
  public mutating func start() {
    guard !isRecording else { return }
    isRecording = true
    handle.start()
  }

  /// Ends recording, until it starts again; does nothing while it does not record.
  ///
  /// Recorded frames can still be read. The OpenAL counterpart is `alcCaptureStop`.
  public mutating func stop() {
    guard isRecording else { return }
    isRecording = false
    handle.stop()
  }

  /// How many recorded frames wait to be read.
  ///
  /// The OpenAL counterpart is `ALC_CAPTURE_SAMPLES`.
  public var availableFrameCount: Int { handle.availableFrameCount }

  /// Whether the input is still connected.
  ///
  /// A lost input has to be opened anew. `true` where the library cannot report it. The OpenAL counterpart is
  /// `ALC_CONNECTED`.
  public var isConnected: Bool { handle.isConnected }

  /// Replaces a buffer's contents with recorded frames, and returns their number; does not wait for any.
  ///
  /// The buffer takes over ``format`` and keeps its memory: a loop over reads allocates once.
  ///
  /// The OpenAL counterpart is `alcCaptureSamples`.
  public mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int = 4_096) -> Int {
    handle.read(frameCount: min(availableFrameCount, max(maxFrames, 0)), format: format, into: &buffer)
    return buffer.frameCount
  }

  /// The system's names of all inputs.
  ///
  /// The getter asks the system anew each time, which takes a few milliseconds.
  ///
  /// The OpenAL counterpart is `ALC_CAPTURE_DEVICE_SPECIFIER`.
  public static var inputNames: [String] { CaptureHandle.inputNames }

  /// The name of the default input; `nil` without a default input.
  ///
  /// The OpenAL counterpart is `ALC_CAPTURE_DEFAULT_DEVICE_SPECIFIER`.
  public static var defaultInputName: String? { CaptureHandle.defaultInputName }
}
