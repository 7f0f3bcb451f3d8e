internal import AudioSupport
public import FileDecode
internal import PCM
internal import Spatial3D

/// A file to which the sound of a bus is recorded.
///
/// ``Bus/record(to:codec:_:)`` and ``AudioWorld/recordMix(to:codec:)`` begin a recording. It ends with ``stop()``, with
/// its release, or with the world, and then its file has its name. `AudioContext.onDiagnostic` reports a recording that
/// fails, such as on a full disk: the mix goes on, and the unfinished file is removed.
public final class BusRecording: Sendable {
  /// The path of the file.
  public let path: String

  /// The rate and the channels of the file.
  public let format: PCMFormat

  private let file: RecordingFile
  private let tap: StripTap
  private let strip: Weak<BusStrip>

  /// The time that the recording keeps for a slow disk.
  private static let buffering = Duration.seconds(8)

  /// A recording from a frame of the mix on; for `nil` from the frame of ``begin(at:)``.
  init(
    _ writer: consuming AudioFileWriter,
    of strip: BusStrip,
    _ point: TapPoint,
    from firstFrame: Int?,
    in context: AudioContext
  ) {
    (path, format) = (writer.path, writer.format)
    self.strip = Weak(strip)
    file = RecordingFile(writer, from: firstFrame) { [context = Weak(context)] error in
      context.object?.report(.mixRecordingFailed(error.message))
    }
    let ring = strip.makeRing(for: Self.buffering)
    tap = StripTap(point, ring, readsInline: strip.readsTapsInline, file)
    strip.add(tap)
  }

  deinit { strip.object?.end(tap) }

  /// Lets the file begin at a frame of the mix that the tap has.
  func begin(at frame: Int) { file.begin(at: frame) }

  /// The duration of the file so far; frames of the last 20 ms may be missing, and more on a slow disk.
  public var duration: Duration { format.duration(ofFrames: file.frameCount) }

  /// The number of frames that were lost because the disk was too slow; the file has silence for them.
  public var lostFrames: Int { tap.ring.lostFrames }

  /// Ends the recording, and waits until the file has its name; a second call returns the same.
  ///
  /// - Throws: `GameAudioError` with the code `recordingFailed`; the message has the reason. The file is gone then.
  public func stop() async throws(GameAudioError) {
    strip.object?.end(tap)
    do throws(AudioFileError) {
      try await file.waitUntilClosed()
    } catch {
      throw .recording(error, path)
    }
  }

  /// Ends the recording on the present thread, which writes the rest of the file.
  ///
  /// It may take as long as a slow disk takes: ``stop()`` does not block the thread.
  ///
  /// - Throws: `GameAudioError` like ``stop()``.
  public func finish() throws(GameAudioError) {
    strip.object?.end(tap)
    do throws(AudioFileError) {
      try file.finish(tap.ring)
    } catch {
      throw .recording(error, path)
    }
  }
}

extension GameAudioError {
  static func notProcessed(_ bus: String, _ path: String) -> GameAudioError {
    GameAudioError(
      .busNotProcessed,
      "The bus \(bus) cannot be recorded to \(path), because it has no sum. Record a bus of a world that was made with"
        + " AudioWorld(processing: true), or that is in an OfflineRenderer; up to \(StemIndex.limit - 1) buses beside the"
        + " main bus have one.",
      path: path
    )
  }

  static func recording(_ error: AudioFileError, _ path: String) -> GameAudioError {
    GameAudioError(.recordingFailed, "The mix cannot be recorded: \(error.message)", path: path)
  }
}
