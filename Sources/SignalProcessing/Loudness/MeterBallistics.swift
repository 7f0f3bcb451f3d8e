internal import Glibc

/// The levels that a meter shows: for each channel a peak that falls slowly, a held peak, and the root mean square.
///
/// The peak rises at once and falls by a number of decibels a second. The held peak rests for a time, and then falls
/// to the peak. The root mean square has an exponential window. A sample that is not finite, or beyond ±1e25, counts
/// as 0.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct MeterBallistics: Sendable {
  private struct Channel: Hashable, Sendable {
    var (peak, held): (Double, Double) = (0, 0)
    var holdLeft = 0
    var power = 0.0
  }

  private var channels: [Channel]
  private let (holdFrames, fall, forget): (Int, Double, Double)

  /// A meter of silence.
  ///
  /// The held peak rests for `hold` seconds, 0 to 60. The peak falls by `fall` decibels a second, 0 to 1,000; the
  /// default is 20 dB in 1.7 s, the return time of a peak meter of IEC 60268-10, type I. `integration` is the time
  /// constant of the root mean square in seconds, 0.001 to 60; the default is as slow as a VU meter.
  package init(
    channelCount: Int,
    sampleRate: Int,
    hold: Double = 1,
    fall: Double = 20 / 1.7,
    integration: Double = 0.3
  ) {
    let rate = ProcessingLimits.sampleRate(sampleRate)
    channels = Array(repeating: Channel(), count: ProcessingLimits.channelCount(channelCount))
    holdFrames = Int(hold.limited(to: 0...60, notANumber: 1) * rate)
    self.fall = pow(10, -fall.limited(to: 0...1_000, notANumber: 20 / 1.7) / 20 / rate)
    forget = exp(-1 / (integration.limited(to: 0.001...60, notANumber: 0.3) * rate))
  }

  /// Measures the next frames, in interleaved samples.
  package mutating func append(_ samples: Span<Float>) {
    for index in channels.indices {
      var (channel, place) = (channels[index], index)
      while place < samples.count {
        let magnitude = abs(samples[place])
        // False for what is not a number.
        let value = magnitude <= ProcessingLimits.largestSample ? Double(magnitude) : 0
        channel.peak = max(channel.peak * fall, value)
        channel.power = value * value + (channel.power - value * value) * forget
        if channel.peak >= channel.held {
          (channel.held, channel.holdLeft) = (channel.peak, holdFrames)
        } else if channel.holdLeft > 0 {
          channel.holdLeft &-= 1
        } else {
          channel.held = channel.peak
        }
        place &+= channels.count
      }
      // The levels of silence would become denormal, which is slow.
      if channel.peak < ProcessingLimits.smallestState {
        channel.peak = 0
        if channel.holdLeft == 0 { channel.held = 0 }
      }
      if channel.power < ProcessingLimits.smallestState * ProcessingLimits.smallestState { channel.power = 0 }
      channels[index] = channel
    }
  }

  /// The peak of a channel, falling, where full scale is 1.
  package func peak(ofChannel channel: Int) -> Double { channels[channel].peak }

  /// The held peak of a channel.
  package func heldPeak(ofChannel channel: Int) -> Double { channels[channel].held }

  /// The root mean square of a channel: 0.7071 for a sine of full scale.
  package func rootMeanSquare(ofChannel channel: Int) -> Double { channels[channel].power.squareRoot() }

  /// Forgets the sound so far.
  package mutating func reset() { for index in channels.indices { channels[index] = Channel() } }
}
