internal import FileDecode
internal import PCM
public import Spatial3D

// MARK: - Taps

extension Bus {
  /// Hands the sound of the bus to a closure, chunk by chunk, until the token is released.
  ///
  /// A thread of the tap calls the closure, in the order of the mix. The closure may wait: the mix goes on, and the
  /// tap keeps the chunks of some time. It drops later frames and counts them in the next chunk that it keeps, see
  /// ``MixChunk/lostFrames``. In an `OfflineRenderer`, the thread that renders calls the closure before `render`
  /// returns, and no frame is lost. The closure gets the last chunks behind the end of the world. The tap keeps the
  /// closure: it captures the world weakly.
  ///
  /// The buses of a world that processes its mix have a sum, see ``inserts``. A tap of a bus without a sum gets
  /// nothing, and `AudioContext.onDiagnostic` reports that once for each bus.
  ///
  /// AVFAudio: `installTap(onBus:bufferSize:format:block:)`. Godot: `AudioEffectCapture`. Wwise: capture callback.
  ///
  /// - Parameters:
  ///   - point: The place in the strip of the bus.
  ///   - buffering: The time that the tap keeps for a slow closure; 0.1 to 30 s, clamped. It takes 4 bytes a sample.
  ///   - handler: The closure.
  /// - Returns: The token of the tap; release it to end the tap.
  public func tap(
    _ point: TapPoint = .afterFader,
    buffering: Duration = .seconds(1),
    _ handler: @escaping @Sendable (_ chunk: MixChunk) -> Void
  ) -> NotificationToken {
    guard let (strip, ring) = makeRing(buffering) else { return NotificationToken {} }
    let reader = TapHandler(handler)
    return strip.begin(StripTap(point, ring, readsInline: strip.readsTapsInline, reader)) { reader.cancel() }
  }

  /// The sound of the bus as a sequence of chunks, from now on.
  ///
  /// ```swift
  /// let analysis = Task {
  ///   for await chunk in mixer.main.samples(.beforeInserts) {
  ///     spectrum.append(chunk.samples)
  ///   }
  /// }
  /// ```
  ///
  /// The sequence keeps the chunks of a time that no task has taken; it drops later frames and counts them, offline
  /// too. The sequence of a bus without a sum has no chunks, and ends at once.
  ///
  /// - Parameters:
  ///   - point: The place in the strip of the bus.
  ///   - buffering: The time that the sequence keeps for slow tasks; 0.1 to 30 s, clamped.
  /// - Returns: The sequence, which ends the tap with its last copy.
  public func samples(_ point: TapPoint = .afterFader, buffering: Duration = .seconds(1)) -> BusSamples {
    guard let (strip, ring) = makeRing(buffering) else {
      return BusSamples(SampleInbox(nil), token: NotificationToken {})
    }
    let inbox = SampleInbox(ring)
    return BusSamples(inbox, token: strip.begin(StripTap(point, ring, readsInline: strip.readsTapsInline, inbox)) {})
  }

  /// Records the sound of the bus to a file, from the next piece of the mix until ``BusRecording/stop()``.
  ///
  /// A thread writes the file. The mix does not wait for the disk: the recording keeps up to 8 s, and counts what is
  /// lost beyond. The frames are the frames of the mix, and a suspended world records nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the file; its extension selects the kind, as `AudioFileWriter.init` does. The file has the
  ///     name from the end of the recording on, and replaces an older file then.
  ///   - codec: The codec; `nil` for the default of the kind of file.
  ///   - point: The place in the strip of the bus.
  /// - Returns: The recording, which ends with its last reference.
  /// - Throws: `GameAudioError` with the code `busNotProcessed` for a bus without a sum, and `recordingFailed` for a
  ///   file that cannot be created or cannot hold the format of the mix.
  public func record(
    to path: String,
    codec: AudioCodec? = nil,
    _ point: TapPoint = .afterFader
  ) throws(GameAudioError) -> BusRecording {
    try record(to: path, codec: codec, point, from: 0)
  }

