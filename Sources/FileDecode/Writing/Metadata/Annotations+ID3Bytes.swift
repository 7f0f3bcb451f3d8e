extension Annotations {
  /// An ID3 tag of version 2.4, with texts in UTF-8.
  var id3Bytes: [UInt8] {
    var frames: [UInt8] = []
    for (name, text) in textsWithLoop {
      // Each frame has the number of its encoding in front: 3 is UTF-8.
      if name == "COMMENT" {
        // ID3's code "XXX" stands for an unknown language. The title of the comment is empty.
        frames.appendFrame("COMM", [3] + Array("XXX\0\(text)".utf8))
      } else if let id = Annotations.id3Names.id(of: name) {
        frames.appendFrame(id, [3] + Array(text.utf8))
      } else {
        frames.appendFrame("TXXX", [3] + Array("\(name)\0\(text)".utf8))
      }
    }
    return Array("ID3".utf8) + [4, 0, 0] + [UInt8].safe(frames.count) + frames
  }
}

extension [UInt8] {
  fileprivate mutating func appendFrame(_ id: String, _ content: [UInt8]) {
    self += Array(id.utf8) + [UInt8].safe(content.count) + [0, 0] + content
  }

  /// A number in four bytes of seven bits, so that no byte looks like the start of a packet.
  fileprivate static func safe(_ number: Int) -> [UInt8] {
    [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) }
  }
}
