/// The ranges that values are clamped to, the same on every version of the library.
enum Ranges {
  /// Up to the limit of OpenAL Soft 1.19, 24 dB.
  static let gain: ClosedRange<Float> = 0...16

  /// The library treats a gain below this value as 0 while it mixes.
  static let silentGain: Float = 1e-30

  /// Up to the limit of OpenAL Soft 1.25; a sound at pitch 0 would never end.
  static let pitch: ClosedRange<Float> = 0.001...10

  /// The largest component of a position, in metres, of a velocity, in metres per second, and of a direction.
  ///
  /// OpenAL Soft squares lengths and multiplies speeds with the Doppler factor in `Float`. A quotient of two infinities
  /// hangs the mixer of 1.25, and a direction that is NaN aborts it. Lengths overflow from 1.8e19 on: the limit leaves
  /// ten powers of ten for differences, rotations and sums of two movements.
  static let component: Float = 1e9

  /// Lengths in metres.
  static let length: ClosedRange<Float> = 0...1e9

  /// The shortest distance over which a source fades, in metres, other than 0: a quotient by less is infinite.
  static let shortestDistance: Float = 1e-9

  static let rolloffFactor: ClosedRange<Float> = 0...1e9

  /// The product with the largest speed leaves twenty powers of ten to the largest `Float`.
  static let dopplerFactor: ClosedRange<Float> = 0...1e9

  /// In metres per second: up to far above the speed in any medium.
  static let speedOfSound: ClosedRange<Float> = 0.001...1e9

  /// The largest sample, 120 dB above full scale.
  ///
  /// A room adds up its input: from about 1e38 on the sum is infinite, and its output stays NaN.
  static let sample: Float = 1e6

  /// The levels of a filter of the library.
  static let filterLevel: ClosedRange<Decibels> = -60...0

  /// Rates of sounds, in hertz.
  static let bufferRate = 1_000...768_000

  /// Rates of a mix, in hertz.
  ///
  /// OpenAL Soft grants 8,000 and up. Its filters at 5,000 Hz (occlusion, air absorption, cones) are unstable at rates
  /// below 10,204 in versions up to 1.25.1, because 5,000 Hz is more than 0.49 of the rate there: the mix grows until
  /// it is NaN. With these versions an output gets a rate of at least 11,025, and an `OfflineRenderer` throws an error:
  /// see `EffectLimits.hasStableFilters`.
  static let mixRate = 8_000...192_000

  /// Rates of a recording, in hertz.
  static let captureRate = 8_000...192_000

  /// The number of recorded frames that are kept until they are read.
  static let captureCapacity = 64...4_194_304

  /// Up to a round number that OpenAL Soft 1.19 and 1.25 both grant.
  static let sourceLimit = 1...65_536

  /// Up to the limit of OpenAL Soft 1.19.
  static let sendLimit = 0...16

  /// The last frame that a seek reaches in a stream of unknown length: 1,400 years at 192 kHz, far below an overflow.
  static let lastStreamFrame = 1 << 53
}
