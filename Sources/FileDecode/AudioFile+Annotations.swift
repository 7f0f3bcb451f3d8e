extension AudioFile {
  /// The parts that the file says are to be repeated.
  ///
  /// From `smpl` in WAV, `INST` and `MARK` in AIFF, regions in CAF, and the texts `LOOPSTART` with `LOOPLENGTH` or `LOOPEND`
  /// in any other file. A loop that does not lie within the sound is left out.
  public var loops: [AudioLoop] {
    decoder.withLock { $0.annotations.loops }
  }

  /// The frames of the first of ``loops`` that is played forward, which a sound buffer takes over; `nil` where there is none.
  public var loopRange: Range<Int>? {
    loops.first { $0.direction == .forward }?.range
  }

  /// The places that the file gives a name, in their order: cues of WAV, markers of AIFF and CAF.
  public var markers: [AudioMarker] {
    decoder.withLock { $0.annotations.markers }
  }

  /// What the file says about itself as text.
  ///
  /// From `INFO` in WAV, the texts of AIFF and CAF, Vorbis comments, ID3, APE and iTunes tags.
  public var tags: AudioTags {
    decoder.withLock { $0.annotations.tags }
  }
}
