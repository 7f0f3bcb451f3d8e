/// The latency of an output, and when it was read, beside the frame of a source that was read before.
///
/// The library reads a frame and the latency together only under two of its locks, which other calls take in the opposite
/// order. Each is read with the clock of its moment instead. Pure: no call and no lock.
struct LatencyReading: Equatable, Sendable {
  /// The clock of the mix that the frame belongs to, in nanoseconds.
  var frameClock: Int64
  /// The clock at which the latency was read, in nanoseconds.
  var latencyClock: Int64
  /// Nanoseconds from the mix at `latencyClock` until it is audible.
  var latency: Int64

  /// Nanoseconds from the reading of the latency until the frame is audible.
  ///
  /// The output played as much of its stored mixes between the two clocks as the later clock is ahead. A frame that is
  /// audible already has no latency.
  var latencyOfFrame: Int64 { max(latency - (latencyClock - frameClock), 0) }
}
