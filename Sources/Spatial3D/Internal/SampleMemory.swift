internal import Glibc

/// Samples that are gathered in memory of their own, which can be given away without a copy.
///
/// An array's memory is the array's: nothing outside may read it once a closure has returned. This is malloc's.
@safe struct SampleMemory<Sample: PCMSample>: ~Copyable {
  /// Room for `capacity` samples, of which the first `count` are there; nobody else has the address.
  private var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private(set) var capacity: Int

  /// Room for a number of samples; `nil` where there is not so much memory.
  init?(capacity: Int) {
    guard let start = unsafe malloc(Self.byteCount(capacity)) else { return nil }
    unsafe self.start = unsafe start
    self.capacity = capacity
  }

  deinit {
    unsafe Glibc.free(start)
  }

  /// Makes the room another size, of at least the samples that are there; says whether there was so much memory.
  mutating func resize(capacity: Int) -> Bool {
    precondition(capacity >= count)
    guard let moved = unsafe realloc(start, Self.byteCount(capacity)) else { return false }
    unsafe start = unsafe moved
    self.capacity = capacity
    return true
  }

  /// Appends samples that a closure writes into the room that is left.
  mutating func append<Failure: Error>(
    writing body: (inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) {
    // The room is ours, aligned by malloc for any sample, and large enough by what was allocated. No sample needs to be
    // destroyed, so that a closure that throws leaves nothing behind.
    let room = unsafe UnsafeMutableBufferPointer(
      start: start.assumingMemoryBound(to: Sample.self) + count,
      count: capacity - count
    )
    var output = unsafe OutputSpan(buffer: room, initializedCount: 0)
    try body(&output)
    count += unsafe output.finalize(for: room)
  }

  /// The first sample that no mix can take; `nil` where all are usable.
  var firstUnusable: (index: Int, value: Float)? {
    guard Sample.self == Float.self else { return nil }
    // The samples up to `count` were written as such.
    return unsafe SampleCheck.firstUnusable(
      in: UnsafeBufferPointer(start: start.assumingMemoryBound(to: Float.self), count: count)
    )
  }

  /// Gives the memory away, for ``free(_:)`` or for C's `free`.
  consuming func release() -> UnsafeMutableRawPointer {
    let start = unsafe start
    discard self
    return unsafe start
  }

  static func free(_ released: UnsafeMutableRawPointer) { unsafe Glibc.free(released) }

  /// At least one, because malloc may answer nothing with nothing.
  private static func byteCount(_ sampleCount: Int) -> Int { max(sampleCount * MemoryLayout<Sample>.size, 1) }
}
