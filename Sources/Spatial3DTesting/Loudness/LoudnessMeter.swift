public import PCM
public import Spatial3D
import Glibc

/// A meter of the integrated loudness of a sound that arrives in parts, in LUFS.
///
/// The meter weighs frequencies and channels, and leaves out blocks of 400 ms that are silent or 10 LU softer than the
/// rest. It keeps a number for each 100 ms, and no samples. The source is ITU-R BS.1770-4.
public struct LoudnessMeter: Sendable {
  /// The rate and the channels of the sound.
  public let format: PCMFormat

  private let weighting: KWeighting
  private var channels: [KWeighting.State]
  private let weights: [Double]
  /// The number of frames in 100 ms.
  private let stepLength: Int
  /// The weighted mean squares of each 100 ms so far.
  private var steps: [Double] = []
  private var stepPower = 0.0
  private var stepFrames = 0

  /// A meter of a sound that has not begun.
  public init(format: PCMFormat) {
    self.format = format
    weighting = KWeighting(sampleRate: format.sampleRate)
    channels = Array(repeating: KWeighting.State(), count: format.channelCount)
    weights = Self.weights(of: format.layout)
    stepLength = max((format.sampleRate + 5) / 10, 1)
  }

  /// Measures the next frames of the sound.
  ///
  /// The rate of the buffer does not count, and channels that ``format`` lacks are left out. A sample that is not
  /// finite counts as silence.
  public mutating func append<Sample>(_ buffer: PCMBuffer<Sample>) {
    let (channelCount, frameCount) = (buffer.format.channelCount, buffer.frameCount)
    // Reads whole frames of the buffer.
    unsafe buffer.signal.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let count = min(stepLength - stepFrames, frameCount - frame)
        for channel in 0..<min(channelCount, channels.count) where weights[channel] > 0 {
          let first = unsafe start + (frame * channelCount + channel)
          let power = unsafe channels[channel].power(of: first, count: count, stride: channelCount, weighting)
          stepPower += weights[channel] * power
        }
        frame += count
        stepFrames += count
        if stepFrames == stepLength {
          steps.append(stepPower / Double(stepLength))
          (stepPower, stepFrames) = (0, 0)
        }
      }
    }
  }

  /// The loudness of all frames so far, in LUFS: a stereo sine of 1 kHz at -23 dBFS has -23.
  ///
  /// The result is `nil` for less than 400 ms, and where no block of 400 ms is above -70 LUFS.
  public var integrated: Decibels? {
    guard steps.count >= Self.stepsInBlock else { return nil }
    let blocks = (Self.stepsInBlock...steps.count).map { end in
      steps[(end - Self.stepsInBlock)..<end].reduce(0, +) / Double(Self.stepsInBlock)
    }
    let audible = blocks.filter { Self.loudness($0) > -70 }
    guard let mean = Self.mean(audible) else { return nil }
    let threshold = Self.loudness(mean) - 10
    return Self.mean(audible.filter { Self.loudness($0) > threshold }).map { Decibels(Float(Self.loudness($0))) }
  }

  private static let stepsInBlock = 4

  /// The loudness of a weighted mean square.
  private static func loudness(_ power: Double) -> Double { -0.691 + 10 * log10(power) }

  private static func mean(_ powers: [Double]) -> Double? {
    powers.isEmpty ? nil : powers.reduce(0, +) / Double(powers.count)
  }

  /// The weights of channels: 0 for low-frequency effects, 1.41 for loudspeakers at the sides.
  private static func weights(of layout: ChannelLayout) -> [Double] {
    switch layout {
    case .surround51: [1, 1, 1, 0, 1.41, 1.41]
    case .surround61: [1, 1, 1, 0, 1, 1.41, 1.41]
    case .surround71: [1, 1, 1, 0, 1, 1, 1.41, 1.41]
    default: Array(repeating: 1, count: layout.channelCount)
    }
  }
}

extension PCMBuffer {
  /// The integrated loudness of the buffer, in LUFS; see ``LoudnessMeter/integrated``.
  public var loudness: Decibels? {
    var meter = LoudnessMeter(format: format)
    meter.append(self)
    return meter.integrated
  }
}
