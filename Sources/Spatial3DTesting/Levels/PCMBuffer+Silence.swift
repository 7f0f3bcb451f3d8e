public import PCM
public import Spatial3D

extension PCMBuffer {
  /// Whether no sample is above a level; the default of -90 dB is the last bit of 16.
  public func isSilent(below level: Decibels = -90) -> Bool {
    // Raw values compare false for NaN; the order of `Decibels` would let NaN pass.
    peak.rawValue <= level.rawValue
  }

  /// The frames from the first to the last that are above a level on any channel; empty if no frame is.
  ///
  /// The lower bound is the start of the sound, the upper bound the end of its last trace.
  public func soundingFrames(above level: Decibels = -90) -> Range<Int> {
    let sounding = signal.framesSounding(above: level.factor, channelCount: format.channelCount)
    guard let first = sounding.firstIndex(of: true), let last = sounding.lastIndex(of: true) else { return 0..<0 }
    return first..<(last + 1)
  }

  /// The ranges of frames in which all channels stay at or below a level for at least a duration.
  ///
  /// A silence is a gap in a loop, or between two sounds of a queue. A duration below a frame counts as one frame.
  public func silences(below level: Decibels = -90, lasting duration: Duration = .milliseconds(5)) -> [Range<Int>] {
    let sounding = signal.framesSounding(above: level.factor, channelCount: format.channelCount)
    let least = max(format.frameCount(in: duration), 1)
    var found: [Range<Int>] = []
    var start = 0
    while let silence = sounding[start...].firstIndex(of: false) {
      let end = sounding[silence...].firstIndex(of: true) ?? sounding.count
      if end - silence >= least { found.append(silence..<end) }
      start = end
    }
    return found
  }
}
