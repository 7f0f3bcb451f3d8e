internal import Glibc

/// Filters of second order in a row, over interleaved channels: an equalizer.
///
/// The numbers of the bands glide: a sweep makes no click. Bands behind the last one enter, and the last bands leave,
/// by a fade of their effect. A band of a bell or shelf with 0 dB returns its input to the bit, and costs nothing.
///
/// Unusable samples count as 0. Pure: no system call, no lock, and no allocation after `init`.
package struct FilterCascade: SoundProcessor, ~Copyable {
  package typealias Settings = [FilterBand]

  /// The bands, with their numbers moved into the ranges.
  package private(set) var settings: [FilterBand]
  private let channelCount: Int
  private let sampleRate: Double
  private var filters: [GlidingFilter]
  /// The memories, filter after filter, with all channels of a filter together.
  private var states: [StateVariableFilter]
  /// The frames since the states were cleaned.
  private var phase = 0
  /// Whether no band glides.
  private(set) var isSettled = true
  /// The tail once no band glides.
  private var settledTail = 0

  /// Frames from one computation of gliding coefficients to the next, with a line between them.
  ///
  /// Chosen: 0.7 ms at 48 kHz. A sweep of five octaves in 50 ms has 75 lines.
  private static let glideGrid = 32
  /// Frames from one cleaning of the states to the next, a multiple of the grid of glides.
  ///
  /// Chosen: so that a piece costs little against its frames.
  private static let grid = 256

  /// A cascade of any number of bands, with room for `capacity` bands at least.
  package init(_ bands: [FilterBand], capacity: Int = 8, channelCount: Int, sampleRate: Int) {
    let rate = ProcessingLimits.sampleRate(sampleRate)
    let bands = bands.map { $0.limited(sampleRate: rate) }
    (settings, self.sampleRate) = (bands, rate)
    settings.reserveCapacity(max(capacity, bands.count))
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    filters = (0..<max(capacity, bands.count)).map { index in
      GlidingFilter(index < bands.count ? bands[index] : nil, sampleRate: rate)
    }
    states = Array(repeating: StateVariableFilter(), count: filters.count * self.channelCount)
    settledTail = tailOfTargets()
  }

  /// Whether the bands have room, and each band in both lists has the shape that it had.
  ///
  /// If the number of bands changes, each band in both lists keeps its frequency as well: a band would else sweep to
  /// the frequency of another band. While a band fades out, its position is free for the same band alone.
  package func canGlide(to settings: [FilterBand]) -> Bool {
    guard settings.count <= filters.count else { return false }
    let keepsLength = settings.count == self.settings.count
    return settings.indices.allSatisfy { index in
      let band = settings[index].limited(sampleRate: sampleRate)
      if !keepsLength, index < self.settings.count, band.frequency != self.settings[index].frequency { return false }
      return filters[index].canMove(to: band)
    }
  }

  package mutating func set(_ settings: [FilterBand], over frameCount: Int) {
    guard canGlide(to: settings) else { return }
    // Within the capacity, so that it does not allocate.
    self.settings.removeAll(keepingCapacity: true)
    for band in settings { self.settings.append(band.limited(sampleRate: sampleRate)) }
    for index in filters.indices {
      filters[index].move(to: index < settings.count ? self.settings[index] : nil, over: frameCount)
      if filters[index].isNeutral { resetStates(ofFilter: index) }
    }
    isSettled = filters.allSatisfy(\.isSettled)
    settledTail = tailOfTargets()
  }

  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let step = isSettled ? Self.grid : Self.glideGrid
        let count = min(step - phase % step, frameCount - frame)
        let piece = unsafe start + frame * stride
        unsafe Self.clean(piece, count: count * stride)
        for index in filters.indices { unsafe process(piece, count: count, filter: index) }
        // Four bands with their highest gains can raise a sample of 1e25 beyond all numbers.
        unsafe Self.clean(piece, count: count * stride)
        phase += count
        if phase == Self.grid { clean() }
        if !isSettled { isSettled = filters.allSatisfy(\.isSettled) }
        frame += count
      }
    }
  }

  /// Replaces unusable samples, of as many as the caller guarantees.
  @unsafe
  private static func clean(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    while index < count {
      unsafe samples[index] = samples[index].usable
      index &+= 1
    }
  }

  /// Filters whole frames, which the caller guarantees, by one of the filters.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, filter index: Int) {
    let (first, stride) = (index * channelCount, channelCount)
    guard filters[index].isSettled else { return unsafe glide(samples, count: count, filter: index) }
    let coefficients = filters[index].end
    if coefficients.isNeutral { return }
    var channel = 0
    while channel + 1 < stride {
      var (one, other) = (states[first + channel], states[first + channel + 1])
      unsafe StateVariableFilter.processPair(
        &one,
        &other,
        samples + channel,
        count: count,
        stride: stride,
        coefficients
      )
      (states[first + channel], states[first + channel + 1]) = (one, other)
      channel += 2
    }
    if channel < stride {
      unsafe states[first + channel].process(samples + channel, count: count, stride: stride, coefficients)
    }
  }

  /// Filters frames up to a line's end at most, by a filter that glides.
  @unsafe
  private mutating func glide(_ samples: UnsafeMutablePointer<Float>, count: Int, filter index: Int) {
    // A line ends on the grid, wherever blocks end.
    if filters[index].framesLeft == 0 { filters[index].beginLine(frames: Self.glideGrid - phase % Self.glideGrid) }
    let (filter, first, stride) = (filters[index], index * channelCount, channelCount)
    for channel in 0..<stride {
      unsafe states[first + channel].process(
        samples + channel,
        count: count,
        stride: stride,
        to: filter.end,
        step: filter.step,
        framesLeft: filter.framesLeft
      )
    }
    filters[index].advance(count)
    // A band that returns begins without memory.
    if filters[index].isNeutral { resetStates(ofFilter: index) }
  }

  private mutating func clean() {
    phase = 0
    for index in states.indices { states[index].clean() }
  }

  private mutating func resetStates(ofFilter index: Int) {
    for channel in 0..<channelCount { states[index * channelCount + channel].reset() }
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    isSettled && frameCount >= settledTail && states.allSatisfy(\.isSilent)
  }

  package mutating func skipSilence(_ frameCount: Int) { phase = (phase + frameCount) % Self.grid }

  package mutating func reset() {
    for index in filters.indices { filters[index].finish() }
    for index in states.indices { states[index].reset() }
    (phase, isSettled) = (0, true)
  }

  /// The frames after which all memories are 0, for a sound of up to +40 dB.
  package var tail: Int {
    isSettled ? settledTail : settledTail + filters.reduce(0) { max($0, $1.remaining) } + Self.glideGrid
  }

  /// The sum of the times in which the memories fall: a filter has silence when the filter before it is silent.
  private func tailOfTargets() -> Int {
    var (level, frames) = (40.0, 0.0)
    let floor = 20 * log10(ProcessingLimits.smallestState)
    for (band, filter) in zip(settings, filters) {
      guard let decay = filter.decay else { continue }
      // The highest gain of the band, and its beginning: two equal poles fall later than one of them.
      level += max(band.gain, 0) + max(20 * log10(band.quality), 0) + 10
      frames += (level - floor) / decay + Double(Self.grid)
    }
    return Int(frames.rounded(.up))
  }
}
