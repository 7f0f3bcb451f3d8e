internal import OpenALLoops

/// A table of the values of emitters in a C program, behind a mutex.
@safe final class LockedTable {
  /// Set once and freed only in `deinit`.
  private let table: OpaquePointer
  private let count: Int32

  init(count: Int) throws {
    self.count = Int32(count)
    guard let created = unsafe locked_table_create(self.count) else { throw OutOfMemory() }
    unsafe table = created
  }

  deinit { unsafe locked_table_destroy(table) }

  // Each row is set by a call of its own, which takes the mutex. A row is below the count.

  func setPositions(_ x: Float) { for row in 0..<count { unsafe locked_table_set_position(table, row, x, 0, 1) } }

  func setVelocities(_ x: Float) { for row in 0..<count { unsafe locked_table_set_velocity(table, row, x, 0, 1) } }

  func setGains(_ gain: Float) { for row in 0..<count { unsafe locked_table_set_gain(table, row, gain) } }

  func setPitches(_ pitch: Float) { for row in 0..<count { unsafe locked_table_set_pitch(table, row, pitch) } }

  func setOcclusions(_ level: Float) { for row in 0..<count { unsafe locked_table_set_occlusion(table, row, level) } }
}

/// A C program of this benchmark got no memory for its table.
struct OutOfMemory: Error, CustomStringConvertible {
  let description = "The C program has no memory for its table."
}
