/// Whether a file omits the frames that a codec puts around a sound.
public enum AudioTrimming: Hashable, Sendable {
  /// The sound alone, without priming and remainder, so that a loop has no seam.
  case automatic

  /// All frames of all packets.
  ///
  /// Ogg Vorbis, Opus and the last packet of Apple Lossless are still trimmed: their decoders return nothing else.
  case off
}
