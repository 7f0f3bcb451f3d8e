extension SplicedBytes {
  /// The view of an Ogg stream that begins with a packet: its headers, and the pages from that packet on.
  ///
  /// It is `nil` if the pages are no longer there.
  func starting(at start: OggSeekIndex.Start, path: String) throws(AudioFileError) -> SplicedBytes? {
    let bytes = reader(path: path)
    var window = ReadingWindow()
    guard let page = try OggPage(at: start.offset, &window, bytes) else { return nil }
    var headers: [OggPage] = []
    var offset = 0
    while offset < start.headerEnd, let header = try OggPage(at: offset, &window, bytes) {
      headers.append(header)
      offset += header.byteCount
    }
    // Decoders treat a gap between the numbers of pages as lost sound.
    var front: [UInt8] = []
    for (index, header) in headers.enumerated() {
      var renumbered = header.bytes
      OggPage.number(&renumbered, page.number - headers.count + index)
      front += renumbered
    }
    front += page.suffix(fromSegment: start.skippedSegments)
    // A byte behind the last page hides the last granule position from libsndfile. It would take the position for the
    // number of frames, and would subtract the frames before the sound of Opus, which this view does not have.
    return suffix(from: start.offset + page.byteCount, behind: front, inFrontOf: [0])
  }
}
