internal import FileDecode
internal import PCM
internal import Spatial3D

/// The conversion of samples in memory to the rate of the mix.
///
/// Pure: no call and no lock.
enum RateMatch: Hashable {
  /// The samples stay, and the mixer converts them while they play.
  case none
  /// The samples are converted with silence around them.
  case once
  /// The samples are converted with a range that goes round.
  case around(Range<Int>)

  /// The conversion of samples with a loop range that the game or the file names, or without a range.
  init(of sound: PCMBuffer<Float>, loopRange: Range<Int>?, to rate: Int) {
    let (ownRate, whole) = (sound.format.sampleRate, 0..<sound.frameCount)
    // The mixer reports a rate that it does not play.
    guard ownRate != rate, Self.rates.contains(ownRate), Self.rates.contains(rate), !whole.isEmpty else {
      self = .none
      return
    }
    let bytes = Double(sound.frameCount) * Double(rate) / Double(ownRate) * Double(4 * sound.format.channelCount)
    // A buffer holds no more than 2 GiB. It reports a sample that is not finite, which a conversion would hide.
    guard bytes < 0x7FFF_0000, SampleCheck.firstUnusable(in: sound.samples) == nil else {
      self = .none
      return
    }
    let error = Self.roundingError((loopRange ?? whole).count, from: ownRate, to: rate)
    guard error <= (loopRange == nil ? Self.largestErrorOfWhole : Self.largestErrorOfLoop) else {
      self = .none
      return
    }
    self = loopRange.map { .around($0) } ?? (Self.continuesIntoItself(sound) ? .around(whole) : .once)
  }

  private static let rates = 1_000...384_000
  /// The largest relative change of the length of a loop that is rounded to whole frames.
  ///
  /// Loops of 10,000 frames of the mix and more are always converted.
  ///
  /// Chosen: OpenAL Soft 1.19 rounds its steps by as much when it converts 44.1 to 48 kHz while a sound plays.
  private static let largestErrorOfLoop = 5e-5
  /// The largest relative change of the length of a sound that names no loop.
  ///
  /// Sounds of 1,000 frames of the mix and more are always converted. Chosen: few emitters repeat such a sound. A
  /// hundredth of a semitone is not audible.
  private static let largestErrorOfWhole = 5e-4

  /// The relative change of a number of frames by the rounding to whole frames at another rate.
  static func roundingError(_ frameCount: Int, from rate: Int, to other: Int) -> Double {
    let exact = Double(frameCount) * Double(other) / Double(rate)
    return abs(max(exact.rounded(), 1) - exact) / exact
  }

  /// Chosen: -60 dB re full scale.
  private static let silence: Float = 0.001

  /// Whether the end of a sound continues into its beginning, so that an emitter may repeat it without a click.
  ///
  /// The step from the last frame to the first is then not much larger than the steps next to it. A sound that begins
  /// or ends with silence needs no neighbour, and its conversion is faster without one. A channel that is silent at
  /// both ends continues in any case.
  static func continuesIntoItself(_ sound: PCMBuffer<Float>) -> Bool {
    let (channels, count) = (sound.format.channelCount, sound.frameCount)
    let reach = min(count - 1, 32)
    var continues = false
    for channel in 0..<channels {
      func sample(_ frame: Int) -> Float { sound.samples[frame * channels + channel] }
      func largestStep(_ frames: Range<Int>) -> Float {
        frames.reduce(0) { max($0, abs(sample($1 + 1) - sample($1))) }
      }
      func peak(_ frames: Range<Int>) -> Float { frames.reduce(0) { max($0, abs(sample($1))) } }
      let (first, last) = (peak(0..<reach + 1), peak(count - 1 - reach..<count))
      if max(first, last) <= silence { continue }
      let steps = min(largestStep(0..<reach), largestStep(count - 1 - reach..<count - 1))
      guard min(first, last) > silence, abs(sample(0) - sample(count - 1)) <= 2 * steps else { return false }
      continues = true
    }
    return continues
  }

  /// The samples at the rate of the mix, and the range that repeats.
  ///
  /// Samples that the converter refuses keep their rate: libsoxr may have no memory. A conversion of very loud steps
  /// may exceed the limit of samples, as the filter overshoots. The sound then keeps its rate, too.
  func apply(
    to sound: PCMBuffer<Float>,
    loopRange: Range<Int>?,
    rate: Int,
    named name: String
  ) -> (sound: PCMBuffer<Float>, loopRange: Range<Int>) {
    let range: Range<Int>?
    switch self {
    case .none: return (sound, loopRange ?? 0..<sound.frameCount)
    case .once: range = nil
    case .around(let whole): range = whole
    }
    guard let (result, loop) = try? sound.converted(to: rate, loop: range, name: name),
      SampleCheck.firstUnusable(in: result.samples) == nil
    else {
      return (sound, loopRange ?? 0..<sound.frameCount)
    }
    return (result, loop ?? 0..<result.frameCount)
  }
}
