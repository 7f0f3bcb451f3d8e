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
  /// The loop range that was set, in frames of the sound, if it is not inside of it.
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
    envelope = Envelope(unknownAt: sampleRate)
  }

  /// Loads a sound for emitters with or without a position.
  ///
  /// Opens files, and takes as long as that takes.
  init(_ content: SoundContent, loopRange: Range<Int>?, isPlaced: Bool, in context: AudioContext) throws {
    let ownRange: Range<Int>?
    var wantedRange = loopRange
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
      let file = try AudioFile(opening: path, in: Self.format(of: content, isPlaced: isPlaced, in: context))
      mixedChannels = isPlaced ? file.storedFormat.channelCount : 1
      ownRange = file.loopRange
      sound = try file.readAll()
      (isTruncated, claimed) = (file.isTruncated, file.frameCount)
      wantedRange = loopRange?.converted(from: file.storedFormat.sampleRate, to: sound.format.sampleRate)
    }
    (self.isTruncated, claimedFrameCount) = (isTruncated, claimed)
    stream = nil
    (sampleRate, channelCount) = (sound.format.sampleRate, sound.format.channelCount)
    frameCount = sound.frameCount
    self.loopRange = (wantedRange ?? ownRange ?? 0..<frameCount).usable(in: frameCount)
    // The end of a damaged file is reported already, and may lie before the end of the range.
    outerLoopRange = isTruncated ? nil : wantedRange?.outside(frameCount)
    buffer = try SoundBuffer(sound, named: content.name, loopRange: self.loopRange, in: context)
    envelope = Envelope(sound)
  }
}

extension LoadedSound {
  /// The format in which a file is read: banks convert it to the rate of the mix, where the package can.
  private static func format(of content: SoundContent, isPlaced: Bool, in context: AudioContext) -> ClientFormat {
    var format = isPlaced ? ClientFormat.mono : .asStored
    #if Resampling
      if content.bank != nil { format.sampleRate = context.physics.sampleRate }
    #endif
    return format
  }
}

extension Range<Int> {
  /// The range of the same times at another rate.
  fileprivate func converted(from rate: Int, to other: Int) -> Range<Int> {
    guard rate != other, rate > 0 else { return self }
    func frame(_ frame: Int) -> Int {
      Frames.usable(Int(saturating: (Double(frame) * Double(other) / Double(rate)).rounded()))
    }
    return frame(lowerBound)..<frame(upperBound)
  }

  /// The range, if a part of it is not inside of a sound.
  fileprivate func outside(_ frameCount: Int) -> Range<Int>? { clamped(to: 0..<frameCount) == self ? nil : self }

  /// The part of the range inside a sound; the whole sound where that is empty.
  fileprivate func usable(in frameCount: Int) -> Range<Int> {
    let range = clamped(to: 0..<frameCount)
    return range.isEmpty ? 0..<frameCount : range
  }
}

extension LoadedSound {
  /// The last frame at which an emitter may begin; a stream may not know its length.
  var lastFrame: Double { Double(min(max(frameCount - 1, 0), Frames.last)) }

  /// The fault of a position, in seconds, behind the last frame; `nil` for none.
  func fault(ofPosition seconds: Double) -> ValueFault? {
    let rate = Double(max(sampleRate, 1))
    // The time of the last frame is rounded.
    guard seconds * rate > lastFrame + 0.5 else { return nil }
    let end = FaultValue.seconds(lastFrame / rate)
    let cause = ValueFault.Cause.outside(lower: .seconds(0), upper: end, used: end)
    return ValueFault(property: "playbackTime", value: .seconds(seconds), cause: cause)
  }
}
