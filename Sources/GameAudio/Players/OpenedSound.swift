internal import AudioSupport
internal import FileDecode
internal import PCM
internal import Spatial3D

/// A sound that a player has opened: its properties, and the access to its frames.
final class OpenedSound: Sendable {
  let name: String
  /// The description of the sound.
  let definition: Sound
  let format: PCMFormat
  /// The frames of the sound, without those that a codec puts around it; `nil` if the reader does not know them.
  let frameCount: Int?
  /// The frames that the file or the sound repeats.
  let loopRange: Range<Int>?
  /// The file that it reads; `nil` for samples and for a reader of the game.
  var path: String? { definition.variations[0].path }
  /// Whether the samples are in memory: a reader then opens and delivers at once.
  var isInMemory: Bool { if case .samples = content { true } else { false } }
  private let content: Content

  /// The samples, or their stream, which each reader opens.
  private enum Content {
    case samples(PCMBuffer<Float>)
    case stream(StreamSource)
  }

  /// The bytes of decoded samples up to which a file is kept in memory: 2.7 s of stereo at 48,000 Hz.
  ///
  /// Chosen: a short sound begins at once and repeats without a seek, and a playlist of a hundred of them takes 100 MiB
  /// at most.
  private static let mostBytes = 1 << 20

  /// Opens and describes a sound, and decodes a short file.
  ///
  /// Opens files, and takes as long as that takes.
  convenience init(_ sound: Sound) throws(GameAudioError) {
    do {
      switch sound.variations[0].source {
      case .samples(let samples): try self.init(samples, sound, sound.loopRange)
      case .file(let path): try self.init(file: path, sound)
      case .stream(let stream): try self.init(stream, sound)
      case .nothing:
        throw GameAudioError(.emptySound, "The list of the sound's files or samples is empty. Give it at least one.")
      }
    } catch let error as GameAudioError {
      throw error
    } catch {
      throw GameAudioError(.soundUnavailable, "\(error)", path: sound.variations[0].path)
    }
  }

  private init(
    _ sound: Sound,
    _ format: PCMFormat,
    _ frameCount: Int?,
    _ loopRange: Range<Int>?,
    _ content: Content
  ) throws(GameAudioError) {
    (name, definition) = (sound.variations[0].name, sound)
    guard format.sampleRate > 0, format.channelCount > 0 else {
      throw GameAudioError(.soundUnavailable, "\(name) has the format \(format), which cannot be played.")
    }
    if let loopRange = sound.loopRange, loopRange.clamped(to: 0..<(frameCount ?? .max)).isEmpty {
      throw GameAudioError(
        .invalidLoopRange,
        "The loop range \(loopRange) of \(name) has no frame of the sound, which has \(frameCount ?? 0)."
      )
    }
    (self.format, self.frameCount, self.loopRange) = (format, frameCount, sound.loopRange ?? loopRange)
    self.content = content
  }

  private convenience init(_ samples: PCMBuffer<Float>, _ sound: Sound, _ loopRange: Range<Int>?) throws(GameAudioError)
  {
    try self.init(sound, samples.format, samples.frameCount, loopRange, .samples(samples))
  }

  private convenience init(file path: String, _ sound: Sound) throws {
    let file = try AudioFile(opening: path)
    let (format, frameCount, loopRange) = (file.format, file.frameCount, file.loopRange)
    let bytes = (frameCount ?? .max / 64).multipliedReportingOverflow(
      by: format.channelCount * MemoryLayout<Float>.size
    )
    var samples: PCMBuffer<Float>?
    if !bytes.overflow, bytes.partialValue <= Self.mostBytes { samples = try file.readAll() }
    // A reader of a damaged file reports that it is.
    let kept = file.isTruncated ? nil : samples
    let content = kept.map { Content.samples($0) } ?? .stream(.file(path))
    try self.init(sound, format, kept?.frameCount ?? frameCount, loopRange, content)
  }

  private convenience init(_ stream: StreamSource, _ sound: Sound) throws {
    let description = try stream.describe()
    try self.init(sound, description.format, description.frameCount, description.loopRange, .stream(stream))
  }

  /// Opens a reader at the beginning.
  func open() throws -> any TrackReading {
    switch content {
    case .samples(let samples): SampleReader(samples)
    case .stream(let stream): try stream.read()
    }
  }
}

extension GameAudioError.Code {
  /// A loop range has no frame of its sound.
  public static let invalidLoopRange = GameAudioError.Code(name: "invalidLoopRange")
}

/// A sound in memory.
private final class SampleReader: TrackReading {
  private let samples: PCMBuffer<Float>
  private let next = Lock(0)

  init(_ samples: PCMBuffer<Float>) { self.samples = samples }

  func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    let channels = samples.format.channelCount
    let start = next.withLock { $0 }
    let count = max(min(maxFrames, samples.frameCount - start), 0)
    buffer.removeAll(adopting: samples.format)
    buffer.append(frames: count) { room in
      for sample in samples.samples[start * channels..<(start + count) * channels] { room.append(sample) }
    }
    next.withLock { $0 = start + count }
    return count
  }

  func seek(toFrame frame: Int) { next.withLock { $0 = min(max(frame, 0), samples.frameCount) } }

  var defect: String? { nil }
}
