/// What values are clamped to, the same on every version of the library.
enum Ranges {
  /// Up to the limit of OpenAL Soft 1.19, 24 dB.
  static let gain: ClosedRange<Float> = 0...16

  /// Below this a gain is 0 to the library, which takes tiny numbers for 0 while it mixes.
  static let silentGain: Float = 1e-30

  /// Up to the limit of OpenAL Soft 1.25; a sound at pitch 0 would never end.
  static let pitch: ClosedRange<Float> = 0.001...10

  /// The largest component of a position, in metres, of a velocity, in metres per second, and of a direction.
  ///
  /// OpenAL Soft squares lengths and multiplies speeds with the Doppler factor in `Float`. A quotient of two infinities
  /// hangs the mixer of 1.25 and a direction that is not a number aborts it. Lengths overflow from 1.8e19 on: the limit
  /// leaves ten powers of ten for differences, rotations and sums of two movements.
  static let component: Float = 1e9

  /// In metres; anything beyond is as far away.
  static let length: ClosedRange<Float> = 0...1e9

  /// The shortest distance over which a source fades, in metres, other than 0: a quotient by less is infinite.
  static let shortestDistance: Float = 1e-9

  static let rolloffFactor: ClosedRange<Float> = 0...1e9

  /// The product with the largest speed leaves twenty powers of ten to the largest `Float`.
  static let dopplerFactor: ClosedRange<Float> = 0...1e9

  /// In metres per second: up to far above anything that sounds.
  static let speedOfSound: ClosedRange<Float> = 0.001...1e9

  /// The largest sample, 120 dB above full scale.
  ///
  /// A room adds up what it is fed with: from about 1e38 on its sum is infinite, and what it plays is not a number for ever.
  static let sample: Float = 1e6

  /// Rates of sounds, in hertz.
  static let bufferRate = 1_000...768_000

  /// Rates of a mix, in hertz.
  ///
  /// OpenAL Soft grants 8,000 and up. Its filters at 5,000 Hz (occlusion, air absorption, cones) are unstable at rates below 10,204
  /// in versions up to 1.25.1, where 5,000 Hz is more than 0.49 of the rate: the mix grows until it is not a number. With such a version
  /// `EffectLimits.hasStableFilters` raises the lower bound to 11,025.
  static let mixRate = 8_000...192_000

  /// Rates of a recording, in hertz.
  static let captureRate = 8_000...192_000

  /// Frames of input that are kept until they are read.
  static let captureCapacity = 64...4_194_304

  /// Up to what OpenAL Soft 1.19 and 1.25 were both seen to grant, and round.
  static let sourceLimit = 1...65_536

  /// Up to the limit of OpenAL Soft 1.19.
  static let sendLimit = 0...16

  /// The last frame that a seek reaches in a stream of unknown length: 1,400 years at 192 kHz, far below an overflow.
  static let lastStreamFrame = 1 << 53
}
