/// The bytes of a sound file that is neither on the disk nor in memory, such as an entry of an archive.
///
/// A file calls its reader from one thread at a time. Two files with the same reader can call it from two threads at
/// once. The bytes must stay the same while a file reads them.
public protocol AudioByteReader: Sendable {
  /// The number of bytes.
  var byteCount: Int { get }

  /// Returns up to a number of bytes at an offset, which is within the file.
  ///
  /// A shorter result stands for the end of the file. If this method throws, the file throws an ``AudioFileError`` with
  /// the code `readFailed` and the error's description.
  func bytes(at offset: Int, count: Int) throws -> [UInt8]
}
