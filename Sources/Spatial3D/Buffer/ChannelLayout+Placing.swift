extension ChannelLayout {
  /// The number of channels that sound from a source's position while it is always placed.
  ///
  /// The low-frequency channel has no position, and a B-Format is always all around the listener.
  var placedChannelCount: Int {
    switch self {
    case .bFormat2D, .bFormat3D: 1
    case .surround51, .surround61, .surround71: channelCount - 1
    default: channelCount
    }
  }
}
