/// Whether the frames that a codec puts around a sound are left out.
public enum AudioTrimming: Hashable, Sendable {
  /// The sound alone: priming and remainder are dropped, so that a loop has no seam.
  case automatic

  /// All that the packets decode to.
  ///
  /// Ogg Vorbis, Opus and the last packet of Apple Lossless are trimmed all the same: nothing else leaves their decoders.
  case off
}
