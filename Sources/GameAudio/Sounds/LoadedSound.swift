internal import FileDecode
internal import PCM
internal import Spatial3D

/// A sound that emitters of a world can play.
final class LoadedSound: Sendable {
  /// The result of a loading.
  typealias Outcome = Result<LoadedSound, any Error>

  /// The samples; `nil` for a stream.
  let buffer: SoundBuffer?
  /// The identity of the samples; `nil` for a stream.
  var bufferIdentity: ObjectIdentifier? { buffer.map { ObjectIdentifier($0) } }
  let stream: StreamSource?
  /// Whether sources stream the sound.
  ///
  /// A comparison of ``stream`` would copy it, with its references.
  var isStream: Bool { buffer == nil }
  /// The rate of the samples in memory, or of the stream.
  let sampleRate: Int
  /// The number of channels that a source plays.
  let channelCount: Int
  /// The frames of the sound; `Int.max` for a stream that does not know its end.
  let frameCount: Int
  /// The frames that repeat.
  let loopRange: Range<Int>
  let envelope: Envelope
  /// Whether the file holds less than it should.
  let isTruncated: Bool
  /// The frames that the file should hold; `nil` if its header does not have them.
  let claimedFrameCount: Int?
  /// The source of samples that follow the rate of the mix; `nil` for a stream, and for samples that keep their rate.
  let origin: Origin?
  /// The sound before a conversion of its rate, for reports.
  let stored: (sampleRate: Int, frameCount: Int, loopRange: Range<Int>)
  /// The loop range that was set, in frames before a conversion, if it is not inside of the sound.
  let outerLoopRange: Range<Int>?
  /// The bytes of the samples.
  var byteCount: Int { buffer?.byteCount ?? 0 }
  /// Whether emitters without a position play the same samples as emitters with a position.
  var isAnyForm: Bool { buffer.map { $0.format.channelCount == 1 && mixedChannels == 1 } ?? true }
  /// The number of channels that were mixed down to one; 1 for none.
  let mixedChannels: Int

  /// A stream that is opened without a position in space; its length is not known.
  init(_ stream: StreamSource, _ format: PCMFormat) {
    (buffer, self.stream) = (nil, stream)
    (sampleRate, channelCount) = (format.sampleRate, format.channelCount)
    (frameCount, loopRange, mixedChannels) = (.max, 0..<Int.max, 1)
    (isTruncated, claimedFrameCount, outerLoopRange) = (false, nil, nil)
    (stored, origin) = ((sampleRate, frameCount, loopRange), nil)
    envelope = Envelope(unknownAt: sampleRate)
  }

  /// The samples of another stem, copied for the sources of a context.
  ///
  /// Throws for a stream, and where the library cannot read its buffers.
  init(_ original: LoadedSound, copiedFor key: LoadKey, in context: AudioContext) throws {
    guard let samples = original.buffer else { throw GameAudioError(.soundUnavailable, "A stream has no samples.") }
    (buffer, stream) = (try SoundBuffer(copying: samples, in: context), nil)
    (sampleRate, channelCount, frameCount) = (original.sampleRate, original.channelCount, original.frameCount)
    (loopRange, envelope, mixedChannels) = (original.loopRange, original.envelope, original.mixedChannels)
    (isTruncated, claimedFrameCount) = (original.isTruncated, original.claimedFrameCount)
    (stored, outerLoopRange) = (original.stored, original.outerLoopRange)
    origin = original.origin.map { Origin(name: $0.name, source: $0.source, key: key, mixRate: $0.mixRate) }
  }

