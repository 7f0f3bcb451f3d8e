extension AudioFile {
  /// Reads the whole file into memory, from its first frame.
  ///
  /// The position is at the end of the file afterwards. The method allocates memory for the frames that arrive, not for
  /// the frames that a header claims.
  ///
  /// - Throws: ``AudioFileError`` with the code `tooLarge` if the samples would take more than 2 GiB, and the errors of
  ///   ``seek(toFrame:)``. A file that was damaged before it was opened throws nothing: the method returns the
  ///   decodable frames, and ``isTruncated`` is true.
  public func readAll() throws(AudioFileError) -> PCMBuffer<Float> {
    try readAll(as: Float.self)
  }

  /// Reads the whole file into memory as samples of a type, from its first frame.
  ///
  /// `Int16` takes half the memory of `Float` and is exact for files of 16 bits or fewer. It clips a signal beyond full
  /// scale, which is common in compressed files. All else is as with ``readAll()``.
  public func readAll<Sample: PCMSample>(as type: Sample.Type) throws(AudioFileError) -> PCMBuffer<Sample> {
    try readAll(as: type, byteLimit: WholeReading().byteLimit)
  }

  func readAll<Sample: PCMSample>(as type: Sample.Type, byteLimit: Int) throws(AudioFileError) -> PCMBuffer<Sample> {
    try withDecoder { (decoder) throws(AudioFileError) in
      try decoder.whole(as: type, WholeReading(byteLimit: byteLimit))
    }
  }
}

extension AudioFile: PCMReader {
  /// The file's ``path``.
  public var name: String? { path }

  /// The error that reading and seeking throw.
  public typealias Failure = AudioFileError

  /// Reads the next frames into a buffer, and replaces its contents.
  ///
  /// The buffer takes over the file's ``format`` and keeps its memory, so that a loop over blocks allocates once.
  ///
  /// - Returns: The number of frames: at most `maxFrames`, and 0 only at the end or if `maxFrames` is 0 or below.
  /// - Throws: ``AudioFileError`` with the code `readFailed` if the system fails, and `fileChanged` if the file became
  ///   shorter after it was opened. A later call tries again from the end of the frames in the buffer. A file that was
  ///   damaged before it was opened ends early instead, and ``isTruncated`` is true. The method does not notice if a
  ///   program overwrites an uncompressed file with one of the same length or longer: it reads the new bytes as
  ///   samples.
  public func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int = 4_096) throws(AudioFileError) -> Int {
    try withDecoder { (decoder) throws(AudioFileError) in
      buffer.removeAll(adopting: decoder.format)
      while buffer.frameCount < maxFrames, !decoder.isAtEnd {
        _ = try decoder.appendBlock(of: maxFrames - buffer.frameCount, to: &buffer)
      }
      return buffer.frameCount
    }
  }

  /// Seeks to a frame, counted from 0: to the first if the number is negative, to the end if the frame does not exist.
  ///
  /// The position is exact in every format: the frames are equal to the bit to the frames that a read from the start
  /// returns. In Opus, MPEG audio and AAC a sample may differ by 0.000001, and so it may in Vorbis with the trait
  /// `LibAVCodec`.
  ///
  /// In Ogg Vorbis the first seek reads and checks the pages of the file up to the target, and in Opus all pages. Then
  /// it decodes from the packet in front of the target, and in Opus from one second in front of it. A later seek checks
  /// only pages behind the pages that were checked.
  ///
  /// In some files the method decodes and drops all frames up to the target. This takes a few milliseconds for each
  /// second of sound. These files are:
  /// - Opus with packets of its speech codes, which are usual below 48 kbit/s, or with pauses that have no packets;
  /// - Opus with more than two channels, and Opus with a page that is damaged, missing or out of order;
  /// - Ogg files behind a page that is damaged, missing or out of order, and behind the first of several streams;
  /// - Ogg files whose positions do not begin at zero or contradict the number of frames, such as recordings of a live
  ///   stream;
  /// - other files without a ``frameCount``.
  ///
  /// - Throws: ``AudioFileError`` with the code `readFailed` if the system fails. The code is `fileChanged` if the file
  ///   became shorter, or if the method had to open the decoder again and another file had overwritten this file.
  ///   If a program renames a new file over it, which is usual, the open file stays as it was. A later call tries again
  ///   to reach the frame.
  public func seek(toFrame frame: Int) throws(AudioFileError) {
    try withDecoder { (decoder) throws(AudioFileError) in try decoder.seek(toFrame: frame) }
  }
}
