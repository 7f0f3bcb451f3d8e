/// The fade to silence of a sound that ends: 64 frames, or one mix if that is longer.
///
/// The library changes a gain over the length of a mix. An offline mix can have a single frame, so that a fade takes
/// several of them. Pure: no call and no lock.
struct ShortFade: Sendable {
  /// 1.3 ms at 48 kHz: OpenAL Soft 1.25 fades a stopped source out over as many frames.
  static let length = 64

  /// The gain before the fade.
  let gain: Float
  private(set) var framesLeft = length

  init(from gain: Float) { self.gain = gain }

  /// The gain at the end of the next mix.
  mutating func advance(by frames: Int) -> Float {
    framesLeft = max(framesLeft - frames, 0)
    return gain * Float(framesLeft) / Float(Self.length)
  }
}
