extension Annotations {
  /// Reads an APE tag at the end of a file, in front of an old ID3 tag or without one.
  mutating func readAPE<Failure>(_ fileSize: Int, _ bytes: ByteReading<Failure>) throws(Failure) {
    for end in [fileSize, fileSize - 128] where end >= 32 {
      let footer = try bytes(end - 32, 32)
      guard footer.count == 32, footer.starts(with: "APETAGEX".utf8) else { continue }
      // The size includes the items and the footer.
      let size = Int(bytes: footer[12..<16], isBigEndian: false)
      guard size > 32, size <= min(end, Annotations.partLimit) else { return }
      readAPE(Fields(bytes: try bytes(end - size, size - 32), isBigEndian: false))
      return
    }
  }

  /// Reads the items: a length, flags, a name with a zero behind it, and the text.
  private mutating func readAPE(_ fields: Fields) {
    var place = 0
    while let size = fields[place], let flags = fields[place + 4] {
      let name = fields.bytes.dropFirst(place + 8).prefix { $0 != 0 }
      let start = place + 8 + name.count + 1
      guard size <= fields.bytes.count - start else { return }
      // The lowest bits but one are 0 for text.
      if flags & 6 == 0 {
        let tag = AudioTags.text(name).uppercased()
        tags.add(
          ["TRACK": "TRACKNUMBER", "YEAR": "DATE"][tag] ?? tag,
          AudioTags.text(fields.bytes.dropFirst(start).prefix(size))
        )
      }
      place = start + size
    }
  }
}
