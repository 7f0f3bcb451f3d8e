/// The bytes of a sound file that lies neither on the disk nor in memory, such as an entry of an archive.
///
/// A file that is decoded calls it from one thread at a time; two files that share a reader call it from two. The bytes must
/// stay the same as long as a file reads them.
public protocol AudioByteReader: Sendable {
  /// How many bytes there are.
  var byteCount: Int { get }

  /// Up to a number of bytes at a place, which is within the file.
  ///
  /// Fewer than asked for stand for the end of the file. An error that is thrown becomes an ``AudioFileError`` with the code
  /// `readFailed` and the error's words.
  func bytes(at offset: Int, count: Int) throws -> [UInt8]
}
