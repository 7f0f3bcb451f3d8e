/// Decoded frames that no caller has requested yet.
struct LeftoverFrames: Hashable, Sendable {
  private var buffer: PCMBuffer<Float>
  private var takenCount = 0

  init(_ buffer: PCMBuffer<Float>) {
    self.buffer = buffer
  }

  var isEmpty: Bool { takenCount == buffer.frameCount }

  /// Drops the remaining frames, and returns the memory for reuse.
  mutating func releaseBuffer() -> PCMBuffer<Float> {
    var released = PCMBuffer<Float>(format: buffer.format)
    swap(&released, &buffer)
    released.removeAll(adopting: buffer.format)
    takenCount = 0
    return released
  }

  /// Moves up to a number of frames to the end of a buffer, and returns their number.
  mutating func move(_ frameCount: Int, to target: inout PCMBuffer<Float>) -> Int {
    let count = min(frameCount, buffer.frameCount - takenCount)
    let start = takenCount * buffer.format.channelCount
    let end = start + count * buffer.format.channelCount
    target.append(frames: count) { SampleConversion.append(buffer.samples.span.extracting(start..<end), to: &$0) }
    takenCount += count
    return count
  }
}
