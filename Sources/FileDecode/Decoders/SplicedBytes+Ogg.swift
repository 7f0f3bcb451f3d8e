extension SplicedBytes {
  /// The view of an Ogg stream that begins with a packet: its headers, and the pages from that packet on.
  ///
  /// It is `nil` if the pages are no longer there.
  func starting(
    at start: OggSeekIndex.Start,
    behind headers: OggStreamHeaders,
    path: String
  ) throws(AudioFileError) -> SplicedBytes? {
    var window = ReadingWindow()
    guard let page = try OggPage(at: start.offset, &window, reader(path: path)) else { return nil }
    let front = headers.pages(before: page.number) + page.suffix(fromSegment: start.skippedSegments)
    // A byte behind the last page hides the last granule position from libsndfile. It would take the position for the
    // number of frames, and would subtract the frames before the sound of Opus, which this view does not have.
    return suffix(from: start.offset + page.byteCount, behind: front, inFrontOf: [0])
  }
}
