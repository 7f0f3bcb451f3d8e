/// What a file is, told from its bytes and never from its name.
struct FileSignature: Hashable, Sendable {
  /// The kind of the file.
  let container: Container

  /// The first bytes of the audio, behind any tags.
  let head: [UInt8]

  /// Whether the file is an MPEG stream of which nothing says how long it is.
  var lacksFrameCount: Bool { container == .mpeg && !MPEGFrameHeader.countsFrames(head) }

  /// How many bytes from a place are enough to tell: two frames of MPEG audio at the highest bit rate, and a Xing tag.
  static let headSize = 4_096

  /// Tells a file's kind with a function that reads bytes at an offset, fewer where the file ends; `nil` for anything
  /// but a sound file.
  init?<Failure>(reading bytes: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]) throws(Failure) {
    var offset = 0
    var head = try bytes(offset, FileSignature.headSize)
    var tagCount = 0
    while tagCount < FileSignature.tagLimit, let tagSize = ID3Tag.byteCount(head) {
      tagCount += 1
      offset += tagSize
      head = try bytes(offset, FileSignature.headSize)
    }
    if tagCount > 0 {
      // Some programs leave room behind the tag for it to grow.
      let padding = head.prefix { $0 == 0 }.count
      if padding > 0 { head = try bytes(offset + padding, FileSignature.headSize) }
    }
    guard let container = Container(head: head) else { return nil }
    guard tagCount == 0 || container == .mpeg || container == .flac || container == .adts else { return nil }
    self.container = container
    self.head = head
  }

  /// How many tags in a row are skipped; more than one is already a program's mistake.
  private static let tagLimit = 8
}
