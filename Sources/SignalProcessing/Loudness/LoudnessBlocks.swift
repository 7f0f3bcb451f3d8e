package import PCM

/// The loudness of a sound that arrives in parts: momentary, short-term and integrated, and its range.
///
/// Sources: ITU-R BS.1770-4, EBU Tech 3341 and 3342. The integrated loudness and the range take a block each 100 ms,
/// from histograms: the memory does not grow. Unusable samples count as silence. The numbers do not depend on the
/// lengths of the parts, to the bit.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct LoudnessBlocks: Sendable {
  /// The loudness at a moment, in LUFS, and the range in LU; `nil`: not enough sound yet.
  package struct Reading: Hashable, Sendable {
    /// The loudness of the last 400 ms, and of the last 3 s.
    package var momentary, shortTerm: Double?
    /// The loudness of all frames so far without silent and soft blocks, and its range.
    ///
    /// They begin with the first block of 400 ms, or 3 s, that is above -70 LUFS.
    package var integrated, range: Double?
  }

  private let channelCount: Int
  private(set) var windows: LoudnessWindows
  private var blocks = LoudnessHistogram()
  /// A range has no gate at 10 LU, and is known within 1 LU: bins of 0.1 LU are enough.
  private var shortTerms = LoudnessHistogram(binsPerUnit: 10)

  private static let stepsBetweenBlocks = 10

  /// A meter of a sound that has not begun.
  package init(format: PCMFormat) {
    channelCount = format.channelCount
    windows = LoudnessWindows(format: format)
  }

  /// Measures the next frames of the sound, in interleaved samples of the format.
  package mutating func append(_ samples: Span<Float>) { append(samples, channelCount: channelCount) }

  /// Measures the next frames of a sound with its own number of channels; those that the format lacks are left out.
  package mutating func append(_ samples: Span<Float>, channelCount stride: Int) {
    let stride = max(stride, 1)
    var (frame, steps) = (0, windows.stepCount)
    while frame < samples.count / stride {
      frame += windows.appendStep(samples, from: frame, channelCount: stride)
      guard windows.stepCount != steps else { continue }
      steps = windows.stepCount
      if steps % Self.stepsBetweenBlocks == 0 {
        if let power = windows.momentaryPower { blocks.insert(power: power) }
        if let power = windows.shortTermPower { shortTerms.insert(power: power) }
      }
    }
  }

  /// The loudness of all frames so far, in LUFS, without silent and soft blocks.
  package var integrated: Double? { blocks.gatedMean }

  /// All numbers; the integrated loudness and the range take 0.1 ms together.
  package var reading: Reading {
    Reading(
      momentary: windows.momentary,
      shortTerm: windows.shortTerm,
      integrated: integrated,
      range: shortTerms.range
    )
  }

  /// Begins the integrated loudness and the range anew, of a sound that goes on.
  package mutating func resetIntegration() {
    blocks.reset()
    shortTerms.reset()
  }

  /// Begins anew: with the next frame, and without memory.
  package mutating func reset() {
    windows.reset()
    resetIntegration()
  }
}
