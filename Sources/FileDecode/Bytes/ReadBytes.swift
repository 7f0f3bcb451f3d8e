extension [UInt8] {
  /// Up to a number of bytes, which a closure reads into uninitialised memory; the closure returns their number.
  init(
    reading count: Int,
    _ read: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Int
  ) throws(SystemError) {
    do {
      // The closure initialises the bytes that it counts, from the start of the memory on.
      self = unsafe try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
        filled = unsafe try read(UnsafeMutableRawBufferPointer(buffer))
      }
    } catch let error as SystemError {
      throw error
    } catch {
      // The initialiser rethrows the closure's error, and the closure throws nothing but SystemError.
      self = []
    }
  }
}
