/// A function that reads bytes at an offset of a file; it returns fewer than requested only at the end of the file.
typealias ByteReading<Failure: Error> = (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
