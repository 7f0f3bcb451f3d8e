internal import Glibc

/// Samples in memory of their own, which can be given away without a copy.
///
/// The memory of an array cannot: no other code may read it once a closure has returned. This memory comes from malloc.
@safe struct SampleMemory<Sample: PCMSample>: ~Copyable {
  /// Room for `capacity` samples, of which the first `count` are initialised; no other code has the address.
  private var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private(set) var capacity: Int

  /// Room for a number of samples; `nil` where the allocation fails.
  init?(capacity: Int) {
    guard let start = unsafe malloc(Self.byteCount(capacity)) else { return nil }
    unsafe self.start = unsafe start
    self.capacity = capacity
  }

  deinit {
    unsafe Glibc.free(start)
  }

  /// Resizes the room, to the present samples at least; returns whether the allocation succeeded.
  mutating func resize(capacity: Int) -> Bool {
    precondition(capacity >= count)
    guard let moved = unsafe realloc(start, Self.byteCount(capacity)) else { return false }
    unsafe start = unsafe moved
    self.capacity = capacity
    return true
  }

  /// Appends samples that a closure writes into the remaining room.
  mutating func append<Failure: Error>(
    writing body: (inout OutputSpan<Sample>) throws(Failure) -> Void
  ) throws(Failure) {
    // The room belongs to this value, is aligned by malloc for any sample, and fits the allocation. No sample needs to
    // be destroyed: a closure that throws leaves nothing behind.
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

  /// At least one byte, because malloc may return no pointer for zero bytes.
  private static func byteCount(_ sampleCount: Int) -> Int { max(sampleCount * MemoryLayout<Sample>.size, 1) }
}
