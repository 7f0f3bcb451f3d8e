extension PCMBuffer {
  /// Removes all frames, keeps the memory and takes over a format.
  ///
  /// A reader calls this first when it fills a caller's buffer.
  public mutating func removeAll(adopting format: PCMFormat) {
    self.format = format
    samples.removeAll(keepingCapacity: true)
  }

  /// Reserves memory for a total number of frames, so that appending them allocates nothing.
  public mutating func reserveCapacity(frames: Int) {
    let (count, overflow) = max(frames, 0).multipliedReportingOverflow(by: format.channelCount)
    if !overflow { samples.reserveCapacity(count) }
  }

  /// Appends frames that a closure writes into uninitialised memory, and returns their number.
  ///
  /// The closure gets memory for `frames` whole frames and appends interleaved samples to it. The buffer drops samples
  /// of an unfinished last frame. It does not call the closure for a count of 0 or below. Traps, like an array, if the
  /// frames do not fit memory.
  @discardableResult
  public mutating func append<Failure: Error>(
    frames: Int,
    writing body: (inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    try appendFrames(frames, writing: body)
  }

  @inline(__always)
  private mutating func appendFrames<Failure: Error>(
    _ frames: Int,
    writing body: (inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let before = samples.count
    let (wanted, overflow) = max(frames, 0).multipliedReportingOverflow(by: format.channelCount)
    precondition(!overflow, "\(frames) frames of \(format.layout) do not fit memory")
    // When Swift 6.3 appends nothing to an empty array, it writes to the storage that all empty arrays share.
    guard wanted > 0 else { return 0 }
    defer {
      let excess = samples.count % format.channelCount
      if excess > 0 { samples.removeLast(excess) }
    }
    try samples.append(addingCapacity: wanted, initializingWith: body)
    return (samples.count - before) / format.channelCount
  }
}

// Overloads without a generic error, for decoders, which call them for each block. The compiler does not specialize a
// function that is generic over its error. An unspecialized call looks up its types at run time, which takes as long as
// reading a kilobyte of a file.
extension PCMBuffer<Float> {
  /// Changes the samples of a frame and of all frames after it, without a copy.
  package mutating func edit(from frame: Int, _ body: (inout MutableSpan<Float>) -> Void) {
    let first = frame * format.channelCount
    var span = samples.mutableSpan
    var part = span._mutatingExtracting(first..<span.count)
    body(&part)
  }

  @discardableResult
  package mutating func append(frames: Int, writing body: (inout OutputSpan<Float>) -> Void) -> Int {
    appendFrames(frames, writing: body)
  }
}

extension PCMBuffer<Int16> {
  @discardableResult
  package mutating func append(frames: Int, writing body: (inout OutputSpan<Int16>) -> Void) -> Int {
    appendFrames(frames, writing: body)
  }
}
