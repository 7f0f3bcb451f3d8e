internal import PCM
internal import SignalProcessing
internal import Spatial3D

/// The measured levels of a sound that arrives in pieces.
///
/// Pure: no system call, no lock, and no allocation after `init`.
struct BusMeasurement: Sendable {
  private let channelCount: Int
  private var levels: LevelWindows
  private var blocks: LoudnessBlocks
  private var peaks: TruePeakMeter

  init(format: PCMFormat) {
    channelCount = format.channelCount
    levels = LevelWindows(channelCount: format.channelCount, sampleRate: format.sampleRate)
    blocks = LoudnessBlocks(format: format)
    peaks = TruePeakMeter(channelCount: format.channelCount, sampleRate: format.sampleRate)
  }

  mutating func append(_ samples: Span<Float>) {
    levels.append(samples)
    blocks.append(samples)
    peaks.append(samples)
  }

  /// Begins the integrated loudness, its range and the highest peaks anew.
  mutating func resetIntegration() {
    blocks.resetIntegration()
    peaks.resetPeaks()
  }

  /// The levels of each channel over the last 50 ms.
  var channels: [ChannelLevel] {
    (0..<channelCount).map { channel in
      let reading = levels.reading(ofChannel: channel)
      return ChannelLevel(average: Decibels(factor: reading.rootMeanSquare), peak: Decibels(factor: reading.peak))
    }
  }

  var loudness: LoudnessReading {
    let reading = blocks.reading
    func level(_ value: Double?) -> Decibels? { value.map { Decibels(Float($0)) } }
    return LoudnessReading(
      momentary: level(reading.momentary),
      shortTerm: level(reading.shortTerm),
      integrated: level(reading.integrated),
      range: level(reading.range),
      samplePeak: Decibels(factor: peaks.samplePeaks.max() ?? 0),
      truePeak: Decibels(factor: peaks.peaks.max() ?? 0)
    )
  }
}
