/// The kind of a file, according to its bytes and never its name.
struct FileSignature: Hashable, Sendable {
  /// The kind of the file.
  let container: Container

  /// The offset of the audio, behind any tags.
  let offset: Int

  /// The first bytes of the audio.
  let head: [UInt8]

  /// The number of bytes that determine the kind: two frames of MPEG audio at the highest bit rate, and a Xing tag.
  static let headSize = 4_096

  /// Determines a file's kind with a function that reads bytes at an offset, fewer at the end of the file.
  ///
  /// The result is `nil` for anything but a sound file.
  init?<Failure>(reading bytes: ByteReading<Failure>) throws(Failure) {
    var offset = 0
    var head = try bytes(offset, FileSignature.headSize)
    for _ in 0..<FileSignature.skipLimit {
      if let tagSize = LeadingTag.byteCount(head) {
        offset += tagSize
      } else if offset > 0, head.first == 0 {
        // Some programs leave room behind the tag for later growth.
        offset += head.prefix { $0 == 0 }.count
      } else {
        break
      }
      head = try bytes(offset, FileSignature.headSize)
    }
    var container = Container(head: head)
    let mayBeTagged = container == nil || container == .mpeg || container == .flac || container == .adts
    guard offset == 0 || mayBeTagged else { return nil }
    if container == nil, let place = MPEGFrameHeader.streamStart(in: head) {
      offset += place
      head = try bytes(offset, FileSignature.headSize)
      container = .mpeg
    }
    guard let container else { return nil }
    self.container = container
    self.offset = offset
    self.head = head
  }

  /// The largest number of tags and blocks of padding in a row; more than one or two are already a program's mistake.
  private static let skipLimit = 16
}
