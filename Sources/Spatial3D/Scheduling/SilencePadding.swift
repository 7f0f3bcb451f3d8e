/// Silence ahead of a sound, for libraries that start a source only at the beginning of a mix.
///
/// The source plays the silence first, and the sound begins at a moment of the clock. The silence that is played equals
/// the time left until that moment. `LibrarySource` performs it on an output. Offline and silent
/// devices cut the mix at the moment instead. Pure, except that it keeps the silence alive.
struct SilencePadding: Sendable {
  /// The container of the silence.
  enum Location: Sendable {
    /// The first buffer of a queue: the program's queue, or a queue of one sound. It is unqueued after it was played.
    case queue
    /// The first buffer in a stream's queue. It is unqueued like the others.
    case stream
    /// In a copy of the sound; the loop lies behind the silence.
    case copy(of: any HeldBuffer)
  }

  /// The moment at which the sound begins, in nanoseconds of the clock.
  let time: Int64
  /// The length of the silence, in frames.
  let length: Int
  /// The silence, or the copy.
  let buffer: any HeldBuffer
  let location: Location

  /// The frame of the silence to move the source to, `left` frames of the mix before the sound begins.
  ///
  /// Returns `nil` if the position is correct or if it is too late for a correction. `frame` is `nil` for a source that
  /// does not play yet. `step` is the number of the source's frames for one frame of the mix.
  func correction(of frame: Double?, left: Int, step: Double, framesPerMix: Int) -> Double? {
    let wanted = min(max(Double(length) - Double(left) * step, 0), Double(length))
    guard let frame else { return wanted }
    // A source that was paused over its moment starts its sound at once.
    if left <= 0, Double(length) - frame > Double(framesPerMix) * step { return wanted }
    // Older libraries fade in a source that starts inside a sound. The fade has to end before the sound begins.
    guard left >= framesPerMix, abs(frame - wanted) >= step / 2, step > 0 else { return nil }
    return wanted
  }
}

/// A buffer that a source keeps alive while the library plays it.
protocol HeldBuffer: Sendable {
  /// The library's name of the buffer.
  var id: UInt32 { get }
  /// The owner of the library's buffer.
  var handle: BufferHandle { get }
  /// The lengths of the buffer as the sound of a source.
  var sound: QueuedSound { get }
}
