extension OggPage {
  /// The page of a Vorbis stream on which its headers end, without the packets with sound behind them.
  ///
  /// The specification requires the sound to begin on a page of its own, and early encoders did not do so.
  /// libvorbisfile decodes from the next page on, and so drops a packet that begins on the page of the headers and
  /// continues on the next page. libsndfile decodes that packet too: its samples are then the samples of libvorbisfile,
  /// late by one packet. On the shorter page the packet has no beginning, and libogg skips its rest.
  ///
  /// Returns the bytes of the file that the shorter page replaces, and the page; `nil` if no sound is on it.
  static func endOfHeaders<Failure>(
    from offset: Int,
    reading bytes: ByteReading<Failure>
  ) throws(Failure) -> (range: Range<Int>, page: [UInt8])? {
    var place = offset
    var serial: ArraySlice<UInt8>?
    var headerCount = 3
    var window = ReadingWindow()
    while let size = header(Array(try window.bytes(at: place, count: maximumSize, bytes)))?.byteCount {
      let page = Array(try window.bytes(at: place, count: size, bytes))
      let range = place..<place + size
      place = range.upperBound
      if serial == nil { serial = page[14..<18] }
      guard page[14..<18].elementsEqual(serial ?? []) else { continue }
      let segments = page[27..<27 + Int(page[26])]
      for (index, segment) in segments.enumerated() where segment < 255 {
        headerCount -= 1
        guard headerCount == 0 else { continue }
        let kept = segments.prefix(index + 1)
        guard kept.count < segments.count else { return nil }
        let content = page.dropFirst(27 + segments.count).prefix(kept.reduce(0) { $0 + Int($1) })
        var shorter = Array(page.prefix(26)) + [UInt8(kept.count)] + Array(kept) + Array(content)
        // The position of a page on which only headers end.
        shorter.replaceSubrange(6..<14, with: repeatElement(0, count: 8))
        sign(&shorter)
        return (range, shorter)
      }
    }
    return nil
  }
}
