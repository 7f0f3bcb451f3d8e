public import PCM

/// Frames of the mix that a tap has received.
public struct MixChunk: Hashable, Sendable {
  /// The frame of the mix at which the chunk begins, as `AudioContext.mixedFrames` counts.
  ///
  /// A processor with a latency delays the sound, and not the frame.
  public let frame: Int

  /// The number of frames that were lost before the chunk, because nobody had taken earlier chunks in time.
  public let lostFrames: Int

  /// The samples of 1 to 512 frames.
  ///
  /// A chunk ends where the frame of the mix is a multiple of 512. Offline it also ends with a piece of the mix.
  public let samples: PCMBuffer<Float>
}
