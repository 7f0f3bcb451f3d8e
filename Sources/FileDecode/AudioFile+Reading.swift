extension AudioFile {
  /// Reads the whole file into memory, whatever was read before.
  ///
  /// Afterwards the end of the file is the next to be read. Memory is taken for the frames that arrive, not for those
  /// that a header claims.
  ///
  /// - Throws: ``AudioFileError`` with the code `tooLarge` where the samples would take more than 2 GiB, and what
  ///   ``seek(toFrame:)`` throws. A file that was damaged before it was opened throws nothing: what could be decoded is
  ///   returned, and ``isTruncated`` is true.
  public func readAll() throws(AudioFileError) -> PCMBuffer<Float> {
    try readAll(as: Float.self)
  }

  /// Reads the whole file into memory as samples of a type, whatever was read before.
  ///
  /// `Int16` takes half the memory of `Float` and is exact for files of 16 bits or fewer; a louder signal than full scale,
  /// which compressed files often hold, is clipped. Else like ``readAll()``.
  public func readAll<Sample: PCMSample>(as type: Sample.Type) throws(AudioFileError) -> PCMBuffer<Sample> {
    try readAll(as: type, byteLimit: WholeReading().byteLimit)
  }

  func readAll<Sample: PCMSample>(
    as type: Sample.Type,
    byteLimit: Int
  ) throws(AudioFileError) -> PCMBuffer<Sample> {
    try withDecoder { (decoder) throws(AudioFileError) in
      try decoder.whole(as: type, WholeReading(byteLimit: byteLimit))
    }
  }
}

extension AudioFile: PCMReader {
  /// The file's ``path``.
  public var name: String? { path }

  /// What reading and seeking throw.
  public typealias Failure = AudioFileError

  /// Reads the next frames into a buffer, in place of what it held.
  ///
  /// The buffer takes on the file's ``format`` and keeps its memory, so that a loop over blocks allocates once.
  ///
  /// - Returns: How many frames were read: at most `maxFrames`, and 0 only at the end or where none are asked for.
  /// - Throws: ``AudioFileError`` with the code `readFailed` where the system fails, and `fileChanged` where the file became
  ///   shorter after it was opened; a later call tries again from where the frames in the buffer end. A file that was damaged
  ///   before it was opened ends early instead, and ``isTruncated`` is true. Another file of the same length or longer that
  ///   is written over an uncompressed file is not noticed: its bytes are read as samples.
  public func read(
    into buffer: inout PCMBuffer<Float>,
    maxFrames: Int = 4_096
  ) throws(AudioFileError) -> Int {
    try withDecoder { (decoder) throws(AudioFileError) in
      buffer.removeAll(adopting: decoder.format)
      while buffer.frameCount < maxFrames, !decoder.isAtEnd {
        _ = try decoder.appendBlock(of: maxFrames - buffer.frameCount, to: &buffer)
      }
      return buffer.frameCount
    }
  }

  /// Makes a frame, counted from 0, the next to be read: the first where it is negative, the end where there is none.
  ///
  /// Lands on the very frame in every format. Ogg Vorbis, Opus and files without a ``frameCount`` have no exact way to
  /// jump: there the frames up to the target are decoded and dropped, from the start of the file when the target lies
  /// behind. That takes a few milliseconds for each second that is skipped.
  ///
  /// - Throws: ``AudioFileError`` with the code `readFailed` where the system fails, and `fileChanged` where the file became
  ///   shorter, or where the start was to be decoded again and another file had been written over this one. A file that is replaced the usual way,
  ///   by renaming a new one, is read on as it was. A later call tries again to get to the frame.
  public func seek(toFrame frame: Int) throws(AudioFileError) {
    try withDecoder { (decoder) throws(AudioFileError) in try decoder.seek(toFrame: frame) }
  }
}
