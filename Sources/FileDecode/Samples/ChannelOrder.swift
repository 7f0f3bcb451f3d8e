/// A change of frames from one order of channels to another.
struct ChannelOrder: Hashable, Sendable {
  /// For each channel of the result, the index of its source channel.
  let sources: [Int]

  /// The change from the order of Vorbis and Opus to the order of WAVE; `nil` if the two are the same.
  ///
  /// Vorbis puts the centre between left and right and the low-frequency channel last, and the sides before the back.
  static func waveFromVorbis(channelCount: Int) -> ChannelOrder? {
    let sources = [
      3: [0, 2, 1], 5: [0, 2, 1, 3, 4], 6: [0, 2, 1, 5, 3, 4], 7: [0, 2, 1, 6, 5, 3, 4],
      8: [0, 2, 1, 7, 5, 6, 3, 4],
    ]
    return sources[channelCount].map { ChannelOrder(sources: $0) }
  }

  /// The change from the order of Apple Lossless to the order of WAVE; `nil` if the two are the same.
  ///
  /// Apple Lossless puts the centre first and the low-frequency channel last.
  static func waveFromLossless(channelCount: Int) -> ChannelOrder? {
    let sources = [
      3: [1, 2, 0], 5: [1, 2, 0, 3, 4], 6: [1, 2, 0, 5, 3, 4], 7: [1, 2, 0, 6, 5, 3, 4],
      8: [3, 4, 0, 7, 5, 6, 1, 2],
    ]
    return sources[channelCount].map { ChannelOrder(sources: $0) }
  }

  /// The change from the order of a codec to the order of WAVE; `nil` if the two are the same.
  static func wave(from codec: AudioCodec, channelCount: Int) -> ChannelOrder? {
    switch codec {
    case .vorbis, .opus: waveFromVorbis(channelCount: channelCount)
    case .alac: waveFromLossless(channelCount: channelCount)
    default: nil
    }
  }

  /// The reverse change.
  var inverse: ChannelOrder {
    ChannelOrder(sources: sources.indices.map { channel in sources.firstIndex(of: channel) ?? channel })
  }

  /// Reorders the interleaved frames of a span; samples of an unfinished last frame stay.
  @specialized(where Sample == Float)
  @specialized(where Sample == Int16)
  func apply<Sample: PCMSample>(to samples: inout MutableSpan<Sample>) {
    let count = sources.count
    guard samples.count >= count else { return }
    // No order has more than eight channels, so a frame needs no allocation.
    var frame = InlineArray<8, Sample>(repeating: samples[0])
    var start = 0
    while start + count <= samples.count {
      for channel in 0..<count { frame[channel] = samples[start + sources[channel]] }
      for channel in 0..<count { samples[start + channel] = frame[channel] }
      start += count
    }
  }
}
