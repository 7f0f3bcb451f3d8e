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
    while let page = try OggPage(at: place, &window, bytes) {
      let range = place..<place + page.byteCount
      place = range.upperBound
      if serial == nil { serial = page.serial }
      guard page.serial == serial else { continue }
      let segments = page.segments
      for (index, segment) in segments.enumerated() where segment.count < 255 {
        headerCount -= 1
        guard headerCount == 0 else { continue }
        let kept = segments.prefix(index + 1)
        guard kept.count < segments.count else { return nil }
        var shorter = Array(page.bytes.prefix(26)) + [UInt8(kept.count)] + kept.map { UInt8($0.count) } + kept.joined()
        // The position of a page on which only headers end.
        shorter.replaceSubrange(6..<14, with: repeatElement(0, count: 8))
        sign(&shorter)
        return (range, shorter)
      }
    }
    return nil
  }
}