  /// Loads a sound for emitters with or without a position.
  ///
  /// Opens files, and takes as long as that takes. Samples in memory are converted to the rate of the mix, unless
  /// `convertsRate` is `false`.
  init(_ content: SoundContent, _ key: LoadKey, convertsRate: Bool, in context: AudioContext) throws {
    let (loopRange, isPlaced) = (key.loopRange, key.isPlaced)
    let ownRange: Range<Int>?
    var (isTruncated, claimed) = (false, nil as Int?)
    let sound: PCMBuffer<Float>
    switch content.source {
    case .stream(let stream):
      let description = try stream.describe()
      (buffer, self.stream) = (nil, stream)
      sampleRate = description.format.sampleRate
      channelCount = isPlaced ? 1 : description.format.channelCount
      frameCount = description.frameCount ?? .max
      self.loopRange = (loopRange ?? description.loopRange ?? 0..<frameCount).usable(in: frameCount)
      (stored, origin) = ((sampleRate, frameCount, self.loopRange), nil)
      // The decoder has checked the range of a file, and a reader is the game's own.
      outerLoopRange = (loopRange ?? (stream.path == nil ? description.loopRange : nil))?.outside(frameCount)
      envelope = Envelope(unknownAt: sampleRate)
      mixedChannels = isPlaced ? description.format.channelCount : 1
      (self.isTruncated, claimedFrameCount) = (description.isTruncated, nil)
      return
    case .nothing:
      throw GameAudioError(
        .emptySound,
        "\(content.name) cannot play: its list of files or samples is empty. Give it at least one."
      )
    case .samples(let samples):
      sound = isPlaced ? samples.mixedToMono : samples
      ownRange = nil
      mixedChannels = isPlaced ? samples.format.channelCount : 1
    case .file(let path):
      let file = try AudioFile(opening: path, in: isPlaced ? .mono : .asStored)
      mixedChannels = isPlaced ? file.storedFormat.channelCount : 1
      ownRange = file.loopRange
      sound = try file.readAll()
      (isTruncated, claimed) = (file.isTruncated, file.frameCount)
    }
    (self.isTruncated, claimedFrameCount) = (isTruncated, claimed)
    stream = nil
    let namedRange = (loopRange ?? ownRange)?.usable(in: sound.frameCount)
    stored = (sound.format.sampleRate, sound.frameCount, namedRange ?? 0..<sound.frameCount)
    // The end of a damaged file is reported already, and may lie before the end of the range.
    outerLoopRange = isTruncated ? nil : loopRange?.outside(sound.frameCount)
    let rate = convertsRate ? context.physics.sampleRate : sound.format.sampleRate
    origin = convertsRate ? Origin(name: content.name, source: content.source, key: key, mixRate: rate) : nil
    let samples = RateMatch(of: sound, loopRange: namedRange, to: rate)
      .apply(to: sound, loopRange: namedRange, rate: rate, named: content.name)
    (sampleRate, channelCount) = (samples.sound.format.sampleRate, samples.sound.format.channelCount)
    frameCount = samples.sound.frameCount
    self.loopRange = samples.loopRange
    buffer = try SoundBuffer(samples.sound, named: content.name, loopRange: samples.loopRange, in: context)
    envelope = Envelope(samples.sound)
  }
}

extension LoadedSound {
  /// The source of samples in memory, and the rate of the mix that they were made for.
  ///
  /// It does not hold the content itself, whose end lets the world forget the sound.
  struct Origin: Sendable {
    let name: String
    let source: SoundContent.Source
    /// The key under which the samples were loaded.
    let key: LoadKey
    let mixRate: Int
  }
}

extension Range<Int> {
  /// The range, if a part of it is not inside of a sound.
  fileprivate func outside(_ frameCount: Int) -> Range<Int>? { clamped(to: 0..<frameCount) == self ? nil : self }

  /// The part of the range inside a sound; the whole sound where that is empty.
  fileprivate func usable(in frameCount: Int) -> Range<Int> {
    let range = clamped(to: 0..<frameCount)
    return range.isEmpty ? 0..<frameCount : range
  }
}

extension LoadedSound {
  /// Whether a course counts the frames of these samples.
  func hasFrames(of course: LogicalClock.Course) -> Bool {
    stream != nil || course.frameCount == frameCount && course.loopRange == loopRange
  }

  /// Whether the frames of other samples are at other times, or repeat elsewhere.
  func hasOtherFrames(than other: LoadedSound) -> Bool {
    (sampleRate, frameCount, loopRange) != (other.sampleRate, other.frameCount, other.loopRange)
  }

  /// Whether other samples come from the same sound, as far as its length, its rate and its channels show.
  func hasSameSource(as other: LoadedSound) -> Bool {
    stored == other.stored && (channelCount, mixedChannels) == (other.channelCount, other.mixedChannels)
  }

  /// Whether the samples were made for another rate of the mix.
  func isStale(at mixRate: Int) -> Bool { origin.map { $0.mixRate != mixRate } ?? false }

  /// The work of making the samples anew for the present rate of the mix; `nil` for samples that keep their rate.
  var renewal: SoundTable.Job? {
    origin.map { origin in
      let content = SoundContent(name: origin.name, source: origin.source)
      return SoundTable.Job(content: content, key: origin.key, convertsRate: true, renewed: self)
    }
  }

  /// The last frame at which an emitter may begin; a stream may not know its length.
  var lastFrame: Double { Double(min(max(frameCount - 1, 0), Frames.last)) }

  /// The fault of a position, in seconds, behind the last frame; `nil` for none.
  func fault(ofPosition seconds: Double) -> ValueFault? {
    let rate = Double(max(stored.sampleRate, 1))
    let last = Double(min(max(stored.frameCount - 1, 0), Frames.last))
    // The time of the last frame is rounded.
    guard seconds * rate > last + 0.5 else { return nil }
    let end = FaultValue.seconds(last / rate)
    let cause = ValueFault.Cause.outside(lower: .seconds(0), upper: end, used: end)
    return ValueFault(property: "playbackTime", value: .seconds(seconds), cause: cause)
  }
}
