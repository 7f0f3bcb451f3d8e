internal import AudioSupport

extension AudioFile {
  /// The loops in the file.
  ///
  /// They come from `smpl` in WAV, `INST` and `MARK` in AIFF, regions in CAF, and in any file from the texts
  /// `LOOPSTART` with `LOOPLENGTH` or `LOOPEND`, which are then not among ``tags``. In Opus files these count frames of
  /// 48,000 Hz. The list omits loops that do not lie within the sound.
  public var loops: [AudioLoop] {
    decoder.withLock { $0.annotations.loops }
  }

  /// The frames of the first forward loop of ``loops``, for a sound buffer; `nil` if the file has none.
  public var loopRange: Range<Int>? {
    loops.first { $0.direction == .forward }?.range
  }

  /// The markers in the file, in their order: cues of WAV, markers of AIFF and CAF.
  public var markers: [AudioMarker] {
    decoder.withLock { $0.annotations.markers }
  }

  /// The texts in the file, such as its title.
  ///
  /// They come from `INFO` in WAV, the texts of AIFF and CAF, Vorbis comments, ID3, APE and iTunes tags.
  public var tags: AudioTags {
    decoder.withLock { $0.annotations.tags }
  }
}
