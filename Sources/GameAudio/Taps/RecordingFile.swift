internal import AudioSupport
internal import FileDecode
internal import PCM
internal import Synchronization

/// The file that a tap is recorded to.
///
/// The thread of the tap writes and closes it; a call that ends the recording may close it, too.
final class RecordingFile: TapReader {
  private struct State: ~Copyable, Sendable {
    var writer: AudioFileWriter
    /// The frame of the mix at which the file begins; `nil` until it is known, and nothing is taken.
    var firstFrame: Int?
    /// The result; `nil` while the file is open.
    var result: Result<Void, AudioFileError>?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// Guards the reading end of the ring, too.
  private let state: Lock<State>
  private let writtenFrames = Atomic(0)
  private let onFailure: @Sendable (AudioFileError) -> Void

  /// A recording to a new file, from a frame of the mix on, or from the frame of ``begin(at:)``.
  ///
  /// `onFailure` is called once, on the thread that meets the failure.
  init(
    _ writer: consuming AudioFileWriter,
    from firstFrame: Int?,
    onFailure: @escaping @Sendable (AudioFileError) -> Void
  ) {
    self.onFailure = onFailure
    state = Lock(State(writer: writer, firstFrame: firstFrame))
  }

  /// Lets the file begin at a frame of the mix: earlier frames are dropped.
  func begin(at frame: Int) { state.withLock { $0.firstFrame = frame } }

  /// The frames of the file so far, with the silence of lost frames.
  var frameCount: Int { writtenFrames.load(ordering: .relaxed) }

  func read(_ ring: TapRing) {
    // The lock is free between two chunks.
    while case .wrote(let failure) = writeNext(of: ring) {
      if let failure { onFailure(failure) }
    }
  }

  func end(_ ring: TapRing) {
    read(ring)
    close()
  }

  private enum Step: Sendable {
    case wrote(failure: AudioFileError?)
    case nothing
  }

  /// Writes the next chunk; behind a failure the chunks are dropped.
  private func writeNext(of ring: TapRing) -> Step {
    state.withLock { state in
      guard let firstFrame = state.firstFrame, let chunk = ring.take()?.from(firstFrame) else { return .nothing }
      guard state.result == nil else { return .wrote(failure: nil) }
      do throws(AudioFileError) {
        // Silence keeps the rest of the file in time.
        var lost = chunk.lostFrames
        while lost > 0 {
          let count = min(lost, MixTime.tick)
          try state.writer.write(.silence(count, ring.format))
          lost -= count
        }
        try state.writer.write(chunk.samples)
        writtenFrames.wrappingAdd(chunk.lostFrames + chunk.samples.frameCount, ordering: .relaxed)
        return .wrote(failure: nil)
      } catch {
        state.result = .failure(error)
        return .wrote(failure: error)
      }
    }
  }

  /// Ends the file and gives it its name; a second call does nothing.
  private func close() {
    let (failure, waiting) = state.withLock { state -> (AudioFileError?, [CheckedContinuation<Void, Never>]) in
      var failure: AudioFileError?
      if state.firstFrame == nil {
        // The recording has not begun: the writer removes its file at its end.
        state.result = .success(())
      } else if state.result == nil {
        do throws(AudioFileError) {
          try state.writer.close()
          state.result = .success(())
        } catch {
          failure = error
          state.result = .failure(error)
        }
      }
      defer { state.waiting = [] }
      return (failure, state.waiting)
    }
    if let failure { onFailure(failure) }
    for task in waiting { task.resume() }
  }

  /// Waits until the file is closed, or has failed.
  func waitUntilClosed() async throws(AudioFileError) {
    await withCheckedContinuation { continuation in
      let isClosed = state.withLock { state in
        if state.result == nil { state.waiting.append(continuation) }
        return state.result != nil
      }
      if isClosed { continuation.resume() }
    }
    try state.withLock { $0.result ?? .success(()) }.get()
  }

  /// Writes the rest of a ring that gets no more frames, and closes the file on the present thread.
  func finish(_ ring: TapRing) throws(AudioFileError) {
    end(ring)
    try state.withLock { $0.result ?? .success(()) }.get()
  }
}

extension MixChunk {
  /// The chunk without the frames before a frame of the mix.
  fileprivate func from(_ first: Int) -> MixChunk {
    guard frame < first else { return self }
    let channelCount = samples.format.channelCount
    let dropped = min(first - frame, samples.frameCount)
    var rest = PCMBuffer<Float>(format: samples.format)
    rest.append(frames: samples.frameCount - dropped) { room in
      for sample in samples.samples[(dropped * channelCount)...] { room.append(sample) }
    }
    return MixChunk(frame: frame + dropped, lostFrames: 0, samples: rest)
  }
}

extension PCMBuffer<Float> {
  /// Silent frames.
  fileprivate static func silence(_ frameCount: Int, _ format: PCMFormat) -> PCMBuffer {
    var silence = PCMBuffer(format: format)
    silence.append(frames: frameCount) { $0.append(repeating: 0, count: frameCount * format.channelCount) }
    return silence
  }
}
