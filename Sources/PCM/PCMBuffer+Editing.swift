extension PCMBuffer {
  /// Removes all frames and keeps the memory, and takes on a format.
  ///
  /// What a reader does first when it fills a caller's buffer.
  public mutating func removeAll(adopting format: PCMFormat) {
    self.format = format
    samples.removeAll(keepingCapacity: true)
  }

  /// Makes room for a number of frames in all, so that appending them allocates nothing.
  public mutating func reserveCapacity(frames: Int) {
    let (count, overflow) = max(frames, 0).multipliedReportingOverflow(by: format.channelCount)
    if !overflow { samples.reserveCapacity(count) }
  }

  /// Appends frames that a closure writes into uninitialised memory, and returns how many it wrote.
  ///
  /// The closure gets room for `frames` whole frames and appends interleaved samples to it. Samples of an unfinished last
  /// frame are dropped. It is not called for a count of 0 or below. Traps, as an array does, where the frames do not fit
  /// memory.
  @discardableResult
  public mutating func append<Failure: Error>(
    frames: Int,
    writing body: (inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) -> Int {
    let before = samples.count
    let (wanted, overflow) = max(frames, 0).multipliedReportingOverflow(by: format.channelCount)
    precondition(!overflow, "\(frames) frames of \(format.layout) do not fit memory")
    // Swift 6.3 writes to the storage that all empty arrays share when it appends nothing to one.
    guard wanted > 0 else { return 0 }
    defer { samples.removeLast(samples.count % format.channelCount) }
    try samples.append(addingCapacity: wanted, initializingWith: body)
    return (samples.count - before) / format.channelCount
  }
}