  /// Records from a frame of the mix on; for `nil` from the frame of ``BusRecording/begin(at:)``.
  fileprivate func record(
    to path: String,
    codec: AudioCodec?,
    _ point: TapPoint,
    from firstFrame: Int?
  ) throws(GameAudioError) -> BusRecording {
    guard let strip = world.stripToRead(self) else { throw .notProcessed(name.name, path) }
    let writer: AudioFileWriter
    do throws(AudioFileError) {
      writer = try AudioFileWriter(creating: path, format: strip.format, codec: codec)
    } catch {
      throw .recording(error, path)
    }
    return BusRecording(writer, of: strip, point, from: firstFrame, in: world.context)
  }

  /// The strip of the bus, and a ring for a tap of it; `nil` for a bus without a sum, which is reported.
  private func makeRing(_ buffering: Duration) -> (BusStrip, TapRing)? {
    let range: ClosedRange<Duration> = .milliseconds(100) ... .seconds(30)
    check("tap.buffering", buffering, in: range)
    guard let strip = world.stripToRead(self) else { return nil }
    return (strip, strip.makeRing(for: range.nearest(to: buffering)))
  }
}

extension AudioWorld {
  /// Records the mix to a file: ``Bus/record(to:codec:_:)`` of the main bus.
  ///
  /// ```swift
  /// let take = try world.recordMix(to: "take.flac", codec: .int24)
  /// try await Task.sleep(for: .seconds(10))
  /// try await take.stop()
  /// ```
  ///
  /// The file has the samples that the output plays, or that an `OfflineRenderer` returns.
  ///
  /// FMOD: `FMOD_OUTPUTTYPE_WAVWRITER`. Wwise: `StartOutputCapture`. Godot: `AudioEffectRecord`.
  ///
  /// - Throws: `GameAudioError` like ``Bus/record(to:codec:_:)``.
  public func recordMix(to path: String, codec: AudioCodec? = nil) throws(GameAudioError) -> BusRecording {
    try mixer.main.record(to: path, codec: codec)
  }

  /// Records the sums of buses to files that begin at one frame of the mix, one file for each bus.
  ///
  /// ```swift
  /// let stems = try world.recordStems(of: [sfx, speech], in: folder)
  /// ```
  ///
  /// A file is named after its bus, such as `speech.wav`, with `_` for each `/`. The sums are aligned: the sum of the
  /// files is the sum before the inserts of the main bus, if the buses have all sounds of the world and none is inside
  /// another. A bus gets a sum as by ``Bus/record(to:codec:_:)``.
  ///
  /// - Parameters:
  ///   - buses: The buses.
  ///   - folder: The path of a folder, which exists.
  ///   - fileExtension: The extension of the files, which selects their kind.
  ///   - codec: The codec; `nil` for the default of the kind of file.
  /// - Returns: The recordings, in the order of the buses.
  /// - Throws: `GameAudioError` like ``Bus/record(to:codec:_:)``. No file is left then.
  public func recordStems(
    of buses: [Bus],
    in folder: String,
    fileExtension: String = "wav",
    codec: AudioCodec? = nil
  ) throws(GameAudioError) -> [BusRecording] {
    var recordings: [BusRecording] = []
    for bus in buses {
      let name = bus.name.name.map { $0 == "/" ? "_" : $0 }
      let path = "\(folder)/\(String(name)).\(fileExtension)"
      recordings.append(try bus.record(to: path, codec: codec, .afterFader, from: nil))
    }
    // Each tap has all frames from here on.
    let frame = context.mixedFrames
    for recording in recordings { recording.begin(at: frame) }
    return recordings
  }
}

extension BusStrip {
  /// A ring for the frames of a time.
  func makeRing(for duration: Duration) -> TapRing {
    TapRing(format: format, frameCount: format.frameCount(in: duration), endsWithPieces: readsTapsInline)
  }

  /// Adds a tap, which lasts until its token ends.
  fileprivate func begin(_ tap: StripTap, onCancel end: @escaping @Sendable () -> Void) -> NotificationToken {
    add(tap)
    return NotificationToken { [weak self] in
      end()
      self?.end(tap)
    }
  }
}
