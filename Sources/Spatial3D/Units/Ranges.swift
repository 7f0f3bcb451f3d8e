/// What values are clamped to, the same on every version of the library.
enum Ranges {
  /// Up to the limit of OpenAL Soft 1.19, 24 dB.
  static let gain: ClosedRange<Float> = 0...16

  /// Up to the limit of OpenAL Soft 1.25; a sound at pitch 0 would never end.
  static let pitch: ClosedRange<Float> = 0.001...10

  static let length: ClosedRange<Float> = 0...Float.greatestFiniteMagnitude

  /// In metres per second: up to far above anything that sounds.
  static let speedOfSound: ClosedRange<Float> = 0.001...1e9

  /// Rates of sounds, in hertz.
  static let bufferRate = 1_000...768_000

  /// Rates of a mix, in hertz.
  ///
  /// OpenAL Soft grants 8,000 and up. Its filters at 5,000 Hz (occlusion, air absorption, cones) are unstable at rates below 10,204
  /// in versions up to 1.25.1, where 5,000 Hz is more than 0.49 of the rate: the mix grows until it is not a number.
  static let mixRate = 11_025...192_000

  /// Rates of a recording, in hertz.
  static let captureRate = 8_000...192_000

  /// Frames of input that are kept until they are read.
  static let captureCapacity = 64...4_194_304

  /// Up to what OpenAL Soft 1.19 and 1.25 were both seen to grant, and round.
  static let sourceLimit = 1...65_536

  /// Up to the limit of OpenAL Soft 1.19.
  static let sendLimit = 0...16
}
