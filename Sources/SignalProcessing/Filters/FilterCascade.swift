/// Filters of second order in a row, over interleaved channels: an equalizer.
///
/// The numbers of the bands glide: a sweep makes no click. A band of a bell or shelf with 0 dB returns its input to
/// the bit, and costs nothing. While nothing glides, the result does not depend on the lengths of the blocks, to the
/// bit.
///
/// A sample that is not finite spoils the output for at most 256 frames: the states are cleaned on a grid of so
/// many frames. `MutableSpan.removeUnusableSamples` removes such samples before or after.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct FilterCascade: Sendable {
  package let channelCount: Int
  private var filters: [GlidingFilter]
  /// The memories, filter after filter, with all channels of a filter together.
  private var states: [StateVariableFilter]
  /// The frames since the states were cleaned.
  private var phase = 0
  /// Whether no band glides.
  package private(set) var isSettled = true

  /// Frames from one computation of gliding coefficients to the next, with a line between them.
  ///
  /// Chosen: 1.3 ms at 48 kHz. A sweep of five octaves in 50 ms has 37 lines.
  private static let glideGrid = 64
  /// Frames from one cleaning of the states to the next.
  ///
  /// Chosen: so that a piece costs little against its frames.
  private static let grid = 256

  /// A cascade with room for `capacity` bands.
  ///
  /// Bands beyond it are left out.
  package init(_ bands: [FilterBand], capacity: Int = 8, channelCount: Int, sampleRate: Int) {
    let rate = ProcessingLimits.sampleRate(sampleRate)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    filters = (0..<max(capacity, 1)).map { index in
      let band = index < bands.count ? bands[index] : FilterBand(.bell, 1_000)
      return GlidingFilter(band, sampleRate: rate)
    }
    states = Array(repeating: StateVariableFilter(), count: filters.count * self.channelCount)
  }

  /// Begins to glide to other bands, over so many frames; at once for 0.
  ///
  /// A band that is no longer there fades out.
  package mutating func setBands(_ bands: [FilterBand], over frames: Int) {
    for index in filters.indices {
      let target = index < bands.count ? bands[index] : filters[index].band.neutral
      filters[index].move(to: target, over: frames)
    }
    isSettled = filters.allSatisfy(\.isSettled)
  }

  /// Filters whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let step = isSettled ? Self.grid : Self.glideGrid
        let count = min(step - phase % step, frameCount - frame)
        phase += count
        for index in filters.indices { unsafe process(start + frame * stride, count: count, filter: index) }
        if phase == Self.grid { phase = 0 }
        if !isSettled { isSettled = filters.allSatisfy(\.isSettled) }
        frame += count
      }
    }
  }

  /// Filters whole frames, which the caller guarantees, by one of the filters.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, filter index: Int) {
    let (isAtGrid, first, stride) = (phase == Self.grid, index * channelCount, channelCount)
    let (start, isFilterSettled) = (filters[index].coefficients, isSettled || filters[index].isSettled)
    if isFilterSettled, start.isNeutral {
      // The band enters with a share of 0 again, so its memory may begin empty.
      if isAtGrid { for channel in 0..<stride { states[first + channel].reset() } }
      return
    }
    if isFilterSettled {
      var channel = 0
      while channel + 1 < stride {
        var (one, other) = (states[first + channel], states[first + channel + 1])
        unsafe StateVariableFilter.processPair(
          &one,
          &other,
          samples + channel,
          count: count,
          stride: stride,
          start
        )
        (states[first + channel], states[first + channel + 1]) = (one, other)
        channel += 2
      }
      if channel < stride {
        unsafe states[first + channel].process(samples + channel, count: count, stride: stride, start)
      }
    } else {
      filters[index].advance(count)
      let end = filters[index].coefficients
      for channel in 0..<stride {
        unsafe states[first + channel].process(samples + channel, count: count, stride: stride, start, to: end)
      }
    }
    if isAtGrid { for channel in 0..<stride { states[first + channel].clean() } }
  }
}
