internal import CSpatial3DSndFile

extension OutputContainer {
  /// libsndfile's description of a file of this kind; `nil` if the kind cannot hold the format.
  func libsndfileFormat(_ format: PCMFormat, _ setup: EncoderSetup) -> SF_INFO? {
    guard FormatCheck.channelCounts.contains(format.channelCount), holds(sampleRate: format.sampleRate) else {
      return nil
    }
    var description = SF_INFO()
    description.samplerate = Int32(format.sampleRate)
    description.channels = Int32(format.channelCount)
    description.format = Int32(major(channelCount: format.channelCount) | setup.libsndfile)
    return unsafe sf_format_check(&description) == 1 ? description : nil
  }

  private func major(channelCount: Int) -> Int {
    switch self {
    // The extended header contains the position of each channel.
    case .wav: channelCount > 2 ? SF_FORMAT_WAVEX : SF_FORMAT_WAV
    case .aiff: SF_FORMAT_AIFF
    case .caf: SF_FORMAT_CAF
    case .flac: SF_FORMAT_FLAC
    case .ogg, .opus: SF_FORMAT_OGG
    case .mp3: SF_FORMAT_MPEG
    }
  }

  /// libsndfile's names for the channels of a layout, in the order of a WAV file's header.
  ///
  /// The result is `nil` for channels without a known position.
  static func channelMap(of layout: ChannelLayout) -> [Int32]? {
    let front = [SF_CHANNEL_MAP_LEFT, SF_CHANNEL_MAP_RIGHT]
    let centre = [SF_CHANNEL_MAP_CENTER, SF_CHANNEL_MAP_LFE]
    let back = [SF_CHANNEL_MAP_REAR_LEFT, SF_CHANNEL_MAP_REAR_RIGHT]
    let sides = [SF_CHANNEL_MAP_SIDE_LEFT, SF_CHANNEL_MAP_SIDE_RIGHT]
    let map: [Int]? =
      switch layout {
      case .quad: front + back
      case .surround51: front + centre + sides
      case .surround61: front + centre + [SF_CHANNEL_MAP_REAR_CENTER] + sides
      case .surround71: front + centre + back + sides
      default: nil
      }
    return map?.map { Int32($0) }
  }
}
