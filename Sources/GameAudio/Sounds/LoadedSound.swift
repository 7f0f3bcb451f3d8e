internal import FileDecode
internal import PCM
internal import Spatial3D

/// A sound that emitters of a world can play.
final class LoadedSound: Sendable {
  /// The samples; `nil` for a stream.
  let buffer: SoundBuffer?
  let stream: StreamSource?
  let sampleRate: Int
  /// The frames of the sound; `Int.max` for a stream that does not know its end.
  let frameCount: Int
  /// The frames that repeat.
  let loopRange: Range<Int>
  let envelope: Envelope
  /// The number of channels that were mixed down to one; 1 for none.
  let mixedChannels: Int

  /// Loads a sound, with a place or without one.
  ///
  /// Opens files, and takes as long as that takes.
  init(_ content: SoundContent, loopRange: Range<Int>?, isPlaced: Bool, in context: AudioContext) throws {
    let ownRange: Range<Int>?
    let sound: PCMBuffer<Float>
    switch content.source {
    case .stream(let stream):
      let description = try stream.describe()
      (buffer, self.stream) = (nil, stream)
      sampleRate = description.format.sampleRate
      frameCount = description.frameCount ?? .max
      self.loopRange = (loopRange ?? description.loopRange ?? 0..<frameCount).usable(in: frameCount)
      envelope = Envelope(unknownAt: sampleRate)
      mixedChannels = isPlaced ? description.format.channelCount : 1
      return
    case .samples(let samples):
      sound = isPlaced ? samples.mixedToMono : samples
      ownRange = nil
      mixedChannels = isPlaced ? samples.format.channelCount : 1
    case .file(let path):
      let file = try AudioFile(opening: path, in: isPlaced ? .mono : .asStored)
      mixedChannels = isPlaced ? file.storedFormat.channelCount : 1
      ownRange = file.loopRange
      sound = try file.readAll()
    }
    stream = nil
    sampleRate = sound.format.sampleRate
    frameCount = sound.frameCount
    self.loopRange = (loopRange ?? ownRange ?? 0..<frameCount).usable(in: frameCount)
    buffer = try SoundBuffer(sound, named: content.name, loopRange: self.loopRange, in: context)
    envelope = Envelope(sound)
  }
}

extension Range<Int> {
  /// The part of the range inside a sound; the whole sound where that is empty.
  fileprivate func usable(in frameCount: Int) -> Range<Int> {
    let range = clamped(to: 0..<frameCount)
    return range.isEmpty ? 0..<frameCount : range
  }
}
