extension Annotations {
  /// Reads the texts of an MPEG-4 file, as iTunes writes them.
  mutating func readMPEG4<Failure>(_ fileSize: Int, _ bytes: ByteReading<Failure>) throws(Failure) {
    guard let movie = try MPEG4Track.movie(fileSize: fileSize, reading: bytes) else { return }
    guard let list = MPEG4Box(name: "moov", content: movie[...]).first("udta", "meta", "ilst") else { return }
    for item in MPEG4Box.list(in: list.content) {
      guard let data = item.first("data"), data.number(at: 0) == 1 else { continue }
      let text = AudioTags.text(data.content.dropFirst(8))
      if item.name == "----", let name = item.first("name") {
        let name = AudioTags.text(name.content.dropFirst(4))
        if name != "iTunSMPB" { tags.add(name, text) }
      } else if let name = Annotations.mpeg4Names[item.name] {
        tags.add(name, text)
      }
    }
  }

  private static let mpeg4Names = [
    "\u{A9}nam": "TITLE", "\u{A9}ART": "ARTIST", "\u{A9}alb": "ALBUM", "\u{A9}day": "DATE", "\u{A9}gen": "GENRE",
    "\u{A9}cmt": "COMMENT", "cprt": "COPYRIGHT", "\u{A9}too": "ENCODER",
  ]
}
