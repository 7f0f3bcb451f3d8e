extension Annotations {
  /// A Vorbis comment: the name of the encoder's maker, a count, and as many entries `NAME=text`.
  func commentBytes(vendor: [UInt8]) -> [UInt8] {
    let comments = textsWithLoop.map { Array("\($0.name)=\($0.text)".utf8) }
    return littleEndian(vendor.count, 4) + vendor + littleEndian(comments.count, 4)
      + comments.flatMap { littleEndian($0.count, 4) + $0 }
  }

  /// The texts in the order of their names, with the first loop as texts in front.
  var textsWithLoop: [(name: String, text: String)] {
    let loop = loops.first.map { loop in
      [("LOOPSTART", "\(loop.range.lowerBound)"), ("LOOPLENGTH", "\(loop.range.count)")]
    }
    return (loop ?? []) + tags.entries.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The name of the encoder's maker in a Vorbis comment.
  static func vendor(_ comment: some Collection<UInt8>) -> [UInt8] {
    let size = Array(comment.prefix(4)).number(at: 0, isBigEndian: false) ?? 0
    return Array(comment.dropFirst(4).prefix(size))
  }
}
