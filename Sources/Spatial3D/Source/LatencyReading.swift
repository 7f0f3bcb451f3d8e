/// A latency of the output and its clock, next to the clock of a source's frame that was read before.
///
/// The library reads a frame and the latency together only under two of its locks, and other calls take these in the
/// opposite order. The two readings are therefore separate calls, each with its own clock. Pure: no call and no lock.
struct LatencyReading: Equatable, Sendable {
  /// The clock of the mix that the frame belongs to, in nanoseconds.
  var frameClock: Int64
  /// The clock at which the latency was read, in nanoseconds.
  var latencyClock: Int64
  /// Nanoseconds from the mix at `latencyClock` until it is audible.
  var latency: Int64

  /// Nanoseconds from the reading of the latency until the frame is audible.
  ///
  /// Between the two clocks the output played stored mixes of that duration. An audible frame has no latency.
  var latencyOfFrame: Int64 { max(latency - (latencyClock - frameClock), 0) }
}
